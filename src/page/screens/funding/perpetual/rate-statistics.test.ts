import { describe, expect, it } from 'vitest';
import { measureWindow, toWindow } from '#model/funding/funding-window.ts';
import { createFundingSeries } from '#model/funding/funding-series.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/settled-rates.ts';
import { toCoverageText } from './rate-statistics.tsx';

const at = (count: number): number => Date.parse(fundingTimeAt(count));

/** The perpetual was launched at funding time 0 and has settled up to funding time 3. */
const series = createFundingSeries({
  prints: toWirePrints([printAt(0, '0.0001'), printAt(1, '0.0001'), printAt(2, '0.0001')]),
  knownFrom: fundingTimeAt(0) as Instant,
  knownTo: fundingTimeAt(3) as Instant,
  reachesLaunch: true,
});

function coverage(venueNow: number): string {
  return toCoverageText(measureWindow(series, toWindow(7, at(3))), series, 7, venueNow);
}

describe('coverage', () => {
  it('marks a product launched within the window as new', () => {
    expect(coverage(at(3))).toBe('3 of 3, new');
    expect(coverage(at(20))).toBe('3 of 3, new');
  });

  it('does not mark a product as new whose history stopped long ago', () => {
    expect(coverage(at(2_000))).toBe('3 of 3');
  });

  it('counts the intervals that were not read', () => {
    const later = createFundingSeries({
      prints: [],
      knownFrom: fundingTimeAt(0) as Instant,
      knownTo: fundingTimeAt(3) as Instant,
      reachesLaunch: true,
      requestedFrom: fundingTimeAt(1_700) as Instant,
    });
    expect(toCoverageText(measureWindow(later, toWindow(7, at(3))), later, 7, at(2_000))).toBe('0 of 3, 3 not read');
  });
});
