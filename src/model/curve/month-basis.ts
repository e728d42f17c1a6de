import { type Basis, type BasisLeg, computeBasis, refuseBasis } from '../basis/basis.ts';
import type { CurveLeg, CurveMonth } from './curve-months.ts';

/** A month's basis, and the price that it is measured over. */
export interface MeasuredBasis extends Basis {
  /** Null without a perpetual. */
  readonly near: BasisLeg | null;
}

/** Computes a month's basis against the perpetual's settlement of the same session and the same minute. */
export function toBasis(month: CurveMonth, perpetual: CurveLeg | null): MeasuredBasis {
  return measureBasis(month, perpetual && toSettlementLeg(perpetual), 0);
}

/** Computes a month's basis over a price of the perpetual, which may be so many minutes from the month's settlement. */
export function measureBasis(month: CurveMonth, near: BasisLeg | null, mostApart: number): MeasuredBasis {
  if (near === null) {
    const underlying = month.product.contract_size_unit ?? month.symbol;
    return { ...refuseBasis(`No perpetual of ${underlying} is listed, so there is no basis.`), near };
  }
  const far = toSettlementLeg(month);
  return { ...computeBasis({ far, near, after: null, until: month.expiresAt, mostApart }), near };
}

function toSettlementLeg({ symbol, ...leg }: CurveLeg): BasisLeg {
  const base = { kind: 'settlement', symbol, at: leg.settledAt } as const;
  return leg.missingBecause === null
    ? { ...base, at: leg.settledAt, price: leg.settlement, missingBecause: null }
    : { ...base, price: null, missingBecause: leg.missingBecause };
}
