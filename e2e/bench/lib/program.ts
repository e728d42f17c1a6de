import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { clearedSettings } from '../../../src/testing/cleared-settings.ts';
import { root } from '../../../src/tools/paths.mjs';

export interface ProgramOptions {
  /** The program; Node by default. */
  readonly command?: string;
  /** The arguments; for Node: its flags, the file, the program's arguments. */
  readonly args: readonly string[];
  /** Matches the line that says the server listens. Its first group is the address. */
  readonly ready: RegExp;
  /** The core that the program is kept on, if the machine can do that (`taskset`). */
  readonly core?: number;
  /** Variables in addition to this process's own. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A server in a separate process. */
export interface Program extends AsyncDisposable {
  readonly address: URL;
  /** The time from being started to being ready. */
  readonly startMs: number;
  /** Returns the time on a core so far. */
  readonly cpuMs: () => number;
  readonly memory: () => { readonly nowMb: number; readonly peakMb: number };
  /** Sends a message to the program's probe and returns its reply. */
  readonly ask: (question: string) => Promise<unknown>;
}

const LONGEST_START_MS = 300_000;

export async function startProgram({
  command = process.execPath,
  args,
  ready,
  core,
  environment = {},
}: ProgramOptions): Promise<Program> {
  const start = performance.now();
  const [file, ...rest] = [...pin(core), command, ...args];
  const child = spawn(file ?? '', rest, {
    cwd: root,
    env: { ...process.env, ...clearedSettings(), ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const address = await readAddress(child, ready);
  const startMs = performance.now() - start;
  const pid = child.pid ?? 0;
  return {
    address,
    startMs,
    cpuMs: () => readCpuMs(pid),
    memory: () => readMemory(pid),
    ask: async (question) => {
      const answer = once(child, 'message') as Promise<unknown[]>;
      child.send(question);
      return (await answer)[0];
    },
    [Symbol.asyncDispose]: () => stop(child),
  };
}

/**
 * Keeps this process, which sends the requests, off the core of the server, together with its garbage-collecting
 * threads.
 */
export function pinThisProcess(core: number): void {
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(process.pid)]);
}

function pin(core: number | undefined): string[] {
  const isThere = core !== undefined && spawnSync('taskset', ['--version']).status === 0;
  return isThere ? ['taskset', '--cpu-list', String(core)] : [];
}

async function readAddress(child: ChildProcess, ready: RegExp): Promise<URL> {
  const giveUp = setTimeout(() => child.kill('SIGKILL'), LONGEST_START_MS);
  try {
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const address = ready.exec(line)?.[1];
      if (address !== undefined) return new URL(address);
    }
  } finally {
    clearTimeout(giveUp);
    child.stdout?.resume();
  }
  throw new Error(`the program ended before it was ready: ${child.spawnargs.join(' ')}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10;

/** Returns the time on a core so far. */
export function readCpuMs(pid: number): number {
  // The second field is the name, in brackets, and may hold spaces.
  const fields =
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')
      .at(-1)
      ?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function readMemory(pid: number): ReturnType<Program['memory']> {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  const megabytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}
