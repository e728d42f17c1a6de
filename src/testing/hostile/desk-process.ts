import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..', '..', '..');

/** A program of ours with everything it says, however it ends. */
export interface DeskProcess {
  /** Null where it ended before it was ready. */
  readonly address: string | null;
  /** All of its standard output and error so far. */
  readonly said: () => string;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<number | null>;
}

export interface DeskProcessOptions {
  readonly file?: string;
  /** Of Node itself. */
  readonly nodeOptions?: readonly string[];
  /** Besides these it has a path and nothing: what the tests were started with says nothing here. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function startDesk({ file = 'src/gateway/main.ts', nodeOptions = [], environment }: DeskProcessOptions): Promise<DeskProcess> {
  const child = spawn(process.execPath, [...nodeOptions, join(root, file)], { cwd: root, env: { PATH: process.env['PATH'], ...environment } });
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
  return { address: await Promise.race([ready, ended.then(() => null)]), said: () => said.join(''), signal: (name) => void child.kill(name), ended };
}
