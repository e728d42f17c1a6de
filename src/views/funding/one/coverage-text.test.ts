import { describe, expect, it } from 'vitest';
import { measureWindow, toWindow } from '#domain/funding/funding-window.ts';
import { createFundingSeries } from '#domain/funding/funding-series.ts';
import type { Instant } from '#contract/instant.ts';
import { boundaryAt, printAt, toWirePrints } from '#testing/funding-prints.ts';
import { isBrokenOff, toCoverageText } from './coverage-text.ts';

const at = (count: number): number => Date.parse(boundaryAt(count));

/** Launched at boundary 0, with prints to boundary 3. */
const series = createFundingSeries({
  prints: toWirePrints([printAt(0, '0.0001'), printAt(1, '0.0001'), printAt(2, '0.0001')]),
  knownFrom: boundaryAt(0) as Instant,
  knownTo: boundaryAt(3) as Instant,
  reachesLaunch: true,
});

function coverage(venueNow: number): string {
  return toCoverageText(measureWindow(series, toWindow(7, at(3))), series, 7, venueNow);
}

describe('coverage', () => {
  it('says new of a product that was launched within the window', () => {
    expect(coverage(at(3))).toBe('3 of 3, new');
    expect(coverage(at(20))).toBe('3 of 3, new');
  });

  it('does not of one whose history broke off soon after a launch of long ago', () => {
    expect(coverage(at(2_000))).toBe('3 of 3');
  });

  it('says how much was not read', () => {
    const later = createFundingSeries({ prints: [], knownFrom: boundaryAt(0) as Instant, knownTo: boundaryAt(3) as Instant, reachesLaunch: true, askedFrom: boundaryAt(1_700) as Instant });
    expect(toCoverageText(measureWindow(later, toWindow(7, at(3))), later, 7, at(2_000))).toBe('0 of 3, 3 not read');
  });
});

it('a history is broken off once more than the next print is missing', () => {
  expect([at(4), at(5), at(5) + 1].map((venueNow) => isBrokenOff(series, venueNow))).toEqual([false, false, true]);
});
