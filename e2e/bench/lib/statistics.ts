/**
 * Returns the value that a share of all values does not exceed; `NaN` if there are none or if one of them is missing.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = inOrder(values);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The results of one quantity over all rounds. */
export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export function toSpread(values: readonly number[]): Spread {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

/** Returns `NaN` in the same cases as a quantile. */
export function median(values: readonly number[]): number {
  const sorted = inOrder(values);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Returns no sorted values if one is not a number: it has no place among the others, and a failure must not be hidden.
 */
function inOrder(values: readonly number[]): readonly number[] {
  return values.some(Number.isNaN) ? [] : values.toSorted((a, b) => a - b);
}
