import { expect, test } from 'vitest';
import { createAccountLogs } from './account-logs.ts';
import { toSmallFrame, type Frame } from './frame.ts';

const KB = 1_024;
/** A change that takes so many bytes plain. */
const change = (bytes: number): Frame => ({ ...toSmallFrame('x'), plain: Buffer.alloc(bytes) });
const nameOf = (index: number): string => `"${String(index)}"`;
const only = (account: string): ReadonlySet<string> => new Set([account]);

test('an account whose log is full loses its oldest changes, and no other loses any', () => {
  const logs = createAccountLogs();
  logs.restart(0);
  logs.append(1, new Map([['"A"', change(KB)], ['"B"', change(KB)]]));
  for (let tick = 2; tick < 300; tick++) logs.append(tick, new Map([['"B"', change(KB)]]));
  expect(logs.after(0, only('A'))).toHaveLength(1);
  expect([logs.after(0, only('B')), logs.after(0, 'all')]).toEqual([null, null]);
  expect(logs.after(298, 'all')).toHaveLength(1);
});

test('the logs of all accounts together are bounded, and an account with no more than its share loses nothing', () => {
  const logs = createAccountLogs();
  logs.restart(0);
  const large = 200 * KB;
  const accounts = Array.from({ length: 100 }, (_, index) => nameOf(index));
  logs.append(1, new Map([['"A"', change(KB)]]));
  for (let tick = 2; tick < 6; tick++) logs.append(tick, new Map(accounts.map((account) => [account, change(large / 4)])));
  const kept = accounts.filter((account) => logs.after(1, only(String(JSON.parse(account)))) !== null);
  expect(kept.length * large).toBeLessThanOrEqual(4 * KB * KB);
  expect(logs.after(0, only('A'))).toHaveLength(1);
});

test('nor does any number of accounts that change once take more memory', () => {
  const logs = createAccountLogs();
  logs.restart(0);
  const accounts = 20_000;
  for (let index = 0; index < accounts; index++) logs.append(index + 1, new Map([[nameOf(index), change(1)]]));
  expect(logs.after(0, 'all')).toBeNull();
  expect(logs.after(accounts - 1, 'all')).toHaveLength(1);
  const kept = logs.after(accounts / 2, 'all')?.length ?? 0;
  expect(kept).toBeLessThanOrEqual(4 * KB * KB / 512);
});
