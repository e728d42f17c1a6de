import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSecretFile } from './secret-file.ts';

const FILE = 'link-key';
const BYTES = 32;
const HEX_KEY = /^[0-9a-f]{64}$/;

/**
 * The secret that aliases are computed with. It is in a file of its own: a damaged database can be moved elsewhere without
 * breaking every link. Only the process that has locked the folder may call this.
 */
export function openLinkKey(dataDir: string): string {
  const path = join(dataDir, FILE);
  if (!existsSync(path)) createKey(path);
  const file = readSecretFile(path);
  if ('problem' in file) throw new Error(`The key of links is in ${path}, which ${file.problem}.`);
  const key = file.text.trim();
  if (!HEX_KEY.test(key))
    throw new Error(
      `${path} does not contain the key of links: delete it. Perpdesk then creates a new key, and existing links with account, firm or connection filters stop working.`,
    );
  return key;
}

/** Renamed once it is whole, so that a crash in between leaves no half a key. */
function createKey(path: string): void {
  const unfinished = `${path}.new`;
  try {
    // An existing file would keep the access that it has.
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, `${randomBytes(BYTES).toString('hex')}\n`, { mode: 0o600 });
    renameSync(unfinished, path);
  } catch (error) {
    throw new Error(
      `The key of links cannot be written to ${path} (${error instanceof Error ? error.message : String(error)}): free some disk space, or set DESK_DATA_DIR to a writable folder.`,
      { cause: error },
    );
  }
}
