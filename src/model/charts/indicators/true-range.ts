import type { Fixed } from './fixed-point.ts';
import { toWilderAverages } from './moving-averages.ts';

export interface RangeBar {
  readonly high: Fixed;
  readonly low: Fixed;
  readonly settlement: Fixed;
}

/**
 * Wilder’s average true range. A true range spans the bar and the settlement before it, so the first bar has none, and
 * the first average is at bar `bars` + 1.
 */
export function toAverageTrueRanges(values: readonly RangeBar[], bars: number): readonly (Fixed | null)[] {
  const ranges = values.map(({ high, low }, index) => {
    const before = values[index - 1]?.settlement;
    if (before === undefined) return null;
    return (high > before ? high : before) - (low < before ? low : before);
  });
  return toWilderAverages(ranges, bars);
}
