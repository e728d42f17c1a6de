import type { DeskProduct } from '#contract/desk.ts';
import type { FundingRateData } from '#contract/funding.ts';
import type { Instant } from '#contract/instant.ts';
import { asRate } from './conversions.ts';
import type { Estimate } from './funding/estimate.ts';
import { findInProgress, toApr, toNextInterval, type FundingInterval } from './funding-rate.ts';
import { deriveQuantity, toQuantity, type Quantity } from './quantity.ts';
import type { Source } from './source.ts';

/** What holding a perpetual costs: the last settled print and the estimate of the interval in progress, never mixed. */
export interface MarketFunding {
  readonly settled: Quantity | null;
  /** Simple; null also where the interval is not of the usual length. */
  readonly settledApr: Quantity | null;
  readonly settledAt: Instant | null;
  readonly estimate: Quantity | null;
  readonly estimateApr: Quantity | null;
  /** Why the estimate is not the latest there is; null where it is, or there is none. */
  readonly estimateNotCurrent: string | null;
  /** The interval in progress, of the estimate or else the one after the last print: when it began, and the boundary to come. */
  readonly interval: FundingInterval | null;
}

interface FundingParts {
  readonly product: DeskProduct;
  readonly funding: Source | undefined;
  readonly prints: FundingRateData | undefined;
}

/** What is settled. Estimates come later, one by one. */
export function toMarketFunding(parts: FundingParts): MarketFunding | null {
  if (parts.product.type !== 'perpetual' && parts.prints === undefined) return null;
  return { ...toSettled(parts), estimate: null, estimateApr: null, estimateNotCurrent: null, interval: parts.prints ? toNextInterval(parts.prints) : null };
}

export function addEstimate(funding: MarketFunding, source: Estimate): MarketFunding {
  const estimate = toQuantity({ source, dataTime: source.answeredAt }, source.value, 'funding_rate', asRate);
  return { ...funding, estimate, estimateApr: annualise(estimate, source.value), estimateNotCurrent: source.notCurrent, interval: findInProgress(funding.interval, source.value) };
}

type Settled = Pick<MarketFunding, 'settled' | 'settledApr' | 'settledAt'>;

function toSettled({ funding, prints }: FundingParts): Settled {
  if (funding === undefined || prints === undefined) return { settled: null, settledApr: null, settledAt: null };
  const settled = toQuantity({ source: funding, dataTime: prints.interval_end }, prints, 'funding_rate', asRate);
  return { settled, settledApr: annualise(settled, prints), settledAt: prints.interval_end };
}

function annualise(rate: Quantity, interval: FundingInterval): Quantity {
  return deriveQuantity('fraction', 'APR, simple: rate × 3 × 365', [rate], ([value]) => (value ? toApr(value, interval) : null));
}
