import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The text of a file that only its owner may access, or the rest of a sentence about it: "… is "file", which …". */
export type SecretFile = { readonly text: string } | { readonly problem: string };

const ACCESS_OF_OTHERS = 0o077;
const ACCESS_OF_ALL = 0o007;

/**
 * A folder in which systemd itself decides who may read: it grants that by an access list, which shows as access of the
 * file's group.
 */
export function readSecretFile(path: string, credentialsFolder: string | null = null): SecretFile {
  try {
    const file = openSync(path, 'r');
    try {
      const { mode } = fstatSync(file);
      // Windows reports permissions that it does not have.
      if (
        process.platform !== 'win32' &&
        (mode & (isBelow(credentialsFolder, path) ? ACCESS_OF_ALL : ACCESS_OF_OTHERS)) !== 0
      )
        return { problem: `other users may access (mode ${toOctal(mode)}): run chmod 600 on it` };
      return { text: readFileSync(file, 'utf8') };
    } finally {
      closeSync(file);
    }
  } catch {
    return { problem: 'cannot be read' };
  }
}

function isBelow(folder: string | null, path: string): boolean {
  return folder !== null && dirname(resolve(path)) === resolve(folder);
}

function toOctal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
