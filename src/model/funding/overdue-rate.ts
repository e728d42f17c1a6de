import { formatInstant, toEpochNanos, type Instant } from '#contract/exchange/instant.ts';
import type { Overdue } from '../time/overdue.ts';
import type { FundingSeries } from './funding-series.ts';

/** That the newest settled rate is older than it may be; null where it is not, or where newer ones could not be read. */
export function findOverdueRate({
  settledTo,
  expectedTo,
}: Pick<FundingSeries, 'settledTo' | 'expectedTo'>): Overdue | null {
  if (settledTo === null || expectedTo === null || settledTo >= expectedTo) return null;
  return { newest: toInstant(settledTo), due: toInstant(expectedTo) };
}

function toInstant(epochMillis: number): Instant {
  return formatInstant(toEpochNanos(epochMillis), 0);
}
