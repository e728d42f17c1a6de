import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';

const exclusiveModule = JSON.stringify(join(import.meta.dirname, 'exclusive.mjs'));

let folder: string;
let lock: string;
let started: ChildProcess[];

/** Starts a program that prints "at work" once it has begun, and works until its standard input ends. */
function start() {
  const program = `
    const { runExclusively } = await import(${exclusiveModule});
    await runExclusively(${JSON.stringify(lock)}, async () => {
      console.log('at work');
      for await (const _ of process.stdin);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  started.push(child);
  return child;
}

function leaveLockOf(holder: string): void {
  mkdirSync(lock);
  writeFileSync(join(lock, holder), '');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  lock = join(folder, 'work.lock');
  started = [];
});
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['has ended', '999999999-1'],
  ['has ended, and whose process id another process has now', `${String(process.pid)}-1`],
])('the lock of a holder that %s goes to one of those who wait for it', async (_, holder) => {
  leaveLockOf(holder);
  const waiting = new Map(
    Array.from({ length: 4 }, () => {
      const child = start();
      return [child, once(child.stdout, 'data').then(() => child)];
    }),
  );
  while (waiting.size > 0) {
    const next = await Promise.race(waiting.values());
    waiting.delete(next);
    expect(readdirSync(lock)).toEqual([expect.stringMatching(new RegExp(`^${String(next.pid)}\\b`))]);
    next.stdin.end();
    await once(next, 'exit');
  }
  // Nothing is left once the work is done.
  expect(readdirSync(folder)).toEqual([]);
});

test('one that waits says what for, and goes ahead once the holder is killed', async () => {
  const holder = start();
  await once(holder.stdout, 'data');
  const waiting = start();
  const printed = text(waiting.stdout);
  expect(String(await once(waiting.stderr, 'data'))).toBe(
    `perpdesk: waiting for another command to finish the same work (${lock})\n`,
  );
  holder.kill('SIGKILL');
  waiting.stdin.end();
  expect(await printed).toBe('at work\n');
});
