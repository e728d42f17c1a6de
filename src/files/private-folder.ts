import { chmodSync, lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { toOctal } from './octal-mode.ts';

const OF_OTHERS = 0o077;
const PERMISSIONS = 0o7777;
/** Windows reports permissions that it does not have. */
const isWindows = process.platform === 'win32';

type Change = (path: string, mode: number) => void;

/**
 * Removes the access of all users but the owner to a folder and the files in it. Returns a sentence if others could
 * enter it. Throws one that says what to do if they still can, or if a file is not ours, since someone may have put it
 * there meanwhile.
 *
 * Only files directly in the folder are changed, because no one can reach what is below it. A user who can write to the
 * parent folder may put another folder in its place, but none that belongs to this user.
 */
export function makePrivate(folder: string, change: Change = chmodSync): string | null {
  if (isWindows) return null;
  const found = statSync(folder);
  const isOpen = isOpenToOthers(found);
  if (isOpen) closeFolder(folder, found, change);
  for (const name of readdirSync(folder)) closeOwnFile(join(folder, name), found);
  return isOpen
    ? `Other users had access to ${folder} (mode ${toOctal(found.mode)}). It and the files in it now belong ` +
        'to this user alone.'
    : null;
}

/**
 * Removes the access of all users but the owner to a file, if this user owns it. Files of others may be shared on
 * purpose.
 */
export function makeFilePrivate(path: string): void {
  const found = statSync(path);
  if (!isWindows && isOpenToOthers(found) && found.uid === process.getuid?.()) chmodSync(path, withoutOthers(found));
}

function closeFolder(folder: string, found: Stats, change: Change): void {
  const problem = `Other users have access to ${folder} (mode ${toOctal(found.mode)}), and`;
  try {
    change(folder, withoutOthers(found));
  } catch (error) {
    const owner = String(process.getuid?.());
    throw new Error(
      `${problem} it belongs to another user (${String(found.uid)}): as root, run "chown ${owner} ` +
        `${folder}" and "chmod 700 ${folder}", or use a new folder below it.`,
      { cause: error },
    );
  }
  if (isOpenToOthers(statSync(folder)))
    throw new Error(`${problem} its file system does not let that change: use a folder elsewhere.`);
}

/** Leaves folders unchanged: a mounted disk contains one of root’s. */
function closeOwnFile(path: string, folder: Stats): void {
  const found = lstatSync(path);
  if (found.isDirectory()) return;
  if (!isOurs(found, folder))
    throw new Error(
      `The file ${path} belongs to another user (${String(found.uid)}): delete it, or as root, run ` +
        `"chown ${String(folder.uid)} ${path}".`,
    );
  if (found.isFile() && isOpenToOthers(found)) chmodSync(path, withoutOthers(found));
}

/** Whether a file counts as ours. Root may work in the folder of another user, whose files then count as its own. */
function isOurs({ uid }: Stats, folder: Stats): boolean {
  const own = process.getuid?.();
  return uid === own || (own === 0 && uid === folder.uid);
}

function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & OF_OTHERS) !== 0;
}

function withoutOthers({ mode }: Stats): number {
  return mode & PERMISSIONS & ~OF_OTHERS;
}
