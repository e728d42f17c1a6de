import { expect, test } from 'vitest';
import { openTestDisk, stopWrites } from '#testing/test-disk.ts';
import { createEstimateStore, type EstimateStore } from './estimate-store.ts';

const END = '2026-08-17T08:00:00.000000000Z';
const read: Parameters<EstimateStore['put']>[0] = { baseSymbol: 'BTCUC', endAt: END, share: 0.5, estimate: '0.00012', readAt: 1 };
const open = (most = 1_000) => createEstimateStore(openTestDisk(), 'venue', most);
const print = (rate: string) => ({ endAt: END, text: `{"funding_rate":${rate}}` });

test('the last estimate of each hundredth of an interval is stored', () => {
  const store = open();
  store.put(read);
  store.put({ ...read, share: 0.504, estimate: '0.00013', readAt: 2 });
  store.put({ ...read, share: 0.511, readAt: 3 });
  store.put({ ...read, share: 1, readAt: 4 });
  expect(store.list('BTCUC').map(({ share, estimate }) => [share, estimate])).toEqual([[0.504, '0.00013'], [0.511, '0.00012'], [1, '0.00012']]);
});

test('a late estimate does not change a settled one', () => {
  const store = open();
  store.put(read);
  store.settle('BTCUC', [print('0.0002')]);
  store.put({ ...read, estimate: '0.9' });
  expect(store.list(null)).toMatchObject([{ estimate: '0.00012', settled: '0.0002' }]);
});

test('two prints of one interval that agree settle it, two that contradict each other do not', () => {
  const store = open();
  store.put(read);
  store.settle('BTCUC', [print('0.0002'), print('0.0003')]);
  expect(store.list(null)).toMatchObject([{ settled: null }]);
  store.settle('ETHUI', [print('0.0002')]);
  expect(store.list(null)).toMatchObject([{ settled: null }]);
  store.settle('BTCUC', [print('0.0002'), print('0.0002')]);
  expect(store.list(null)).toMatchObject([{ settled: '0.0002' }]);
});

test('what is no row settles nothing', () => {
  const store = open();
  store.put(read);
  store.settle('BTCUC', ['null', '7', '[]'].map((text) => ({ endAt: END, text })));
  expect(store.list(null)).toMatchObject([{ settled: null }]);
});

test('a failed write leaves stored estimates unchanged', () => {
  const disk = openTestDisk();
  const store = createEstimateStore(disk, 'venue', 1_000);
  store.put(read);
  stopWrites(disk);
  store.put({ ...read, estimate: '0.9' });
  store.settle('BTCUC', [print('0.0002')]);
  expect(store.list(null)).toMatchObject([{ estimate: '0.00012', settled: null }]);
});

test('the oldest intervals are dropped above the limit', () => {
  const store = open(300);
  const endAt = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString().replace('.000Z', '.000000000Z');
  for (let day = 1; day <= 20; day++)
    for (let step = 0; step < 100; step++) store.put({ ...read, endAt: endAt(day), share: step / 100 });
  const kept = store.list(null);
  expect(kept.length).toBeLessThan(1_000);
  expect(kept[0]?.endAt).toBe(endAt(20));
  expect(kept.some((row) => row.endAt === endAt(1))).toBe(false);
});
