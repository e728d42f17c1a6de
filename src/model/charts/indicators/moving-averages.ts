import { type Fixed, toRollingSums } from './fixed-point.ts';

/** Averages the last `bars` values. The first average is at bar `bars`. */
export function toSimpleAverages(values: readonly Fixed[], bars: number): readonly (Fixed | null)[] {
  return toRollingSums(values, bars).map((sum) => sum && sum / BigInt(bars));
}

/**
 * Moves the average by 2 ÷ (bars + 1) of its distance from each new value. It begins at bar `bars`, with the simple
 * average of the values so far. Values may begin with some that do not exist.
 */
export function toExponentialAverages(values: readonly (Fixed | null)[], bars: number): readonly (Fixed | null)[] {
  return smooth(values, bars, (average, value) => average + ((value - average) * 2n) / BigInt(bars + 1));
}

/** Wilder’s average moves by 1 ÷ bars of the distance. It begins like an exponential one. */
export function toWilderAverages(values: readonly (Fixed | null)[], bars: number): readonly (Fixed | null)[] {
  return smooth(values, bars, (average, value) => average + (value - average) / BigInt(bars));
}

function smooth(
  values: readonly (Fixed | null)[],
  bars: number,
  step: (average: Fixed, value: Fixed) => Fixed,
): readonly (Fixed | null)[] {
  let average: Fixed | null = null;
  let [sum, known] = [0n, 0];
  return values.map((value) => {
    if (value === null) return null;
    if (average !== null) return (average = step(average, value));
    sum += value;
    known += 1;
    return known < bars ? null : (average = sum / BigInt(bars));
  });
}
