import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 100;
/** Who is at work touches the file this often. */
const beatMs = 1_000;
/** Who has not for so long has ended, whoever has the number by now: in a container all commands may have the same. */
const silentMs = 10_000;
/** Longer than that nobody waits without being told what for. */
const untoldMs = 3_000;

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

/** Tells when the holder has not been heard of for too long, by a clock that stands still while the machine sleeps. */
function createListener() {
  let [touchedAt, heardAt] = [NaN, 0];
  return (/** @type {string} */ file) => {
    const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? NaN;
    if (touched !== touchedAt) [touchedAt, heardAt] = [touched, performance.now()];
    return performance.now() - heardAt > silentMs;
  };
}

/** @param {string} file */
async function takeInTurn(file) {
  const isSilent = createListener();
  let tellAt = performance.now() + untoldMs;
  while (!take(file)) {
    if (isSilent(file) || isAbandoned(file)) rmSync(file, { force: true });
    else await wait(pollMs);
    if (performance.now() < tellAt) continue;
    tellAt = Infinity;
    console.error(`perpdesk: waiting for another command to finish the same work (${file})`);
  }
}

/** @param {string} file */
function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch (error) {
    // Who removes it by hand wants the next command to go ahead.
    if (codeOf(error) !== 'ENOENT') throw error;
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
  await takeInTurn(file);
  const beat = setInterval(touch, beatMs, file);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(file, { force: true });
  }
}
