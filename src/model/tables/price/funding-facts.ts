import type { ApiResponse } from '../../response.ts';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import type { Estimate } from '../../funding/estimate.ts';
import { toFundingPrice } from '../../funding/funding-prices.ts';
import { findInProgress, toNextInterval, type FundingInterval } from '../../funding/funding-rate.ts';
import { describeFunding } from '../../funding/payer.ts';
import { toPremium } from '../../funding/premium.ts';
import { formatIntervalLength } from '../../format/interval-length.ts';
import type { TicksConversion } from '../../markets/last-price.ts';
import { asRate, asTicks } from '../../units/conversions.ts';
import { toQuantity, type Quantity } from '../../units/quantity.ts';
import type { PriceFact } from './price-fact.ts';

type FundingPage = ApiResponse<{ readonly data: readonly FundingRateData[] }> | undefined;

interface FundingTerms {
  /** Of ticks. */
  readonly conversion: TicksConversion;
  /** Digits after the point of prices in USD. */
  readonly digits: number | undefined;
  /** Why the mark is withheld, or null. */
  readonly markWithheld: string | null;
}

/** Of a perpetual: the last settled rate with the prices it was computed at, all of its funding time, and the predicted rate of the current interval. */
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
  return [
    {
      name: 'Last funding',
      quantity: rate,
      remark: `${formatIntervalLength({ prints: [latest] })} to`,
      at: latest.interval_end,
      meaning: describeRate(rate),
    },
    toPrice('Index at last funding', 'price_index', null),
    toPrice('Mark at last funding', 'mark_price', markWithheld),
    { name: 'Premium at last funding', quantity: premium, inBasisPoints: true, at: latest.interval_end },
  ];
}

function toPredicted(estimate: Estimate): PriceFact {
  const quantity = toQuantity(
    { source: estimate, dataTime: estimate.answeredAt },
    estimate.value,
    'funding_rate',
    asRate,
  );
  return {
    name: 'Predicted rate',
    quantity,
    remark: 'as of',
    ...(estimate.answeredAt !== null && { at: estimate.answeredAt }),
    meaning: describeRate(quantity),
    notCurrent: estimate.notCurrent,
  };
}

function describeRate({ value }: Quantity): string {
  return value === null ? '' : describeFunding(value);
}

/** The interval whose end is the next funding time; null where the exchange names none. */
export function findCurrentInterval(funding: FundingPage, estimate: Estimate | null): FundingInterval | null {
  const latest = funding?.value.data[0];
  return findInProgress(latest === undefined ? null : toNextInterval(latest), estimate?.value ?? null);
}
