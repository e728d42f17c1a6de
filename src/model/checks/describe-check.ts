import { CROSS_CHECKS, type Comparison } from './cross-checks.ts';
import { formatDay } from '../format/format-time.ts';
import type { IncrementCheck } from './judge-prices.ts';

/** Describes the result of the check, as the value of a labelled fact. */
export function describeCheck({ verdict, comparison }: IncrementCheck): string {
  switch (verdict) {
    case 'agrees':
      return comparison === null ? 'passed' : `passed: ${nameComparison(comparison)}`;
    case 'off':
      return comparison === null
        ? 'failed'
        : `failed: ticks × tick size is ${formatRatio(1 / comparison.ratio)} times the exchange’s own ` +
            `USD price; ${nameComparison(comparison)}`;
    case 'unchecked':
      return 'not possible: there is no USD price to compare with';
    case 'pending':
      return 'not done yet: the exchange’s own USD price has not been read';
  }
}

function nameComparison({ check, session }: Comparison): string {
  const { name } = CROSS_CHECKS[check];
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}${session === null ? '' : ` of ${formatDay(session)}`}`;
}

function formatRatio(ratio: number): string {
  return String(Number(ratio.toPrecision(4)));
}
