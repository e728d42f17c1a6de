import { fractionalTicks, instant, productId, ratePerInterval } from './fields.ts';
import { row, type Static } from './schema.ts';

/** Funding intervals are eight hours long and begin at 00:00, 08:00 and 16:00 UTC (clause 3). */
export const FUNDING_INTERVAL_HOURS = 8;

/** Clause 2.3: a settled interval. Positive rate: longs pay shorts. Index and mark are in ticks. */
export const FundingRateData = row('FundingRateData', 'A settled funding interval of a perpetual.', {
  product_id: productId('The perpetual.'),
  price_index: fractionalTicks('Price index at calculation time, in ticks.'),
  mark_price: fractionalTicks('Mark price at calculation time, in ticks. It is the interval’s, not a live price.'),
  interest_rate: ratePerInterval('Interest rate component.'),
  funding_rate: ratePerInterval('Final rate; 0.0001 is 0.01 %, one basis point.'),
  interval_start: instant('Start of the interval, inclusive.'),
  interval_end: instant('End of the interval, when the rate became final.'),
});
export type FundingRateData = Static<typeof FundingRateData>;

/** Clause 2.4: the interval in progress. The rate moves until `interval_end`. */
export const EstimatedFundingRateData = row(
  'EstimatedFundingRateData',
  'The funding interval in progress, with the rate as it would be now.',
  {
    funding_rate: ratePerInterval('Estimate; 0.0001 is 0.01 %, one basis point.'),
    interval_start: instant('Start of the interval.'),
    interval_end: instant('When the estimate becomes final.'),
  },
);
export type EstimatedFundingRateData = Static<typeof EstimatedFundingRateData>;
