import { flag, instant, number, productId, ratePerInterval, text } from './fields.ts';
import { FundingRateData } from './funding.ts';
import { pageOf } from './paging.ts';
import { list, nullable, row, type Static } from './schema.ts';

const Pagination = pageOf(FundingRateData, 'DeskFundingPage').properties.pagination;

const PerpetualFunding = row('PerpetualFunding', 'The settled funding of a perpetual, as far as it is known.', {
  base_symbol: text('Its series; its product id where the venue does not tell.'),
  product_id: productId('The perpetual.'),
  prints: list(FundingRateData),
  known_from: nullable(instant('Where the first interval known begins, of all that is kept; null where none is.')),
  known_to: nullable(instant('Where the newest interval known ends, of all that is kept; null where none is.')),
  reaches_launch: flag('Whether what is kept begins with the first there is, as far as the venue goes back, or with none since nothing was settled yet.'),
  read_at: nullable(instant('When the venue had last answered; null where it never has.')),
  stale_because: nullable(text('A sentence: why what is newer could not be read; null where nothing is missing.')),
});

/**
 * `GET /api/desk/funding`: settled prints from the desk's disk, newest first, each as the venue sent it: duplicates,
 * overlaps, holes and odd intervals included. The cursor leads on where one perpetual was asked for with a limit.
 */
export const DeskFunding = row('DeskFunding', 'Settled funding of perpetuals.', {
  perpetuals: list(PerpetualFunding),
  pagination: Pagination,
});
export type DeskFunding = Static<typeof DeskFunding>;

const EstimateKept = row('EstimateKept', 'An estimate that was read, and what became of it.', {
  base_symbol: text('Series of the perpetual.'),
  interval_end: instant('End of the interval it is of.'),
  share: number('How much of the interval had passed when it was read, by the venue’s clock: 0 to 1.'),
  estimate: ratePerInterval('The estimate.'),
  settled: nullable(ratePerInterval('The rate that became final; null while there is none, or where two contradict each other.')),
  read_at: instant('When the venue had answered.'),
});

/** `GET /api/desk/estimates`: estimates kept, latest interval first: of each hundredth of an interval the last one read. */
export const DeskEstimates = row('DeskEstimates', 'Estimates that were read, with their outcome.', {
  estimates: list(EstimateKept),
});
export type DeskEstimates = Static<typeof DeskEstimates>;
