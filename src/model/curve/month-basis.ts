import { type Basis, type BasisLeg, computeBasis, refuseBasis } from '../basis/basis.ts';
import type { CurveLeg, CurveMonth } from './curve-months.ts';

/** Computes a month's basis against the perpetual's settlement of the same session and the same minute. */
export function toBasis(month: CurveMonth, perpetual: CurveLeg | null): Basis {
  return perpetual === null ? refuseBasis(withoutPerpetual(month)) : toBasisOver(month, toSettlementLeg(perpetual), 0);
}

/** Computes a month's basis against another price, which may be so many minutes from the month's settlement. */
export function toBasisOver(month: CurveMonth, near: BasisLeg, mostApart: number): Basis {
  return computeBasis({ far: toSettlementLeg(month), near, after: null, until: month.expiresAt, mostApart });
}

function withoutPerpetual({ product, symbol }: CurveMonth): string {
  return `No perpetual of ${product.contract_size_unit ?? symbol} is listed, so there is no basis.`;
}

function toSettlementLeg({ symbol, ...leg }: CurveLeg): BasisLeg {
  const base = { kind: 'settlement', symbol, at: leg.settledAt } as const;
  return leg.missingBecause === null
    ? { ...base, at: leg.settledAt, price: leg.settlement, missingBecause: null }
    : { ...base, price: null, missingBecause: leg.missingBecause };
}
