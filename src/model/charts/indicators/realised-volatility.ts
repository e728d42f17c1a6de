import { divide, type Fixed, logarithmOf, ONE, rootOf, toRollingSums } from './fixed-point.ts';

/**
 * Standard deviation (of a sample, ÷ n − 1) of the last `bars` logarithmic returns between settlements, times the root
 * of the bars a year. The first is at bar `bars` + 1. Values are above zero.
 */
export function toVolatilities(values: readonly Fixed[], bars: number, barsAYear: Fixed): readonly (Fixed | null)[] {
  const returns = values.slice(1).map((value, index) => logarithmOf(divide(value, values[index] ?? value)));
  const sums = toRollingSums(returns, bars);
  const squares = toRollingSums(
    returns.map((value) => value * value),
    bars,
  );
  const [count, divisor] = [BigInt(bars), BigInt(bars * (bars - 1))];
  const deviations = squares.map((square, index) => {
    const sum = sums[index] ?? 0n;
    return square === null ? null : rootOf(((square * count - sum * sum) * barsAYear) / ONE / divisor);
  });
  return values.length === 0 ? [] : [null, ...deviations];
}
