import type { Estimate, Estimates } from './funding/estimate.ts';
import { addEstimate } from './market-funding.ts';
import type { MarketRow } from './market-rows.ts';

type Estimator = (rows: readonly MarketRow[], estimates: Estimates) => readonly MarketRow[];

/** Estimates come a few at a time: a row that has no other than before stays the same object, and is not drawn again. */
export function createEstimator(): Estimator {
  const known = new WeakMap<MarketRow, { readonly estimate: Estimate; readonly estimated: MarketRow }>();
  return (rows, estimates) =>
    rows.map((row) => {
      const { funding, product } = row;
      const estimate = estimates.get(product.base_symbol ?? '');
      if (estimate === undefined || funding === null) return row;
      const before = known.get(row);
      if (before !== undefined && isSame(before.estimate, estimate)) return before.estimated;
      const estimated = { ...row, funding: addEstimate(funding, estimate) };
      known.set(row, { estimate, estimated });
      return estimated;
    });
}

function isSame(a: Estimate, b: Estimate): boolean {
  return a.value === b.value && a.receivedAt === b.receivedAt && a.notCurrent === b.notCurrent;
}
