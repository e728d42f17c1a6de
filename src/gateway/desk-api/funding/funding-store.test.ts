import { expect, test } from 'vitest';
import { openTestDisk } from '#testing/test-disk.ts';
import { createFundingStore } from './funding-store.ts';

const END = '2026-08-17T08:00:00.000000000Z';
const rows = (count: number) => Array.from({ length: count }, () => ({ endAt: END, text: `{"funding_rate":${'1'.repeat(1_000)}}` }));

test('a change on a full disk leaves known prints unchanged, and says what to do', () => {
  const disk = openTestDisk();
  const store = createFundingStore(disk, 'venue');
  store.append(1, rows(1));
  disk.database.exec('pragma max_page_count = 20');
  const failure = expect.objectContaining({ problem: { type: 'desk-cannot-write', detail: expect.stringContaining('database or disk is full') as string } }) as Error;
  expect(() => { store.replace(1, rows(1_000)); }).toThrow(failure);
  expect(store.read(1, { from: '', after: null, limit: 9 })).toHaveLength(1);
});
