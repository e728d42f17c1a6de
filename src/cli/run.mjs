import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';

/** A child that ignores the polite signal is killed after this long, so that stopping always ends. */
const graceMs = 10_000;

/** With a terminal, SIGHUP says that it was closed; a service is to read its settings again. */
const hasTerminal = [0, 1, 2].some((stream) => isatty(stream));

/** @type {readonly NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program to its end, and passes on to it the signals that ask us to stop. Ctrl-C in a terminal reaches the child
 * twice (once from the terminal, once from us): a program that stops cleanly takes the second as the same request.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>} its exit code, 128 + the signal's number when a signal ended it
 */
export function run(file, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', ...options });
    /** @type {NodeJS.Timeout | undefined} */
    let killing;
    /** @param {NodeJS.Signals} signal */
    const passOn = (signal) => {
      child.kill(signal);
      if (signal !== 'SIGHUP' || hasTerminal) killing ??= setTimeout(() => child.kill('SIGKILL'), graceMs);
    };
    const settle = () => {
      clearTimeout(killing);
      for (const signal of passedOn) process.off(signal, passOn);
    };
    for (const signal of passedOn) process.on(signal, passOn);
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      settle();
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
    });
  });
}
