import { expect, test } from 'vitest';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { createFundingStore, type FundingStore } from './funding-store.ts';
import { createYearRanks, type YearRanks } from './funding-records.ts';

const DAY_MS = 86_400_000;
const NEWEST = Date.UTC(2026, 7, 17, 8);
const daysBefore = (days: number): string =>
  new Date(NEWEST - days * DAY_MS).toISOString().replace('.000Z', '.000000000Z');
const print = (days: number, rate: string) => ({ endAt: daysBefore(days), text: `{"funding_rate":${rate}}` });

async function storeWith(...rows: readonly ReturnType<typeof print>[]): Promise<FundingStore> {
  const store = createFundingStore(await openTestStore(), 'venue');
  await store.append(
    1,
    rows.toSorted((a, b) => (a.endAt < b.endAt ? -1 : 1)),
  );
  await store.recordRead({ productId: 1, baseSymbol: 'BTCUC' }, 1);
  return store;
}

function rank(store: FundingStore, reads = 1, ranks: YearRanks = createYearRanks()) {
  return store.view(({ prints }) => ranks(prints, 1, String(reads)));
}

test('the newest rate is ranked among those of the 365 days that end with it, itself included', async () => {
  const store = await storeWith(
    print(0, '0.0002'),
    print(1, '-0.0001'),
    print(2, '0.0002'),
    print(3, '0.0003'),
    print(364, '0.0001'),
    print(365, '0.00005'),
  );
  expect(await rank(store)).toEqual({ interval_end: daysBefore(0), intervals: 5, below: 2, equal: 2 });
});

test('an interval counts once, and not at all if its prints contradict each other or have no rate', async () => {
  const store = await storeWith(
    print(0, '0.0002'),
    print(1, '0.0001'),
    print(1, '0.00010'),
    print(2, '0.0001'),
    print(2, '0.0003'),
    print(3, '"0.1"'),
  );
  expect(await rank(store)).toMatchObject({ intervals: 2, below: 1, equal: 1 });
});

test('there is no rank without a settled rate, or while the newest contradicts itself', async () => {
  expect(await rank(createFundingStore(await openTestStore(), 'venue'), 0)).toBeNull();
  expect(await rank(await storeWith(print(0, '0.0002'), print(0, '0.0003'), print(1, '0.0001')))).toBeNull();
});

test('a read that brings a newer rate changes the rank', async () => {
  const store = await storeWith(print(1, '0.0001'));
  const ranks = createYearRanks();
  expect(await rank(store, 1, ranks)).toMatchObject({ interval_end: daysBefore(1), intervals: 1 });
  await store.append(1, [print(0, '0.0002')]);
  await store.recordRead({ productId: 1, baseSymbol: 'BTCUC' }, 2);
  expect(await rank(store, 2, ranks)).toMatchObject({ interval_end: daysBefore(0), intervals: 2, below: 1 });
});
