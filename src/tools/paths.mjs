import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top folder of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Returns where the tools keep what they may lose: caches and reports. It is removed with node_modules, so that a fresh
 * installation starts clean.
 *
 * @param {string} folder the top folder of the tree that is worked on
 */
export function cacheFolderOf(folder) {
  return join(folder, 'node_modules', '.cache', 'perpdesk');
}
