import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

const OTHERS_MAY_READ = 0o077;

/** The text of a file that only its owner can access. Throws a sentence that says what is wrong with it. */
export function readSecretFile(path: string): string {
  const file = open(path);
  try {
    const { mode } = fstatSync(file);
    if (process.platform !== 'win32' && (mode & OTHERS_MAY_READ) !== 0) {
      const permissions = (mode & 0o777).toString(8).padStart(3, '0');
      throw new Error(`Other users have access to the file ${path} (mode ${permissions}): run "chmod 600 ${path}".`);
    }
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new Error(`The file ${path} does not exist.`, { cause: error });
    if (code === 'EACCES') throw new Error(`This user may not read the file ${path}.`, { cause: error });
    throw error;
  }
}
