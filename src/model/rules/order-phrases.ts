import type { RuleOrderFilter } from '#contract/desk/rule-filters.ts';
import { formatNumber } from '../format/number.ts';
import { toDecimal } from '../units/decimal.ts';
import { formatSpan } from './rule-condition.ts';

/** Names the kinds of orders that a filter selects: `options and spreads`; empty if it selects all. */
export function nameKinds({ kinds = [] }: RuleOrderFilter): string {
  return kinds.map((kind) => `${kind}s`).join(' and ');
}

/** Lists the limits of a filter: `over 20 % away`, `older than 10 minutes`. */
export function listLimits({
  age_over_seconds: age,
  distance_over_percent: distance,
  notional_over_usd: notional,
}: RuleOrderFilter): readonly string[] {
  const number = (value: number): string => (Number.isFinite(value) ? formatNumber(toDecimal(String(value))) : '…');
  return [
    ...(distance === undefined ? [] : [`over ${number(distance)} % away`]),
    ...(age === undefined ? [] : [`older than ${formatSpan(age)}`]),
    ...(notional === undefined ? [] : [`over ${number(notional)} USD`]),
  ];
}

/** The limits as the end of a noun, for sentences about results. */
export function formatLimits(filter: RuleOrderFilter): string {
  return listLimits(filter)
    .map((limit) => ` ${limit}`)
    .join(',');
}
