import type { FundingRateData } from '#contract/exchange/funding.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';

/** The latest settled rate beside that of the history, of the same interval. */
export interface LatestRateCheck {
  readonly settledAt: Instant;
  readonly latest: Decimal;
  readonly ofHistory: Decimal;
}

/** How they differ; null where they do not, or where the history does not reach that far. */
export function findOtherLatestRate(
  latest: FundingRateData | undefined,
  history: readonly FundingRateData[],
): LatestRateCheck | null {
  const same = latest && history.find(({ interval_end: end }) => compareInstants(end, latest.interval_end) === 0);
  if (latest === undefined || same === undefined) return null;
  const [a, b] = [toDecimal(wireText(latest, 'funding_rate')), toDecimal(wireText(same, 'funding_rate'))];
  return a.equals(b) ? null : { settledAt: same.interval_end, latest: a, ofHistory: b };
}
