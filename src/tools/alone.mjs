import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
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

/**
 * @param {string} file
 * @param {string} lock what tells it from every other lock
 */
function take(file, lock) {
  try {
    writeFileSync(file, lock, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
function lockIn(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Removes this lock and no other: by the time one removes a file, somebody else's may have its name.
 *
 * @param {string} file
 * @param {string} lock
 */
function remove(file, lock) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const found = lockIn(aside);
  if (found !== undefined && found !== lock) take(file, found);
  rmSync(aside, { force: true });
}

/**
 * Whether its holder ended without letting go.
 *
 * @param {string} lock
 */
function isAbandoned(lock) {
  try {
    process.kill(Number.parseInt(lock, 10), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** Tells when the holder has not been heard of for too long, by a clock that stands still while the machine sleeps. */
function createListener() {
  let [heard, heardAt] = ['', 0];
  return (/** @type {string} */ file, /** @type {string} */ lock) => {
    const beat = `${lock} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? ''}`;
    if (beat !== heard) [heard, heardAt] = [beat, performance.now()];
    return performance.now() - heardAt > silentMs;
  };
}

/**
 * @param {string} file
 * @param {string} own
 */
async function takeInTurn(file, own) {
  const isSilent = createListener();
  let tellAt = performance.now() + untoldMs;
  while (!take(file, own)) {
    const lock = lockIn(file);
    if (lock !== undefined && (isSilent(file, lock) || isAbandoned(lock))) remove(file, lock);
    else await wait(pollMs);
    if (performance.now() < tellAt) continue;
    tellAt = Infinity;
    console.error(`perpdesk: waiting for another command to finish the same work (${file})`);
  }
}

/**
 * @param {string} file
 * @param {string} own
 */
function touch(file, own) {
  try {
    // Who was silent for too long has a successor, who is to be heard of by itself.
    if (lockIn(file) === own) utimesSync(file, new Date(), new Date());
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
 * @param {string} file holds the number of the process at work, and what is its alone
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(file, work) {
  // As the desk makes its folder: other people of the same machine have no business in it.
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const own = `${process.pid} ${randomUUID()}`;
  await takeInTurn(file, own);
  const beat = setInterval(touch, beatMs, file, own);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    remove(file, own);
  }
}
