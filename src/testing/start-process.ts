import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { clearedSettings } from './cleared-settings.ts';

const root = join(import.meta.dirname, '..', '..');

export interface StartedProcess {
  /** The address from its line "ready at …". */
  readonly address: string;
  readonly pid: number;
  /** What it has printed so far. */
  readonly printed: () => string;
  /** Sends SIGTERM; returns the exit code. */
  readonly stop: () => Promise<number | null>;
  /** Sends SIGKILL. */
  readonly kill: () => Promise<void>;
}

/** Starts one of our own programs, or that of another tree, in a separate process and waits until it is ready. */
export async function startProcess(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedProcess> {
  const child = spawn(process.execPath, [resolve(root, file), ...args], {
    env: { ...process.env, ...clearedSettings(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const output: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const address = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      output.push(`${line}\n`);
      const found = /ready at (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    void exit.then(([code]) => {
      reject(new Error(`${file} ended with ${String(code)} before it was ready:\n${output.join('')}`));
    });
  });
  return {
    address: await address,
    pid: child.pid ?? 0,
    printed: () => output.join(''),
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await exit;
      return code;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
