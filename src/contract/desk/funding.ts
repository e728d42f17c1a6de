import { flag, instant, integer, number, productId, ratePerInterval, text } from '../exchange/fields.ts';
import { FundingRateData } from '../exchange/market-data.ts';
import { pageOf } from '../exchange/paging.ts';
import { list, nullable, optional, row, type Static } from '../exchange/schema.ts';

const Pagination = pageOf(FundingRateData, 'DeskFundingPage').properties.pagination;

const FundingYearRank = row(
  'FundingYearRank',
  'Where the newest settled rate stands among those of the 365 days that end with it. Intervals with ' +
    'contradicting rates are not counted.',
  {
    interval_end: instant('End of the interval with the newest settled rate.'),
    intervals: integer('Settled intervals in the 365 days, the newest included.'),
    below: integer('Those of them that settled at a lower rate.'),
    equal: integer('Those of them that settled at the same rate, the newest included.'),
  },
);
export type FundingYearRank = Static<typeof FundingYearRank>;

const RevisedRate = row(
  'RevisedRate',
  'A settled rate that the exchange has published with other values, or no longer publishes.',
  {
    interval_end: instant('End of its interval.'),
    is_withdrawn: flag('Whether the exchange no longer publishes it. It is among the settled rates all the same.'),
    before: FundingRateData,
    noticed_at: instant('When Perpdesk first read the other values, or missed it.'),
  },
);
export type RevisedRate = Static<typeof RevisedRate>;

const PerpetualFunding = row('PerpetualFunding', 'Known settled funding of a perpetual.', {
  base_symbol: text('Base symbol; the product id if the exchange does not publish one.'),
  product_id: productId('The perpetual.'),
  prints: list(FundingRateData),
  known_from: nullable(
    instant('Start of the first known interval, whatever range was requested; null if none is known.'),
  ),
  known_to: nullable(instant('End of the newest known interval, whatever range was requested; null if none is known.')),
  reaches_launch: flag(
    'Whether the exchange confirms that it publishes no earlier rate than the first known one, or that none has ' +
      'settled yet.',
  ),
  left_out: integer(
    'Rows left out because they did not answer the request (of another product, outside the requested range, or of ' +
      'an interval that had not ended), or because a field was missing or malformed.',
  ),
  read_at: nullable(instant('When the exchange last responded; null if never.')),
  year_rank: nullable(FundingYearRank),
  revised: optional(list(RevisedRate)),
  stale_because: nullable(text('Why newer rates could not be read, in a sentence; null if none are missing.')),
});

/**
 * `GET /api/desk/funding`: settled rates from disk, newest first, exactly as the exchange sent them, including
 * duplicates, overlaps, gaps and odd intervals. Rows that do not match the request or the interface are left out and
 * counted. A request for one perpetual is paged.
 */
export const DeskFunding = row('DeskFunding', 'Settled funding of perpetuals.', {
  perpetuals: list(PerpetualFunding),
  pagination: Pagination,
});
export type DeskFunding = Static<typeof DeskFunding>;

const EstimateKept = row('EstimateKept', 'A stored estimate with the rate that settled.', {
  base_symbol: text('Base symbol of the perpetual.'),
  interval_end: instant('End of its interval.'),
  share: number('Elapsed fraction of the interval when it was read, by the exchange’s clock: 0 to 1.'),
  estimate: ratePerInterval('The estimate.'),
  settled: nullable(ratePerInterval('The settled rate; null if there is none yet, or if two contradict each other.')),
  read_at: instant('When the exchange responded.'),
});

/**
 * How often each predicted rate is read while no screen shows it, as a fraction of the funding interval: every 24
 * minutes of 8 hours.
 */
export const PREDICTED_RATE_STEP = 0.05;

/** The points of an interval at which predicted rates are compared with the settled rate, in percent of the interval. */
export const PREDICTED_RATE_POINTS = [25, 50, 75, 95] as const;

/**
 * How old a predicted rate may be at such a point, in percent of the interval: one step, so that each has one in the
 * absence of failures.
 */
export const POINT_REACH = 5;

/**
 * `GET /api/desk/estimates`: stored predicted rates, latest interval first: the last one of each hundredth of an
 * interval. They are read in each twentieth of an interval, and more often while a screen shows them.
 */
export const DeskEstimates = row('DeskEstimates', 'Stored estimates with the rates that settled.', {
  estimates: list(EstimateKept),
});
export type DeskEstimates = Static<typeof DeskEstimates>;
