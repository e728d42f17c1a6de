import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..', '..', '..');

/** One of our programs, with all its output, however it ends. */
export interface DeskProcess {
  /** Null if it ended before it was ready. */
  readonly address: string | null;
  /** Returns all its standard output and error so far. */
  readonly output: () => string;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<number | null>;
}

export interface DeskProcessOptions {
  readonly file?: string;
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
  /** The whole environment except for PATH: variables of the tests are not passed on. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function startDeskProcess({
  file = 'src/server/main/main.ts',
  nodeOptions = [],
  environment,
}: DeskProcessOptions): Promise<DeskProcess> {
  const child = spawn(process.execPath, [...nodeOptions, join(root, file)], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environment },
  });
  const said: string[] = [];
  child.stderr.setEncoding('latin1').on('data', (text: string) => said.push(text));
  child.stdout.setEncoding('latin1').on('data', (text: string) => said.push(text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const ready = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const found = /ready at (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    address: await Promise.race([ready, ended.then(() => null)]),
    output: () => said.join(''),
    signal: (name) => void child.kill(name),
    ended,
  };
}
