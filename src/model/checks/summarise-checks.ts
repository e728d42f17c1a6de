import type { Comparison, CrossCheckName } from './cross-checks.ts';
import { CROSS_CHECK_NAMES } from './cross-checks.ts';

/** The comparisons of a product, by its symbol. */
export interface ComparedProduct {
  readonly symbol: string;
  readonly comparisons: readonly Comparison[];
}

/** A failed comparison, with the product that it is about. */
export interface FailedComparison extends Comparison {
  readonly symbol: string;
}

export interface CheckSummary {
  readonly name: CrossCheckName;
  readonly passed: number;
  readonly failed: readonly FailedComparison[];
  /** Products without both figures. */
  readonly notPossible: number;
}

/** What each check found, over all products. */
export function summariseChecks(products: readonly ComparedProduct[]): readonly CheckSummary[] {
  const all = products.flatMap(({ symbol, comparisons }) =>
    comparisons.map((comparison) => ({ ...comparison, symbol })),
  );
  const byName = Map.groupBy(all, ({ check }) => check);
  return CROSS_CHECK_NAMES.map((name) => {
    const done = byName.get(name) ?? [];
    const failed = done.filter(({ passed }) => !passed);
    return { name, passed: done.length - failed.length, failed, notPossible: products.length - done.length };
  });
}
