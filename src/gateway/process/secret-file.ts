import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

/** The text of a file that only its owner may access, or the rest of a sentence about it: "… is "file", which …". */
export type SecretFile = { readonly text: string } | { readonly problem: string };

const ACCESS_OF_OTHERS = 0o077;

export function readSecretFile(path: string): SecretFile {
  try {
    const file = openSync(path, 'r');
    try {
      const { mode } = fstatSync(file);
      // Windows reports permissions that it does not have.
      if (process.platform !== 'win32' && (mode & ACCESS_OF_OTHERS) !== 0) return { problem: `other users may access (mode ${toOctal(mode)}): run chmod 600 on it` };
      return { text: readFileSync(file, 'utf8') };
    } finally {
      closeSync(file);
    }
  } catch {
    return { problem: 'cannot be read' };
  }
}

function toOctal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
