import { expect, test } from 'vitest';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { createFundingStore } from './funding-store.ts';

const END = '2026-08-17T08:00:00.000000000Z';
const rows = (count: number) =>
  Array.from({ length: count }, () => ({ endAt: END, text: `{"funding_rate":${'1'.repeat(1_000)}}` }));

test('a change on a full disk leaves known prints unchanged, and says what to do', async () => {
  const disk = await openTestStore();
  const store = createFundingStore(disk, 'venue');
  await store.append(1, rows(1));
  await disk.driver.define(['pragma max_page_count = 20']);
  const problem = { type: 'desk-cannot-write', detail: expect.stringContaining('database or disk is full') as string };
  await expect(store.replace(1, rows(1_000))).rejects.toMatchObject({ problem });
  expect(await store.read(1, { from: '', after: null, limit: 9 })).toHaveLength(1);
});
