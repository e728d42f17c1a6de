import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 100;

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Whether its holder ended without letting go. A file that is not there any more is not abandoned: by the time one removes
 * it, somebody else may hold it.
 *
 * @param {string} file
 */
function isAbandoned(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/**
 * Does a piece of work while no other process does it, so that two commands started at once in a fresh clone do not
 * install over each other. A holder that was killed does not keep the others waiting.
 *
 * @template T
 * @param {string} file holds the number of the process at work
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(file, work) {
  // As the desk makes its folder: other people of the same machine have no business in it.
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  while (!take(file)) {
    if (isAbandoned(file)) rmSync(file, { force: true });
    else await wait(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
