import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const exclusiveModule = JSON.stringify(join(import.meta.dirname, 'exclusive.mjs'));
const gone = '999999999 killed while it held the lock';
const other = `${process.pid} somebody else`;

let folder: string;
let file: string;
let started: ChildProcess | undefined;

/** Says "at work" once it is, and works until its standard input ends. */
function start(before = '') {
  const program = `${before}
    const { runExclusively } = await import(${exclusiveModule});
    await runExclusively(${JSON.stringify(file)}, async () => {
      console.log('at work');
      for await (const _ of process.stdin);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  started = child;
  return child;
}

function lock(): string {
  return readFileSync(file, 'utf8');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  file = join(folder, 'work.lock');
});
afterEach(() => {
  started?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test('a lock acquired after the former one was found abandoned stays in place', async () => {
  writeFileSync(file, gone);
  // Between finding it abandoned and removing it, another waiter has done so and taken its own.
  const child = start(`
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    for (const name of ['rmSync', 'renameSync']) {
      const does = fs[name];
      fs[name] = (...given) => {
        if (given[0] === ${JSON.stringify(file)} && fs.readFileSync(given[0], 'utf8') === ${JSON.stringify(gone)}) fs.writeFileSync(given[0], ${JSON.stringify(other)});
        return does(...given);
      };
    }
    syncBuiltinESMExports();`);
  const first = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
  expect(String(first)).toContain('waiting for another command');
  expect([lock(), readdirSync(folder)]).toEqual([other, ['work.lock']]);
  rmSync(file);
  await once(child.stdout, 'data');
  expect(lock()).toMatch(new RegExp(`^${String(child.pid)} `));
});

test('a holder that was taken for ended leaves the lock to its successor', async () => {
  const child = start();
  await once(child.stdout, 'data');
  expect(lock()).toMatch(new RegExp(`^${String(child.pid)} `));
  writeFileSync(file, other);
  child.stdin.end();
  await once(child, 'exit');
  expect([child.exitCode, lock(), readdirSync(folder)]).toEqual([0, other, ['work.lock']]);
});

test('nothing is left when the work is done', async () => {
  const child = start();
  await once(child.stdout, 'data');
  child.stdin.end();
  await once(child, 'exit');
  expect([child.exitCode, readdirSync(folder)]).toEqual([0, []]);
});
