import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's top folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Where the tools keep what they may lose: caches and reports. Goes with node_modules, so a fresh install starts clean.
 *
 * @param {string} folder the top folder of the tree that is worked on
 */
export function cacheFolderOf(folder) {
  return join(folder, 'node_modules', '.cache', 'perpdesk');
}
