import { describe, expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { createFundingSeries } from '../../funding/funding-series.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/funding-prints.ts';
import { toRangeStart } from '../../tables/funding/perpetual-data.ts';
import { toChartIntervals } from './chart-intervals.ts';

const prints = toWirePrints([2, 3, 6, 30].map((at) => printAt(at, '0.0001')));

/** `#` for each interval with a settled rate, `.` for each without, and where the first one ends. */
function drawn(
  range: Parameters<typeof toRangeStart>[1],
  known: { readonly from?: string; readonly launch?: boolean; readonly requested?: string; readonly due?: number },
) {
  const [knownFrom = null, requestedFrom = null] = [known.from, known.requested] as (Instant | undefined)[];
  const series = createFundingSeries({
    prints,
    knownFrom,
    requestedFrom,
    reachesLaunch: known.launch ?? false,
    dueTo: known.due === undefined ? null : Date.parse(fundingTimeAt(known.due)),
  });
  const intervals = toChartIntervals(series, toRangeStart(series, range));
  return {
    first: new Date(intervals[0]?.end ?? 0).toISOString().replace('.000Z', 'Z'),
    text: intervals.map(({ print }) => (print === null ? '.' : '#')).join(''),
  };
}

describe('the intervals of a range', () => {
  it('include gaps before the first settled rate', () => {
    expect(drawn('all', { from: fundingTimeAt(0), launch: true })).toEqual({
      first: fundingTimeAt(1),
      text: `..##..#${'.'.repeat(23)}#`,
    });
    expect(drawn('7d', { from: fundingTimeAt(0), launch: true })).toEqual({
      first: fundingTimeAt(11),
      text: `${'.'.repeat(20)}#`,
    });
  });

  it('start where the history was requested or the product listed, if that is later', () => {
    expect(drawn('90d', { from: fundingTimeAt(1) }).first).toBe(fundingTimeAt(2));
    expect(drawn('90d', { from: fundingTimeAt(0), launch: true, requested: fundingTimeAt(5) })).toMatchObject({
      first: fundingTimeAt(5),
      text: `..#${'.'.repeat(23)}#`,
    });
  });

  it('go on to the rate that is due, also where none of them has settled', () => {
    expect(drawn('7d', { from: fundingTimeAt(0), launch: true, due: 40 })).toEqual({
      first: fundingTimeAt(20),
      text: `${'.'.repeat(11)}#${'.'.repeat(9)}`,
    });
    expect(drawn('7d', { from: fundingTimeAt(0), launch: true, due: 100 })).toEqual({
      first: fundingTimeAt(80),
      text: '.'.repeat(21),
    });
  });

  it('start at the first settled rate where the launch is unknown', () => {
    expect(drawn('all', {})).toMatchObject({ first: fundingTimeAt(3), text: `##..#${'.'.repeat(23)}#` });
  });
});
