import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSecretFile } from './source.ts';

const FILE = 'link-key';
const BYTES = 32;
const HEX_KEY = /^[0-9a-f]{64}$/;

/**
 * Returns the secret that aliases are computed with. It has its own file so that a damaged database can be moved
 * elsewhere without breaking every link. Only the process that has locked the folder may call this.
 */
export function openLinkKey(dataDir: string): string {
  const path = join(dataDir, FILE);
  if (!existsSync(path)) createKey(path);
  return readKey(path);
}

/**
 * Returns the secret of a data folder for all desks on its database; a new one, which the folder does not keep, if it
 * has none.
 */
export function offerLinkKey(dataDir: string): string {
  const path = join(dataDir, FILE);
  return existsSync(path) ? readKey(path) : newKey();
}

function newKey(): string {
  return randomBytes(BYTES).toString('hex');
}

function readKey(path: string): string {
  const file = readSecretFile(path);
  if ('problem' in file) throw new Error(`The key of links is in ${path}, which ${file.problem}.`);
  const key = file.text.trim();
  if (!HEX_KEY.test(key))
    throw new Error(
      `${path} does not contain the key of links: delete it. Perpdesk then creates a new key, and ` +
        'existing links with account, firm or connection filters stop working.',
    );
  return key;
}

/** Renames the finished file, so that a crash leaves no partial key. */
function createKey(path: string): void {
  const unfinished = `${path}.new`;
  try {
    // An existing file would keep its permissions.
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, `${newKey()}\n`, { mode: 0o600 });
    renameSync(unfinished, path);
  } catch (error) {
    throw new Error(
      `The key of links cannot be written to ${path} ` +
        `(${error instanceof Error ? error.message : String(error)}): free some disk space, or set ` +
        'DESK_DATA_DIR to a writable folder.',
      { cause: error },
    );
  }
}
