import { FUNDING_SIDES, RATE_FORMS } from '../../funding/funding-rate.ts';
import { rangeParam } from '../../charts/range-param.ts';
import { choiceParam, textParam, wordsParam } from '../../format/url-param.ts';
import { sortParam } from '../grid.ts';
import { PASTS, WINDOW_NAMES } from './realised.ts';

/** The columns of prediction errors. The predictions are read only while one of them is shown. */
export const PREDICTED_RATE_COLUMNS: readonly string[] = ['prediction-error', 'prediction-bias', 'prediction-sign'];

/** Sortable columns, by their names in the address. */
const SORTED_BY = [
  ...['symbol', 'rank', 'settled', 'form', 'excess', 'premium', 'estimate', 'estimate-form', 'next'],
  ...WINDOW_NAMES.flatMap((name) => [`sum-${name}`, `rate-${name}`]),
  ...['sum-custom', 'rate-custom', 'coverage', 'deviation', 'positive', 'baseline', 'run', 'gaps'],
  ...['percentile', 'zscore', 'underlying', 'oi', 'oiUsd'],
  ...PREDICTED_RATE_COLUMNS,
];

/** What the perpetuals can be ranked by. */
const RANKINGS = ['realised', 'premium', 'stability', 'rate', 'excess', 'percentile', 'zscore', 'predicted'] as const;

export const COMPARE_PARAMS = {
  window: rangeParam(WINDOW_NAMES, '7d'),
  form: choiceParam('form', RATE_FORMS, 'apr'),
  side: choiceParam('side', FUNDING_SIDES, 'market'),
  rankBy: choiceParam('rank', RANKINGS, 'realised'),
  /** The past in which a window is compared with others of its length. */
  past: choiceParam('past', PASTS, '90d'),
  sorting: sortParam('sort', SORTED_BY, [{ id: 'rank', desc: false }]),
  quick: textParam('q'),
  /** The watchlist shown; empty for all perpetuals. */
  watchlist: textParam('only'),
  /** Charted perpetuals, by base symbol. */
  picked: wordsParam('pick'),
  /** Charted perpetuals that the legend hides. */
  hidden: wordsParam('hide'),
  measure: choiceParam('show', ['rate', 'sum'], 'rate'),
  view: choiceParam('view', ['chart', 'table'], 'chart'),
  long: textParam('long'),
  short: textParam('short'),
  spreadView: choiceParam('spread', ['chart', 'table'], 'chart'),
  heat: choiceParam('heat', ['90', '270', '540'], '90'),
  heatView: choiceParam('map', ['chart', 'table'], 'chart'),
} as const;

export type RankBy = ReturnType<typeof COMPARE_PARAMS.rankBy.read>;
export type Measure = ReturnType<typeof COMPARE_PARAMS.measure.read>;
