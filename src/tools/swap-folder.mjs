import { existsSync, renameSync, rmSync } from 'node:fs';

/** @param {string} folder */
function previousOf(folder) {
  return `${folder}.last`;
}

/** @param {string} folder where the next one is prepared, beside the one in use, so that a rename can put it in place */
export function nextOf(folder) {
  return `${folder}.next`;
}

/**
 * A process that was killed in the middle of a swap left the previous folder aside.
 *
 * @param {string} folder
 */
export function recoverFolder(folder) {
  if (!existsSync(folder) && existsSync(previousOf(folder))) renameSync(previousOf(folder), folder);
}

/**
 * Puts a finished folder in the place of the one in use: at every instant one of the two is whole.
 *
 * @param {string} finished
 * @param {string} folder
 */
export function swapFolder(finished, folder) {
  const previous = previousOf(folder);
  rmSync(previous, { recursive: true, force: true });
  try {
    renameSync(folder, previous);
  } catch {
    // There is none yet, or it belongs to a container image, from which a folder can only be removed.
    rmSync(folder, { recursive: true, force: true });
  }
  renameSync(finished, folder);
  rmSync(previous, { recursive: true, force: true });
}
