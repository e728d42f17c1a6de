import { describe, expect, it } from 'vitest';
import type { Instant } from '#contract/instant.ts';
import { createFundingSeries } from '#domain/funding/funding-series.ts';
import { boundaryAt, printAt, toWirePrints } from '#testing/funding-prints.ts';
import { toRangeStart } from './one-data.ts';
import { toSlots } from './to-slots.ts';

const prints = toWirePrints([2, 3, 6, 30].map((at) => printAt(at, '0.0001')));

/** Which of the intervals have a print, the first one first, and where that ends. */
function drawn(range: Parameters<typeof toRangeStart>[1], known: { readonly from?: string; readonly launch?: boolean; readonly asked?: string }) {
  const [knownFrom = null, askedFrom = null] = [known.from, known.asked] as (Instant | undefined)[];
  const series = createFundingSeries({ prints, knownFrom, askedFrom, reachesLaunch: known.launch ?? false });
  const slots = toSlots(series, toRangeStart(series, range));
  return { first: new Date(slots[0]?.end ?? 0).toISOString().replace('.000Z', 'Z'), text: slots.map(({ print }) => (print === null ? '.' : '#')).join('') };
}

describe('the intervals of a range', () => {
  it('begin with those before the first print that should have had one', () => {
    expect(drawn('all', { from: boundaryAt(0), launch: true })).toEqual({ first: boundaryAt(1), text: `..##..#${'.'.repeat(23)}#` });
    expect(drawn('7d', { from: boundaryAt(0), launch: true })).toEqual({ first: boundaryAt(11), text: `${'.'.repeat(20)}#` });
  });

  it('begin with what was read or listed, if that was later', () => {
    expect(drawn('90d', { from: boundaryAt(1) }).first).toBe(boundaryAt(2));
    expect(drawn('90d', { from: boundaryAt(0), launch: true, asked: boundaryAt(5) })).toMatchObject({ first: boundaryAt(5), text: `..#${'.'.repeat(23)}#` });
  });

  it('begin with the first print where it is not known from when on there should be some', () => {
    expect(drawn('all', {})).toMatchObject({ first: boundaryAt(3), text: `##..#${'.'.repeat(23)}#` });
  });
});
