import { describe, expect, it } from 'vitest';
import { createEstimateStore, type EstimateStore } from '#server/readings/funding/estimate-store.ts';
import type { NewLocation } from './store-location.ts';

const END = '2026-08-17T08:00:00.000000000Z';
const read: Parameters<EstimateStore['put']>[0] = {
  baseSymbol: 'BTCUC',
  endAt: END,
  share: 0.5,
  estimate: '0.00012',
  readAt: 1,
};
const ALL = { baseSymbol: null, from: '', nearPoints: false } as const;
const print = (rate: string) => ({ endAt: END, text: `{"funding_rate":${rate}}` });

export function estimatesSuite(newPlace: NewLocation): void {
  const open = async (most = 1_000) => createEstimateStore(await (await newPlace()).open(), 'venue', most);

  describe('stored estimates', () => {
    it('are the last ones of each hundredth of an interval', async () => {
      const store = await open();
      await store.put(read);
      await store.put({ ...read, share: 0.504, estimate: '0.00013', readAt: 2 });
      await store.put({ ...read, share: 0.511, readAt: 3 });
      await store.put({ ...read, share: 1, readAt: 4 });
      expect(
        (await store.list({ ...ALL, baseSymbol: 'BTCUC' })).map(({ share, estimate }) => [share, estimate]),
      ).toEqual([
        [0.504, '0.00013'],
        [0.511, '0.00012'],
        [1, '0.00012'],
      ]);
      expect(await store.list({ ...ALL, baseSymbol: 'ETHUI' })).toEqual([]);
    });

    it('survive a restart with all their digits', async () => {
      const place = await newPlace();
      const before = await place.open();
      await createEstimateStore(before, 'venue', 9).put({
        ...read,
        estimate: '0.00012345678901234567890',
        readAt: 1_700_000_000_123,
      });
      await before.close();
      const after = createEstimateStore(await place.open(), 'venue', 9);
      expect(await after.list(ALL)).toEqual([
        { ...read, estimate: '0.00012345678901234567890', readAt: 1_700_000_000_123, settled: null },
      ]);
    });

    it('do not change once they are settled', async () => {
      const store = await open();
      await store.put(read);
      await store.settle('BTCUC', [print('0.0002')]);
      await store.put({ ...read, estimate: '0.9' });
      expect(await store.list(ALL)).toMatchObject([{ estimate: '0.00012', settled: '0.0002' }]);
    });

    it('are settled by two prints of an interval that agree, not by two that contradict each other', async () => {
      const store = await open();
      await store.put(read);
      await store.settle('BTCUC', [print('0.0002'), print('0.0003')]);
      expect(await store.list(ALL)).toMatchObject([{ settled: null }]);
      await store.settle('ETHUI', [print('0.0002')]);
      expect(await store.list(ALL)).toMatchObject([{ settled: null }]);
      await store.settle('BTCUC', [print('0.0002'), print('0.0002')]);
      expect(await store.list(ALL)).toMatchObject([{ settled: '0.0002' }]);
    });

    it('follow a settled rate that is revised, and keep it if its revisions contradict each other', async () => {
      const store = await open();
      await store.put(read);
      await store.settle('BTCUC', [print('0.0002')]);
      await store.settle('BTCUC', [print('0.0003')]);
      expect(await store.list(ALL)).toMatchObject([{ settled: '0.0003' }]);
      await store.settle('BTCUC', [print('0.0004'), print('0.0005')]);
      expect(await store.list(ALL)).toMatchObject([{ settled: '0.0003' }]);
    });

    it('are listed from an interval on, and only those of the twentieth of it before a point', async () => {
      const store = await open();
      const later = END.replace('17T', '18T');
      for (const share of [0.19, 0.2, 0.2499, 0.2501, 0.46, 0.72, 0.76, 0.91, 0.951])
        await store.put({ ...read, share });
      await store.put({ ...read, endAt: later, share: 0.25 });
      const list = async (from: string, nearPoints: boolean) =>
        (await store.list({ baseSymbol: 'BTCUC', from, nearPoints })).map(({ share }) => share);
      expect(await list(END, true)).toEqual([0.25, 0.2, 0.2499, 0.46, 0.72, 0.91]);
      expect(await list(later, true)).toEqual([0.25]);
      expect(await list(later, false)).toEqual([0.25]);
      expect(await list(END, false)).toHaveLength(10);
    });

    it('show whether one has been read since a share of its interval', async () => {
      const store = await open();
      await store.put(read);
      expect(await store.isReadSince('BTCUC', END, 0.5)).toBe(true);
      expect(await store.isReadSince('BTCUC', END, 0.55)).toBe(false);
      expect(await store.isReadSince('ETHUI', END, 0.5)).toBe(false);
    });

    it('are not settled by what is no row', async () => {
      const store = await open();
      await store.put(read);
      await store.settle(
        'BTCUC',
        ['null', '7', '[]'].map((text) => ({ endAt: END, text })),
      );
      expect(await store.list(ALL)).toMatchObject([{ settled: null }]);
    });

    it('stay as they are where a write fails', async () => {
      const disk = await (await newPlace()).open();
      const store = createEstimateStore(disk, 'venue', 1_000);
      await store.put(read);
      await disk.stopWrites();
      await store.put({ ...read, estimate: '0.9' });
      await store.settle('BTCUC', [print('0.0002')]);
      expect(await store.list(ALL)).toMatchObject([{ estimate: '0.00012', settled: null }]);
    });

    it('are dropped above the limit, those of the oldest intervals first', async () => {
      const store = await open(300);
      const endAt = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString().replace('.000Z', '.000000000Z');
      for (let day = 1; day <= 11; day++)
        for (let step = 0; step < 100; step++) await store.put({ ...read, endAt: endAt(day), share: step / 100 });
      const kept = await store.list(ALL);
      expect(kept.length).toBeLessThan(1_000);
      expect(kept[0]?.endAt).toBe(endAt(11));
      expect(kept.some((row) => row.endAt === endAt(1))).toBe(false);
    });
  });
}
