import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { remembered } from './remembered.ts';
import type { Outcome } from './steps.ts';

let root: string;
let runs: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'perpdesk-remembered-'));
  runs = 0;
  write('one');
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(text: string, name = 'input'): void {
  writeFileSync(join(root, name), text);
}

function run(change: Partial<Outcome> = {}): Promise<Outcome> {
  const outcome = { passed: 3, failed: 0, failures: [], notRun: [], output: '', ...change };
  const count = (): Promise<Outcome> => {
    runs += 1;
    return Promise.resolve(outcome);
  };
  return remembered(root, { name: 'slow tests', run: count }, { paths: ['input', 'another'] }).run();
}

test('a step that has passed runs again only once one of its inputs has changed', async () => {
  expect((await run()).passed).toBe(3);
  expect(await run()).toMatchObject({ passed: 0, failed: 0, isRemembered: true });
  expect(runs).toBe(1);
  write('two');
  expect((await run()).isRemembered).toBeUndefined();
  write('', 'another');
  await run();
  expect(runs).toBe(3);
});

test.each([
  ['failed', { failed: 1 }],
  ['was not run whole', { notRun: ['later'] }],
])('a step that %s runs again', async (_, change) => {
  await run(change);
  await run();
  expect(runs).toBe(2);
});

test('a step that passed, then failed with other inputs, is not remembered for the first', async () => {
  await run();
  write('two');
  await run({ failed: 1 });
  write('one');
  await run();
  expect(runs).toBe(3);
});
