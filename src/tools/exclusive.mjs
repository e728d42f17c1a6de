import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 100;
/** The holder touches the file this often. */
const heartbeatMs = 1_000;
/** A holder without a heartbeat for this long has ended, whoever has its process id now: in containers, ids repeat. */
const heartbeatTimeoutMs = 10_000;
/** After this long, a waiting command says what it waits for. */
const noticeAfterMs = 3_000;

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/**
 * @param {string} file
 * @param {string} lock unique to its holder
 */
function acquire(file, lock) {
  try {
    writeFileSync(file, lock, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
function readLock(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Removes this lock only: by the time the file is moved aside, it may hold the lock of another process.
 *
 * @param {string} file
 * @param {string} lock
 */
function release(file, lock) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const found = readLock(aside);
  if (found !== undefined && found !== lock) acquire(file, found);
  rmSync(aside, { force: true });
}

/**
 * Whether the process that holds the lock has ended.
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

/** Detects a missing heartbeat, by a clock that stands still while the machine sleeps. */
function createHeartbeatMonitor() {
  let [lastBeat, lastBeatAt] = ['', 0];
  return (/** @type {string} */ file, /** @type {string} */ lock) => {
    const beat = `${lock} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? ''}`;
    if (beat !== lastBeat) [lastBeat, lastBeatAt] = [beat, performance.now()];
    return performance.now() - lastBeatAt > heartbeatTimeoutMs;
  };
}

/**
 * @param {string} file
 * @param {string} own
 */
async function acquireWhenFree(file, own) {
  const hasTimedOut = createHeartbeatMonitor();
  let noticeAt = performance.now() + noticeAfterMs;
  while (!acquire(file, own)) {
    const lock = readLock(file);
    if (lock !== undefined && (hasTimedOut(file, lock) || isAbandoned(lock))) release(file, lock);
    else await wait(pollMs);
    if (performance.now() < noticeAt) continue;
    noticeAt = Infinity;
    console.error(`perpdesk: waiting for another command to finish the same work (${file})`);
  }
}

/**
 * @param {string} file
 * @param {string} own
 */
function beat(file, own) {
  try {
    // A holder that was taken for ended has a successor, whose heartbeat must be its own.
    if (readLock(file) === own) utimesSync(file, new Date(), new Date());
  } catch (error) {
    // Somebody removed the file by hand to let the next command go ahead.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** @param {string} file */
function makeFolderOf(file) {
  try {
    // Private, as the server makes the same folder.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(
      `${dirname(file)} cannot be created (${String(codeOf(error))}); run the command once from a folder that can be written to.`,
      { cause: error },
    );
  }
}

/**
 * Runs the work while no other process runs it, so that two commands started at once in a fresh clone do not install
 * over each other. A holder that was killed does not block the others.
 *
 * @template T
 * @param {string} file the lock file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function runExclusively(file, work) {
  makeFolderOf(file);
  const own = `${process.pid} ${randomUUID()}`;
  await acquireWhenFree(file, own);
  const heartbeat = setInterval(beat, heartbeatMs, file, own);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    release(file, own);
  }
}
