import type { DeskProduct } from '#contract/desk/desk.ts';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { asRate } from '../units/conversions.ts';
import type { Estimate } from '../funding/estimate.ts';
import { findInProgress, toApr, toNextInterval, type FundingInterval } from '../funding/funding-rate.ts';
import { deriveQuantity, toQuantity, type Quantity } from '../units/quantity.ts';
import type { Source } from '../source.ts';

/** Funding of a perpetual: the last settled rate and the predicted rate of the current interval, never mixed. */
export interface MarketFunding {
  readonly settled: Quantity | null;
  /** Simple APR; null also where the interval does not have the usual length. */
  readonly settledApr: Quantity | null;
  readonly settledAt: Instant | null;
  readonly estimate: Quantity | null;
  readonly estimateApr: Quantity | null;
  /** Why the predicted rate is out of date; null where it is current or missing. */
  readonly estimateNotCurrent: string | null;
  /** The current interval: that of the predicted rate, or else the one after the last settled rate. */
  readonly interval: FundingInterval | null;
}

interface FundingParts {
  readonly product: DeskProduct;
  readonly funding: Source | undefined;
  readonly latestPrint: FundingRateData | undefined;
}

/** Settled funding. Predicted rates are added as they arrive. */
export function toMarketFunding(parts: FundingParts): MarketFunding | null {
  if (parts.product.type !== 'perpetual' && parts.latestPrint === undefined) return null;
  return {
    ...toSettled(parts),
    estimate: null,
    estimateApr: null,
    estimateNotCurrent: null,
    interval: parts.latestPrint ? toNextInterval(parts.latestPrint) : null,
  };
}

export function addEstimate(funding: MarketFunding, source: Estimate): MarketFunding {
  const estimate = toQuantity({ source, dataTime: source.answeredAt }, source.value, 'funding_rate', asRate);
  return {
    ...funding,
    estimate,
    estimateApr: annualise(estimate, source.value),
    estimateNotCurrent: source.notCurrent,
    interval: findInProgress(funding.interval, source.value),
  };
}

type Settled = Pick<MarketFunding, 'settled' | 'settledApr' | 'settledAt'>;

function toSettled({ funding, latestPrint }: FundingParts): Settled {
  if (funding === undefined || latestPrint === undefined) return { settled: null, settledApr: null, settledAt: null };
  const settled = toQuantity(
    { source: funding, dataTime: latestPrint.interval_end },
    latestPrint,
    'funding_rate',
    asRate,
  );
  return { settled, settledApr: annualise(settled, latestPrint), settledAt: latestPrint.interval_end };
}

function annualise(rate: Quantity, interval: FundingInterval): Quantity {
  return deriveQuantity('fraction', 'Simple APR: rate × 3 × 365', [rate], ([value]) =>
    value ? toApr(value, interval) : null,
  );
}
