import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

/** The variables of Node.js that the file of settings may set: none of them can run code or switch checks off. */
export const nodeNames = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA'];

const writableByOthers = 0o022;

/**
 * Reads the file of settings, unless other users can change it. A problem is the end of a sentence about the file.
 *
 * @param {string} path
 * @returns {{ readonly text: string } | { readonly problem: string }}
 */
export function readSettingsFile(path) {
  try {
    const file = openSync(path, 'r');
    try {
      const problem = findForeignHand(fstatSync(file), process.getuid?.());
      return problem === null ? { text: readFileSync(file, 'utf8') } : { problem };
    } finally {
      closeSync(file);
    }
  } catch {
    return { problem: 'cannot be read' };
  }
}

/**
 * @internal Exported for its test.
 * @param {{ readonly uid: number, readonly mode: number }} file
 * @param {number | undefined} own the user of this process; undefined on Windows, which reports permissions that it does not have
 * @returns {string | null}
 */
export function findForeignHand({ uid, mode }, own) {
  if (own === undefined) return null;
  if (uid !== 0 && uid !== own)
    return `belongs to another user (${uid}): it must belong to root or to the user of Perpdesk (${own})`;
  if ((mode & writableByOthers) === 0) return null;
  return `other users may write (mode ${(mode & 0o777).toString(8).padStart(3, '0')}): run chmod go-w on it`;
}
