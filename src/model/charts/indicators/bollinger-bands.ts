import { type Fixed, ONE, rootOf, toRollingSums } from './fixed-point.ts';
import { toSimpleAverages } from './moving-averages.ts';

interface Bands {
  readonly middle: readonly (Fixed | null)[];
  readonly upper: readonly (Fixed | null)[];
  readonly lower: readonly (Fixed | null)[];
}

/** Puts bands around the simple average, `deviations` standard deviations (of all `bars` values, ÷ n) away. */
export function toBollingerBands(values: readonly Fixed[], bars: number, deviations: Fixed): Bands {
  const middle = toSimpleAverages(values, bars);
  const count = BigInt(bars);
  const sums = toRollingSums(values, bars);
  const squares = toRollingSums(
    values.map((value) => value * value),
    bars,
  );
  const distances = squares.map((square, index) => {
    const sum = sums[index] ?? 0n;
    return square === null ? null : (rootOf(square * count - sum * sum) * deviations) / ONE / count;
  });
  const shift = (sign: 1n | -1n): readonly (Fixed | null)[] =>
    middle.map((average, index) => (average === null ? null : average + sign * (distances[index] ?? 0n)));
  return { middle, upper: shift(1n), lower: shift(-1n) };
}
