/** The value that a share of all values does not exceed; `NaN` of none, and where one of them did not come about. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = inOrder(values);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What one quantity came to over all rounds. */
export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export function toSpread(values: readonly number[]): Spread {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

/** `NaN` as a quantile is. */
export function median(values: readonly number[]): number {
  const sorted = inOrder(values);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** None of them where one is not a number: it has no place among the others, and what failed must not be passed over. */
function inOrder(values: readonly number[]): readonly number[] {
  return values.some(Number.isNaN) ? [] : values.toSorted((a, b) => a - b);
}
