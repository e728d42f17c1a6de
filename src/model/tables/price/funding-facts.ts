import type { Instant } from '#contract/exchange/instant.ts';
import { asRate, asTicks, type Quantity, toQuantity } from '../../units/quantity.ts';
import type { ApiResponse } from '../../response.ts';
import type { FundingRateData } from '#contract/exchange/market-data.ts';
import type { Estimate } from '../../funding/estimate.ts';
import { toFundingPrice, toPremium } from '../../funding/funding-prices.ts';
import {
  describeFunding,
  findInProgress,
  type FundingInterval,
  type PublishedRate,
  toNextInterval,
} from '../../funding/funding-rate.ts';
import { formatIntervalLength } from '../../funding/funding-faults.ts';
import type { TicksConversion } from '../../markets/market-prices.ts';

/** A figure of the header in one unit. */
export interface PriceFact {
  readonly name: string;
  readonly quantity: Quantity;
  readonly signed?: boolean;
  /** Fraction digits; as many as published if absent. */
  readonly digits?: number;
  readonly remark?: string;
  /** The time of the figure, if it is not a day. */
  readonly at?: Instant;
  /** The meaning of the figure in words. */
  readonly meaning?: string;
  /** Whether a fraction is shown in basis points. */
  readonly inBasisPoints?: boolean;
  /** Why the figure is out of date, or null. */
  readonly notCurrent?: string | null;
  /** For a rate: as published. */
  readonly published?: PublishedRate;
  /** For the price of a trade: the time of the trade. */
  readonly tradedAt?: Instant;
}

type FundingPage = ApiResponse<{ readonly data: readonly FundingRateData[] }> | undefined;

interface FundingTerms {
  /** Converts ticks. */
  readonly conversion: TicksConversion;
  /** Fraction digits of prices in USD. */
  readonly digits: number | undefined;
  /** Why the mark is withheld, or null. */
  readonly markWithheld: string | null;
}

/**
 * Lists a perpetual’s funding figures: the last settled rate and the prices it was computed at, all of its funding
 * time, and the predicted rate of the current interval.
 */
export function toFundingFacts(
  funding: FundingPage,
  estimate: Estimate | null,
  terms: FundingTerms,
): readonly PriceFact[] {
  const latest = funding?.value.data[0];
  const settled = funding === undefined || latest === undefined ? [] : toSettledFacts(funding, latest, terms);
  const [rate, ...prices] = settled;
  return [...(rate === undefined ? [] : [rate]), ...(estimate === null ? [] : [toPredicted(estimate)]), ...prices];
}

function toSettledFacts(
  funding: NonNullable<FundingPage>,
  latest: FundingRateData,
  { conversion, digits, markWithheld }: FundingTerms,
): readonly PriceFact[] {
  const at = { source: funding, dataTime: latest.interval_end };
  const rate = toQuantity(at, latest, 'funding_rate', asRate);
  const inTicks = { ...asTicks, withheld: markWithheld };
  const premium = toPremium(
    toFundingPrice(at, latest, 'mark_price', inTicks),
    toFundingPrice(at, latest, 'price_index', asTicks),
  );
  const toPrice = (name: string, field: 'price_index' | 'mark_price', withheld: string | null): PriceFact => {
    const quantity = toFundingPrice(at, latest, field, { ...conversion, withheld: conversion.withheld ?? withheld });
    return {
      name,
      quantity,
      at: latest.interval_end,
      ...(quantity.unit === 'USD' && digits !== undefined && { digits }),
    };
  };
  const length = formatIntervalLength({ prints: [latest] });
  return [
    {
      name: 'Last funding',
      quantity: rate,
      // The unit says 8 h already.
      remark: length === '8 h' ? 'to' : `${length} to`,
      at: latest.interval_end,
      meaning: describeRate(rate),
      published: latest,
    },
    toPrice('Index at last funding', 'price_index', null),
    toPrice('Mark at last funding', 'mark_price', markWithheld),
    { name: 'Premium at last funding', quantity: premium, inBasisPoints: true, at: latest.interval_end },
  ];
}

function toPredicted(estimate: Estimate): PriceFact {
  const quantity = toQuantity(
    { source: estimate, dataTime: estimate.respondedAt },
    estimate.value,
    'funding_rate',
    asRate,
  );
  return {
    name: 'Predicted rate',
    quantity,
    meaning: describeRate(quantity),
    notCurrent: estimate.notCurrent,
    published: estimate.value,
  };
}

function describeRate({ value }: Quantity): string {
  return value === null ? '' : describeFunding(value);
}

/** Returns the interval that ends at the next funding time; null if the exchange names none. */
export function findCurrentInterval(funding: FundingPage, estimate: Estimate | null): FundingInterval | null {
  const latest = funding?.value.data[0];
  return findInProgress(latest === undefined ? null : toNextInterval(latest), estimate?.value ?? null);
}
