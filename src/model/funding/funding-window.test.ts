import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { fundingTimeAt, printAt, toWirePrints, type WrittenPrint } from '#testing/settled-rates.ts';
import { toDecimal } from '../units/decimal.ts';
import { createFundingSeries, findOverdueRate, type FundingSeries } from './funding-series.ts';
import {
  findFaultsIn,
  findNewestFundingTime,
  listFundingTimes,
  measureWindow,
  toWindow,
  type FundingWindow,
} from './funding-window.ts';
import { toWindowEnd } from './funding-rate.ts';
import numbers from './funding-numbers.json' with { type: 'json' };

function toSeries(
  prints: readonly WrittenPrint[],
  known: {
    readonly from?: string;
    readonly to?: string;
    readonly launch?: boolean;
    readonly requested?: string;
    readonly behind?: boolean;
    readonly due?: number;
  } = {},
): FundingSeries {
  const [knownFrom = null, knownTo = null, requestedFrom = null] = [known.from, known.to, known.requested] as (
    | Instant
    | undefined
  )[];
  return createFundingSeries({
    prints: toWirePrints(prints),
    knownFrom,
    knownTo,
    requestedFrom,
    reachesLaunch: known.launch ?? false,
    isBehind: known.behind ?? false,
    dueTo: known.due === undefined ? null : Date.parse(fundingTimeAt(known.due)),
  });
}

const between = (from: string, to: string): FundingWindow => ({ from: Date.parse(from), to: Date.parse(to) });
const intervals = (from: number, to: number): FundingWindow => between(fundingTimeAt(from), fundingTimeAt(to));

describe.each(
  numbers.histories.map((history, index) => ({ ...history, name: ['of eight digits', 'of eighteen digits'][index] })),
)('windows over rates $name', ({ prints, windows }) => {
  const series = toSeries(prints);

  it.each(windows)('from $from to $to equal the results of an independent calculator', (expected) => {
    const measured = measureWindow(series, between(expected.from, expected.to));
    expect(measured.sum?.toFixed(20)).toBe(expected.sum);
    expect(measured.apr?.toFixed(30)).toBe(expected.apr);
    expect(measured.standardDeviation?.toSignificantDigits(13).toFixed()).toBe(
      expected.deviation === null ? undefined : toDecimal(expected.deviation).toSignificantDigits(13).toFixed(),
    );
    const { prints: count, intervals: all, positive, baseline, longestStreak } = measured;
    expect({ count, all, positive, baseline, longestRun: longestStreak }).toEqual({
      count: expected.prints,
      all: expected.intervals,
      positive: expected.positive,
      baseline: expected.baseline,
      longestRun: expected.longestRun,
    });
  });
});

const rate = fc
  .integer({ min: -90_000_000, max: 90_000_000 })
  .map((e10) => toDecimal(String(e10)).times('1e-10').toFixed());
const longRate = fc.integer({ min: -90_000_000, max: 90_000_000 }).map((e10) =>
  toDecimal(`${String(e10)}.0000000123`)
    .times('1e-10')
    .toFixed(),
);
const history = fc
  .array(fc.option(fc.oneof({ weight: 9, arbitrary: rate }, { weight: 1, arbitrary: longRate })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((rates) => rates.flatMap((value, at) => (value === null ? [] : [printAt(at, value)])));

/** Returns the figures of a window that can be summed. */
function toCounts(series: FundingSeries, span: FundingWindow) {
  const { sum, prints, intervals: all, positive, baseline, missing } = measureWindow(series, span);
  return [
    sum ?? toDecimal('0'),
    ...[prints, all, positive, baseline, missing].map((count) => toDecimal(String(count))),
  ];
}

type Counts = ReturnType<typeof toCounts>;

function addUp(left: Counts = [], right: Counts = []): readonly string[] {
  return left.map((value, index) => value.plus(right[index] ?? 0).toFixed());
}

describe('adjacent windows', () => {
  it('sum exactly to the window over both', () => {
    const cuts = fc
      .array(fc.integer({ min: 0, max: 60 }), { minLength: 3, maxLength: 3 })
      .map((all) => all.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(history, cuts, (prints, [first = 0, middle = 0, last = 0]) => {
        const series = toSeries(prints);
        const [left, right, whole] = [intervals(first, middle), intervals(middle, last), intervals(first, last)].map(
          (span) => toCounts(series, span),
        );
        expect(addUp(left, right)).toEqual(whole?.map((value) => value.toFixed()));
      }),
    );
  });

  it('have the same sums as plain decimals, for any rates', () => {
    fc.assert(
      fc.property(history, (prints) => {
        const { sum } = measureWindow(toSeries(prints), intervals(0, 60));
        const plain = prints.reduce((all, print) => all.plus(print.rate), toDecimal('0'));
        expect((sum ?? toDecimal('0')).toFixed()).toBe(plain.toFixed());
      }),
    );
  });
});

describe('the coverage of a window', () => {
  const three = [printAt(10, '0.0001'), printAt(11, '0.0002'), printAt(13, '0.0003')];

  it('counts a gap as missing, never as zero', () => {
    const measured = measureWindow(toSeries(three), intervals(10, 14));
    expect(measured).toMatchObject({ prints: 3, intervals: 4, missing: 1, notListed: 0, notRead: 0 });
    expect(measured.apr?.toFixed()).toBe(toDecimal('0.0002').times(1_095).toFixed());
  });

  it('does not count intervals before the listing', () => {
    const measured = measureWindow(toSeries(three, { launch: true }), intervals(0, 14));
    expect(measured).toMatchObject({ prints: 3, intervals: 4, missing: 1, notListed: 10 });
  });

  it('distinguishes intervals not read yet from missing ones', () => {
    const measured = measureWindow(toSeries(three, { from: fundingTimeAt(8) }), intervals(0, 14));
    expect(measured).toMatchObject({ prints: 3, intervals: 14, missing: 3, notRead: 8 });
  });

  it('distinguishes intervals not requested from missing ones, also if the listing is known', () => {
    const measured = measureWindow(
      toSeries(three, { from: fundingTimeAt(2), launch: true, requested: fundingTimeAt(11) }),
      intervals(0, 14),
    );
    expect(measured).toMatchObject({ prints: 3, intervals: 12, missing: 1, notListed: 2, notRead: 8 });
  });

  it('distinguishes unsettled and unread newest intervals from missing ones', () => {
    expect(measureWindow(toSeries(three), intervals(10, 16))).toMatchObject({
      prints: 3,
      intervals: 6,
      missing: 1,
      notSettled: 2,
      notRead: 0,
    });
    expect(measureWindow(toSeries(three, { behind: true }), intervals(10, 16))).toMatchObject({
      prints: 3,
      intervals: 6,
      missing: 1,
      notSettled: 0,
      notRead: 2,
    });
    expect(measureWindow(toSeries([], { behind: true }), intervals(0, 3))).toMatchObject({
      intervals: 3,
      missing: 0,
      notRead: 3,
    });
  });

  it('has nothing missing before the first settlement', () => {
    expect(measureWindow(toSeries([], { launch: true }), intervals(0, 3))).toMatchObject({
      intervals: 0,
      notListed: 3,
      missing: 0,
      notRead: 0,
      notSettled: 0,
    });
  });

  it('is not mistaken for one before the listing if all known rates are older', () => {
    const series = toSeries([], {
      launch: true,
      from: fundingTimeAt(2),
      to: fundingTimeAt(9),
      requested: fundingTimeAt(11),
    });
    expect(measureWindow(series, intervals(10, 14))).toMatchObject({
      prints: 0,
      intervals: 4,
      notListed: 0,
      notSettled: 4,
      missing: 0,
    });
    expect(series.settledTo).toBe(Date.parse(fundingTimeAt(9)));
  });

  it('has no values without settled rates', () => {
    expect(measureWindow(toSeries(three), intervals(20, 30))).toMatchObject({
      prints: 0,
      sum: null,
      apr: null,
      standardDeviation: null,
    });
    expect(measureWindow(toSeries([]), intervals(0, 3))).toMatchObject({ prints: 0, intervals: 3, sum: null });
  });

  it('leaves out intervals of another length', () => {
    const short = { start: fundingTimeAt(12), end: '2026-06-05T04:00:00Z', rate: '0.5' };
    expect(measureWindow(toSeries([...three, short]), intervals(10, 14))).toMatchObject({ prints: 3, missing: 1 });
  });

  it('of one day ends at the funding time and has three intervals', () => {
    expect(measureWindow(toSeries(three), toWindow(1, Date.parse(fundingTimeAt(14))))).toMatchObject({
      prints: 2,
      intervals: 3,
    });
  });
});

describe('a history that has stopped', () => {
  const whole = Array.from({ length: 12 }, (_, at) => printAt(at, '0.0001'));
  const week = intervals(0, 21);

  it('has gaps up to the rate that is due, which are counted and listed', () => {
    const stopped = toSeries(whole, { launch: true, due: 21 });
    expect(measureWindow(stopped, week)).toMatchObject({
      prints: 12,
      intervals: 21,
      missing: 9,
      notSettled: 0,
      notRead: 0,
    });
    expect(stopped.faults).toEqual([
      { kind: 'gap', start: Date.parse(fundingTimeAt(12)), end: Date.parse(fundingTimeAt(21)), intervals: 9 },
    ]);
    expect(findOverdueRate(stopped)).toEqual({ newest: fundingTimeAt(12), due: fundingTimeAt(21) });
    expect([stopped.settledTo, stopped.endsAt]).toEqual([12, 21].map((at) => Date.parse(fundingTimeAt(at))));
  });

  it('has no gap while its next rate is not due', () => {
    const current = toSeries(whole, { launch: true, due: 12 });
    expect(measureWindow(current, intervals(0, 13))).toMatchObject({ prints: 12, missing: 0, notSettled: 1 });
    expect([current.faults, findOverdueRate(current)]).toEqual([[], null]);
  });

  it('is neither overdue nor has gaps where newer rates could not be read, but its windows end where they should', () => {
    const behind = toSeries(whole, { launch: true, due: 21, behind: true });
    expect(measureWindow(behind, week)).toMatchObject({ prints: 12, intervals: 21, missing: 0, notRead: 9 });
    expect([behind.faults, findOverdueRate(behind), behind.endsAt]).toEqual([[], null, Date.parse(fundingTimeAt(21))]);
  });

  it('is not one that has not begun', () => {
    const none = toSeries([], { launch: true, due: 21 });
    expect([none.faults, none.endsAt, findOverdueRate(none)]).toEqual([[], null, null]);
  });

  it('has its gaps also where none of its rates was requested', () => {
    const long = toSeries([], {
      launch: true,
      from: fundingTimeAt(0),
      to: fundingTimeAt(3),
      requested: fundingTimeAt(15),
      due: 21,
    });
    expect(measureWindow(long, intervals(14, 21))).toMatchObject({ prints: 0, missing: 7, notRead: 0 });
  });
});

describe('the end of windows', () => {
  const [before, due, after, ahead] = [11, 12, 13, 14].map((at) => Date.parse(fundingTimeAt(at)));
  const endOf = (settledTo = 0, dueTo: number | null = null): number => toWindowEnd(settledTo, dueTo);

  it('is the newest settled rate, or the one that is due if it is missing', () => {
    expect([before, due, after].map((settledTo) => endOf(settledTo, due))).toEqual([due, due, after]);
  });

  it('is not moved by a rate of a time that has not come', () => {
    expect([ahead, (ahead ?? 0) + 90 * 86_400_000].map((settledTo) => endOf(settledTo, due))).toEqual([due, due]);
  });

  it('is the newest settled rate as long as the time is unknown', () => {
    expect(endOf(before)).toBe(before);
  });
});

describe('the faults of a window', () => {
  it('are those that end in it, and unreadable ones', () => {
    const nowhere = { start: 'then', end: 'later', rate: '0.1' };
    const twice = [printAt(10, '0.0001'), printAt(10, '0.0001'), printAt(12, '0.0003'), nowhere];
    const kindsIn = (from: number, to: number) =>
      findFaultsIn(toSeries(twice), intervals(from, to)).map(({ kind }) => kind);
    expect(kindsIn(0, 20)).toEqual(['unreadable', 'duplicate', 'gap']);
    expect(kindsIn(11, 20)).toEqual(['unreadable', 'gap']);
    expect(kindsIn(12, 20)).toEqual(['unreadable']);
  });
});

describe('the newest funding time of several perpetuals', () => {
  const short = { start: fundingTimeAt(12), end: '2026-06-05T04:00:00Z', rate: '0.5' };

  it('is the end of the newest valid interval, not of one of four hours', () => {
    const [regular, irregular] = [
      toSeries([printAt(10, '0.0001'), printAt(11, '0.0002')]),
      toSeries([printAt(10, '0.0003'), short]),
    ];
    const newest = findNewestFundingTime([regular, irregular]);
    expect(newest).toBe(Date.parse(fundingTimeAt(12)));
    expect(listFundingTimes({ from: Date.parse(fundingTimeAt(10)), to: newest }, newest)).toEqual(
      regular.prints.map(({ end }) => end),
    );
  });

  it('is the end of the newest interval if none is valid, and 0 without any', () => {
    expect(findNewestFundingTime([toSeries([short]), toSeries([])])).toBe(Date.parse(short.end));
    expect(findNewestFundingTime([])).toBe(0);
  });
});
