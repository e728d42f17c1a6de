import { describe, expect, it } from 'vitest';
import type { FundingInterval, PremiumSample, Session, Trade } from '#venue/core/model.ts';
import type { FundingQuery, Store } from '#venue/core/ports.ts';
import { withStore, type NewLocation } from './store-location.ts';

const DAY = 86_400_000_000;
const EIGHT_HOURS = DAY / 3;
const START = 20_000 * DAY;

function makeSession(productId: number, day: number, change: Partial<Session> = {}): Session {
  return {
    productId,
    date: new Date((START + day * DAY) / 1_000).toISOString().slice(0, 10),
    settledAt: START + day * DAY,
    ohlc: { open: 10, high: 30, low: -5, close: 20 },
    settlement: 21,
    volume: 400,
    cents: Number.MAX_SAFE_INTEGER,
    openInterest: 50,
    openInterestCents: 60,
    ...change,
  };
}

function makeFunding(productId: number, n: number): FundingInterval {
  const end = START + (n + 1) * EIGHT_HOURS;
  return {
    productId,
    start: end - EIGHT_HOURS,
    end,
    index: 100 + n,
    mark: 101 + n,
    interestRate: 0.0001,
    rate: 0.1 + 0.2 * n,
  };
}

function makeSample(productId: number, intervalStart: number, i: number): PremiumSample {
  return { productId, intervalStart, i, premium: i / 3 };
}

const intervals = [0, 1, 2, 3, 4].flatMap((n) => [1, 2, 3].map((productId) => makeFunding(productId, n)));

async function allFundingPages(store: Store, query: Omit<FundingQuery, 'after'>): Promise<readonly FundingInterval[]> {
  const all: FundingInterval[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await store.funding({ ...query, ...(last && { after: last }) });
    if (page.length === 0) return all;
    expect(page.length).toBeLessThanOrEqual(query.limit);
    all.push(...page);
  }
}

export function historySuite(newPlace: NewLocation): void {
  describe('sessions', () => {
    const days = [0, 1, 2].flatMap((day) => [3, 1, 2].map((productId) => makeSession(productId, day)));

    it('are sorted by settlement, then product, exclude the end of the range, and may be limited to some products', () =>
      withStore(newPlace, async (store) => {
        await store.commit({ sessions: days });
        const range = { from: START, until: START + 2 * DAY };
        const expected = [0, 1].flatMap((day) => [1, 2, 3].map((productId) => makeSession(productId, day)));
        expect(await store.sessions(range)).toEqual(expected);
        expect(await store.sessions({ ...range, productIds: [3, 1, 3] })).toEqual(
          expected.filter(({ productId }) => productId !== 2),
        );
        expect(await store.sessions({ ...range, productIds: [] })).toEqual([]);
        expect(await store.sessions({ from: START + 3 * DAY, until: START + 9 * DAY })).toEqual([]);
      }));

    it('keep nulls, and are replaced by product and date', () =>
      withStore(newPlace, async (store) => {
        const idle = makeSession(1, 0, {
          ohlc: null,
          volume: null,
          cents: null,
          openInterest: null,
          openInterestCents: null,
        });
        const published = { ...idle, openInterest: 0, openInterestCents: 0 };
        await store.commit({ sessions: [idle, makeSession(2, 0)] });
        await store.commit({ sessions: [published] });
        expect(await store.sessions({ from: 0, until: START + DAY })).toEqual([published, makeSession(2, 0)]);
        await store.commit({ sessions: [idle] });
        expect(await store.sessions({ productIds: [1], from: 0, until: START + DAY })).toEqual([idle]);
      }));
  });

  describe('funding', () => {
    const all = { productIds: [1, 2, 3], from: START, until: START + DAY * 9, limit: 100 };

    it('is sorted by end, then product, in pages that may end between intervals of the same end', () =>
      withStore(newPlace, async (store) => {
        await store.commit({ funding: intervals });
        for (const limit of [1, 2, 4]) {
          expect(await allFundingPages(store, { ...all, direction: 'asc', limit })).toEqual(intervals);
          expect(await allFundingPages(store, { ...all, direction: 'desc', limit })).toEqual(intervals.toReversed());
          const one = intervals.filter(({ productId }) => productId === 2);
          expect(await allFundingPages(store, { ...all, productIds: [2], direction: 'desc', limit })).toEqual(
            one.toReversed(),
          );
        }
        expect(await store.funding({ ...all, productIds: [], direction: 'asc' })).toEqual([]);
      }));

    it('is selected by the end of the interval, excludes the end of the range, and continues from any position', () =>
      withStore(newPlace, async (store) => {
        await store.commit({ funding: intervals });
        const range = { productIds: [1, 2], from: START + 2 * EIGHT_HOURS, until: START + 4 * EIGHT_HOURS, limit: 100 };
        const expected = intervals.filter(
          ({ end, productId }) => end >= range.from && end < range.until && productId < 3,
        );
        expect(await store.funding({ ...range, direction: 'asc' })).toEqual(expected);
        expect(await store.funding({ ...range, direction: 'asc', after: { end: START, productId: 1 } })).toEqual(
          expected,
        );
        expect(await store.funding({ ...range, direction: 'desc', after: { end: range.until, productId: 9 } })).toEqual(
          expected.toReversed(),
        );
        expect(await store.funding({ ...range, direction: 'asc', after: { end: range.until, productId: 0 } })).toEqual(
          [],
        );
      }));

    it('has the latest interval of each product', () =>
      withStore(newPlace, async (store) => {
        await store.commit({ funding: intervals });
        await store.commit({ funding: [makeFunding(2, 7)] });
        expect(await store.latestFunding([4, 3, 2, 2])).toEqual([makeFunding(2, 7), makeFunding(3, 4)]);
        expect(await store.latestFunding([])).toEqual([]);
      }));
  });

  describe('the state for a restart', () => {
    const trades: readonly Trade[] = [7, 5, 5, 6].map((time, n) => ({
      productId: 1,
      time,
      price: 2 - n,
      quantity: 1 + n,
      cents: 100 * (2 - n),
    }));

    it('is null where nothing was stored', () =>
      withStore(newPlace, async (store) => {
        expect(await store.load(0)).toBeNull();
      }));

    it.each([
      ['facts', { facts: { seed: '7' } }],
      ['sessions', { sessions: [makeSession(1, 0)] }],
      ['trades', { trades }],
    ])('is not null once there are %s', (_, changes) =>
      withStore(newPlace, async (store) => {
        await store.commit(changes);
        expect(await store.load(0)).not.toBeNull();
      }),
    );

    it('has the trades since an instant, oldest first, those of one instant in order of arrival', () =>
      withStore(newPlace, async (store) => {
        await store.commit({ trades: trades.slice(0, 2) });
        await store.commit({ trades: trades.slice(2) });
        expect((await store.load(0))?.trades).toEqual([trades[1], trades[2], trades[3], trades[0]]);
        expect((await store.load(6))?.trades).toEqual([trades[3], trades[0]]);
      }));

    it('has the samples of each product’s current interval, and of no settled one', () =>
      withStore(newPlace, async (store) => {
        const [one, two] = [START, START + EIGHT_HOURS];
        const open = [1, 2, 3].map((i) => makeSample(1, two, i));
        const samples = [makeSample(1, one, 1_920), ...open, makeSample(2, one, 5), makeSample(3, two, 9)];
        await store.commit({ samples, funding: [makeFunding(1, 0), makeFunding(2, 0)] });
        expect((await store.load(0))?.samples).toEqual([...open, makeSample(3, two, 9)]);
      }));

    it('has the latest value of each fact', () =>
      withStore(newPlace, async (store) => {
        await store.commit({ facts: { 'seed': '7', 'a "quoted" name': 'x\ny' } });
        await store.commit({ facts: { seed: '8' } });
        expect((await store.load(0))?.facts).toEqual({ 'seed': '8', 'a "quoted" name': 'x\ny' });
      }));

    it('lacks trades and samples that were pruned, and only those', () =>
      withStore(newPlace, async (store) => {
        const samples = [START, START + EIGHT_HOURS].map((start, n) => makeSample(n, start, 1));
        await store.commit({ trades, samples });
        await store.prune({ trades: 6, samples: START + EIGHT_HOURS });
        const state = await store.load(0);
        expect(state?.trades).toEqual([trades[3], trades[0]]);
        expect(state?.samples).toEqual([samples[1]]);
      }));
  });
}
