import type { Comparison } from '#contract/desk/rule-measures.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';

/** A value compared with that of the rule. */
export interface Compared {
  readonly comparison: Comparison;
  readonly value: number;
}

/** `least`: the value may be larger, `most`: smaller, as where it is made of some rows only. */
export type Certainty = 'exact' | 'least' | 'most';

/** Whether a value is as the rule says; null where what is missing may decide. */
export function judge(
  value: Decimal,
  { comparison, value: limit }: Compared,
  certainty: Certainty = 'exact',
): boolean | null {
  const isOver = value.gt(toDecimal(String(limit)));
  const isUnder = value.lt(toDecimal(String(limit)));
  if (comparison === 'over') return isOver ? unless(certainty === 'most', true) : unless(certainty === 'least', false);
  if (comparison === 'under')
    return isUnder ? unless(certainty === 'least', true) : unless(certainty === 'most', false);
  return certainty === 'exact' ? value.abs().gt(toDecimal(String(limit))) : null;
}

function unless(isUncertain: boolean, verdict: boolean): boolean | null {
  return isUncertain ? null : verdict;
}
