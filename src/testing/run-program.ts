import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { clearedSettings } from './cleared-settings.ts';

const root = join(import.meta.dirname, '..', '..');

export interface EndedProgram {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one of our own programs, or one of another tree, to its end. */
export async function runProgram(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<EndedProgram> {
  const child = spawn(process.execPath, [resolve(root, file), ...args], {
    env: { ...process.env, ...clearedSettings(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
