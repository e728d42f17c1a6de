import { divide, type Fixed } from './fixed-point.ts';
import { toWilderAverages } from './moving-averages.ts';

/**
 * Wilder’s relative strength index: 100 × average rise ÷ (average rise + average fall). The first is at bar `bars` + 1,
 * since it needs as many changes; there is none while nothing has changed.
 */
export function toRelativeStrength(values: readonly Fixed[], bars: number): readonly (Fixed | null)[] {
  const changes = values.map((value, index) => (index === 0 ? null : value - (values[index - 1] ?? value)));
  const averageOf = (sign: 1n | -1n) =>
    toWilderAverages(
      changes.map((change) => change && (change * sign > 0n ? change * sign : 0n)),
      bars,
    );
  const [rises, falls] = [averageOf(1n), averageOf(-1n)];
  return rises.map((rise, index) => {
    const fall = falls[index] ?? null;
    return rise === null || fall === null || rise + fall === 0n ? null : divide(rise * 100n, rise + fall);
  });
}
