import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 100;
/** How long a waiting command stays silent before it says what it waits for. */
const noticeAfterMs = 3_000;

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/**
 * Names a process by its id and start time, because ids are reused: in containers, at every start. Systems without
 * /proc know only the id.
 *
 * @param {number} pid
 * @returns {string | undefined} undefined for a process that has ended
 */
function nameOfProcess(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return undefined;
  }
  try {
    // The program's own name, in parentheses, may contain any character.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return state === 'Z' ? undefined : `${pid}-${fields[18]}`;
  } catch {
    return String(pid);
  }
}

/**
 * Takes the lock. A folder that is not empty cannot be replaced by a rename, so only one process succeeds.
 *
 * @param {string} lock
 * @param {string} name
 */
function acquire(lock, name) {
  const own = `${lock}.${name}`;
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, name), '');
  try {
    renameSync(own, lock);
    return true;
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    if (['ENOTEMPTY', 'EEXIST'].includes(String(codeOf(error)))) return false;
    throw error;
  }
}

/**
 * Removes only what this holder left, because another process may already hold the lock.
 *
 * @param {string} lock
 * @param {string} holder
 */
function release(lock, holder) {
  rmSync(join(lock, holder), { force: true });
  try {
    rmdirSync(lock);
  } catch {
    // Another process has already taken the lock.
  }
}

/**
 * Also releases the lock of a holder that has ended.
 *
 * @param {string} lock
 */
function isHeld(lock) {
  const holders = existsSync(lock) ? readdirSync(lock) : [];
  const ended = holders.filter((holder) => nameOfProcess(Number.parseInt(holder, 10)) !== holder);
  for (const holder of ended) release(lock, holder);
  return ended.length < holders.length;
}

/** @param {string} folder */
function makeFolder(folder) {
  try {
    // The folder is private, as it is when the server creates it.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(
      `${folder} cannot be created (${String(codeOf(error))}); run the command once from a folder that can be written to.`,
      { cause: error },
    );
  }
}

/**
 * Runs the work while no other process runs it, so that two commands started at once in a fresh clone do not install
 * over each other. A holder that was killed does not block the others.
 *
 * @template T
 * @param {string} lock a folder, in which a file names the process that holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function runExclusively(lock, work) {
  makeFolder(dirname(lock));
  const name = nameOfProcess(process.pid) ?? String(process.pid);
  let noticeAt = performance.now() + noticeAfterMs;
  while (isHeld(lock) || !acquire(lock, name)) {
    await wait(pollMs);
    if (performance.now() < noticeAt) continue;
    noticeAt = Infinity;
    console.error(`perpdesk: waiting for another command to finish the same work (${lock})`);
  }
  try {
    return await work();
  } finally {
    release(lock, name);
  }
}
