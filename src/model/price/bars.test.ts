import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Contracts, UsdText } from '#contract/exchange/amounts.ts';
import { fromNumber } from '#contract/exchange/brand.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { findDaysWithoutPrices, isSettled, toDailyBars, toPeriodBars, type Bar } from './bars.ts';
import { PERIODS } from '../time/date-range.ts';
import { addDays } from '../time/session.ts';
import { toRangeStatistics, toReturns, toStandardDeviation } from './change.ts';
import numbers from '../checked-numbers.json' with { type: 'json' };

const checked = numbers.bars;
const daily: readonly Bar[] = checked.daily.map((bar) => ({ ...bar, lastDate: bar.date, sessions: 1 }) as Bar);

function point(date: string, settlement = '100.0', time = `${date}T22:00:00Z`): PriceDataPoint {
  const price = settlement as UsdText;
  return {
    date: date as Day,
    time: time as Instant,
    ohlc: { open: price, high: price, low: price, close: price, volume: fromNumber(1) },
    settlementPrice: price,
  };
}

function withoutPrices(session: PriceDataPoint): PriceDataPoint {
  return { ...session, ohlc: { ...session.ohlc, low: null }, settlementPrice: null };
}

/** Sessions on ascending days, with some days missing. */
const sessions = fc
  .array(
    fc.record({
      skip: fc.integer({ min: 1, max: 9 }),
      price: fc.integer({ min: -5_000, max: 5_000 }),
      volume: fc.nat(10_000),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((steps) => {
    let date = '2026-01-01' as Day;
    return steps.map(({ skip, price, volume }): Bar => {
      date = addDays(date, skip);
      const text = (price / 100).toFixed(2) as UsdText;
      return {
        date,
        lastDate: date,
        sessions: 1,
        open: text,
        high: text,
        low: text,
        close: text,
        settlement: text,
        volume,
      };
    });
  });

describe('toDailyBars', () => {
  it('keeps the exchange’s texts and dates unchanged', () => {
    expect(toDailyBars([point('2026-03-08', '0.0000232520')])).toEqual([
      {
        date: '2026-03-08',
        lastDate: '2026-03-08',
        sessions: 1,
        open: '0.0000232520',
        high: '0.0000232520',
        low: '0.0000232520',
        close: '0.0000232520',
        settlement: '0.0000232520',
        volume: 1,
      },
    ]);
  });

  it('sorts by date, and of duplicates keeps the one that settled last', () => {
    const rows = [
      point('2026-03-09', '3'),
      point('2026-03-08', '2', '2026-03-08T22:00:00.000000001Z'),
      point('2026-03-08', '1', '2026-03-08T22:00:00Z'),
    ];
    expect(toDailyBars(rows).map(({ date, settlement }) => [date, settlement])).toEqual([
      ['2026-03-08', '2'],
      ['2026-03-09', '3'],
    ]);
  });
});

describe('toPeriodBars', () => {
  it('gives the same weeks and months as an independent tool', () => {
    expect(toPeriodBars(daily, '1W')).toEqual(checked.weekly);
    expect(toPeriodBars(daily, '1M')).toEqual(checked.monthly);
    expect(toPeriodBars(daily, '1D')).toBe(daily);
  });

  it('keeps every session, volume and extreme', () => {
    fc.assert(
      fc.property(sessions, fc.constantFrom(...PERIODS), (bars, period) => {
        const joined = toPeriodBars(bars, period);
        const total = (list: readonly Bar[], of: (bar: Bar) => number | null) =>
          list.reduce((sum, bar) => sum + (of(bar) ?? NaN), 0);
        expect(total(joined, (bar) => bar.volume)).toBe(total(bars, (bar) => bar.volume));
        expect(total(joined, (bar) => bar.sessions)).toBe(bars.length);
        expect(Math.max(...joined.map(({ high }) => Number(high)))).toBe(
          Math.max(...bars.map(({ high }) => Number(high))),
        );
        expect(Math.min(...joined.map(({ low }) => Number(low)))).toBe(Math.min(...bars.map(({ low }) => Number(low))));
        expect([joined[0]?.open, joined.at(-1)?.settlement]).toEqual([bars[0]?.open, bars.at(-1)?.settlement]);
      }),
    );
  });
});

it('a price of a week is withheld where it depends on one that is', () => {
  const [week] = toPeriodBars(toDailyBars([withoutPrices(point('2026-03-09', '9')), point('2026-03-10', '3')]), '1W');
  expect(week).toMatchObject({ open: '9', high: '9', low: null, close: '3', settlement: '3', volume: 2, sessions: 2 });
});

describe('findDaysWithoutPrices', () => {
  it('lists sessions with volume and open interest but without prices, with and without trades', () => {
    const settled = [
      ['2025-12-03', null],
      ['2025-12-01', 5],
      ['2025-12-06', 0],
      ['2025-12-06', null],
      ['2025-12-07', 1],
      ['2025-12-07', 1],
    ] as const;
    const rows = settled.map(([date, volume]) => ({
      date: date as Day,
      volume: volume === null ? null : fromNumber<Contracts>(volume),
    }));
    expect(
      findDaysWithoutPrices(
        rows,
        daily.filter(({ date }) => date === '2025-12-01'),
      ),
    ).toEqual({ withoutTrades: ['2025-12-03', '2025-12-06'], unpriced: ['2025-12-07'] });
  });
});

describe('statistics of a range', () => {
  it('equal those of an independent tool', () => {
    const statistics = toRangeStatistics(daily);
    expect(statistics?.change.absolute.toFixed(30)).toBe(checked.change.absolute);
    expect(statistics?.change.fraction?.toFixed(30)).toBe(checked.change.fraction);
  });

  it('are null without bars', () => {
    expect(toRangeStatistics([])).toBeNull();
  });

  it('pass over prices that are withheld', () => {
    const withheld = toDailyBars([
      withoutPrices(point('2026-03-08', '9')),
      point('2026-03-09', '2'),
      point('2026-03-10', '3'),
      withoutPrices(point('2026-03-11', '1')),
    ]);
    const statistics = toRangeStatistics(withheld);
    expect([
      statistics?.first.date,
      statistics?.last.date,
      statistics?.extremes?.high.date,
      statistics?.extremes?.low.date,
    ]).toEqual(['2026-03-09', '2026-03-10', '2026-03-10', '2026-03-09']);
    expect(toRangeStatistics(withheld.slice(0, 1))).toBeNull();
  });

  it('have no percentage relative to a price that is zero or negative, as a spread’s may be', () => {
    const spread = toDailyBars([point('2026-03-08', '-2.5'), point('2026-03-09', '1.0')]);
    expect(toRangeStatistics(spread)?.change).toMatchObject({ fraction: null });
    expect(toRangeStatistics(spread)?.change.absolute.toFixed()).toBe('3.5');
    expect(toReturns(spread.filter(isSettled))).toEqual([null]);
  });
});

describe('the standard deviation of returns', () => {
  const returns = toReturns(daily.filter(isSettled)).flatMap((value) => value ?? []);

  it('equals that of an independent tool', () => {
    expect(toStandardDeviation(returns)?.toFixed(30)).toBe(checked.deviation);
  });

  it('is null for fewer than two', () => {
    expect(toStandardDeviation(returns.slice(0, 1))).toBeNull();
    expect(toStandardDeviation([])).toBeNull();
  });
});

it('returns equal those of an independent tool', () => {
  expect(toReturns(daily.filter(isSettled)).map((value) => value?.toFixed(30))).toEqual(checked.returns);
});
