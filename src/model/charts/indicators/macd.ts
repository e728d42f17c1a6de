import type { Fixed } from './fixed-point.ts';
import { toExponentialAverages } from './moving-averages.ts';

interface Macd {
  /** The fast average minus the slow one. The first is at bar `slow`. */
  readonly line: readonly (Fixed | null)[];
  /** Exponential average of the line. The first is at bar `slow` + `signal` − 1. */
  readonly signal: readonly (Fixed | null)[];
  /** The line minus the signal. */
  readonly difference: readonly (Fixed | null)[];
}

/** Moving average convergence and divergence. */
export function toMacd(values: readonly Fixed[], [fast, slow, signal]: readonly [number, number, number]): Macd {
  const line = subtract(toExponentialAverages(values, fast), toExponentialAverages(values, slow));
  const averages = toExponentialAverages(line, signal);
  return { line, signal: averages, difference: subtract(line, averages) };
}

function subtract(from: readonly (Fixed | null)[], others: readonly (Fixed | null)[]): readonly (Fixed | null)[] {
  return from.map((value, index) => {
    const other = others[index] ?? null;
    return value === null || other === null ? null : value - other;
  });
}
