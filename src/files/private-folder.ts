import { chmodSync, lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

const OF_OTHERS = 0o077;
const PERMISSIONS = 0o7777;
/** It reports permissions that it does not have. */
const isWindows = process.platform === 'win32';

type Change = (path: string, mode: number) => void;

/**
 * Takes a folder and the files in it from all users but their owner. Returns a sentence if others could enter it, and throws one
 * that says what to do if they still can, or if a file is not ours: somebody may have put it there while they could.
 *
 * Only what lies in the folder itself is changed, since nobody reaches what is below it. Who can write to the folder above may put
 * another folder in its place, but none that belongs to this user.
 */
export function makePrivate(folder: string, change: Change = chmodSync): string | null {
  if (isWindows) return null;
  const found = statSync(folder);
  const isOpen = isOpenToOthers(found);
  if (isOpen) closeFolder(folder, found, change);
  for (const name of readdirSync(folder)) closeOwnFile(join(folder, name), found);
  return isOpen
    ? `Other users had access to ${folder} (mode ${toOctal(found)}). It and the files in it now belong to this user alone.`
    : null;
}

/** Takes a file from all users but its owner, if that is this user; who else shares a file of theirs knows why. */
export function makeFilePrivate(path: string): void {
  const found = statSync(path);
  if (!isWindows && isOpenToOthers(found) && found.uid === process.getuid?.()) chmodSync(path, withoutOthers(found));
}

function closeFolder(folder: string, found: Stats, change: Change): void {
  const problem = `Other users have access to ${folder} (mode ${toOctal(found)}), and`;
  try {
    change(folder, withoutOthers(found));
  } catch (error) {
    const owner = String(process.getuid?.());
    throw new Error(
      `${problem} it belongs to another user (${String(found.uid)}): as root, run "chown ${owner} ${folder}" and "chmod 700 ${folder}", or use a new folder below it.`,
      { cause: error },
    );
  }
  if (isOpenToOthers(statSync(folder)))
    throw new Error(`${problem} its file system does not let that change: use a folder elsewhere.`);
}

/** Folders are left as they are: with a disk comes one of root’s. */
function closeOwnFile(path: string, folder: Stats): void {
  const found = lstatSync(path);
  if (found.isDirectory()) return;
  if (!isOurs(found, folder))
    throw new Error(
      `The file ${path} belongs to another user (${String(found.uid)}): delete it, or as root, run "chown ${String(folder.uid)} ${path}".`,
    );
  if (found.isFile() && isOpenToOthers(found)) chmodSync(path, withoutOthers(found));
}

/** Root may work in the folder of another user, whose files are as good as its own. */
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

function toOctal({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
