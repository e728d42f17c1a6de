import { fractionalTicks, instant, productId, ratePerInterval } from './fields.ts';
import { row, type Static } from './schema.ts';

/** Funding intervals are eight hours long and begin at 00:00, 08:00 and 16:00 UTC (clause 3). */
export const FUNDING_INTERVAL_HOURS = 8;

/** Clause 2.3: a settled interval. A positive rate means that longs pay shorts. Index and mark are in ticks. */
export const FundingRateData = row('FundingRateData', 'A settled funding interval of a perpetual.', {
  product_id: productId('Product id of the perpetual.'),
  price_index: fractionalTicks('Index price when the rate was calculated, in ticks.'),
  mark_price: fractionalTicks('Mark price when the rate was calculated, in ticks. Not a live price.'),
  interest_rate: ratePerInterval('Interest rate component of the funding rate, as a fraction per interval.'),
  funding_rate: ratePerInterval(
    'Settled funding rate as a fraction per interval: 0.0001 is 0.01 %, one basis point. Positive: longs pay shorts.',
  ),
  interval_start: instant('Start of the funding interval, inclusive.'),
  interval_end: instant('End of the funding interval, when the rate settled.'),
});
export type FundingRateData = Static<typeof FundingRateData>;

/** Clause 2.4: the interval in progress. The rate changes until `interval_end`. */
export const EstimatedFundingRateData = row(
  'EstimatedFundingRateData',
  'The current funding interval with its predicted rate.',
  {
    funding_rate: ratePerInterval(
      'Predicted funding rate as a fraction per interval: 0.0001 is 0.01 %, one basis point. Positive: longs pay shorts.',
    ),
    interval_start: instant('Start of the funding interval.'),
    interval_end: instant('End of the funding interval, when the rate settles.'),
  },
);
export type EstimatedFundingRateData = Static<typeof EstimatedFundingRateData>;
