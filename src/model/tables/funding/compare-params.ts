import { FUNDING_SIDES } from '../../funding/funding-side.ts';
import { RATE_FORMS } from '../../funding/rate-form.ts';
import { rangeParam } from '../../charts/range-param.ts';
import { choiceParam, textParam, wordsParam } from '../../format/url-param.ts';
import { sortParam } from '../sort-param.ts';
import { WINDOW_NAMES } from './windows.ts';

/** Sortable columns, by their names in the address. */
const SORTED_BY = [
  ...['symbol', 'rank', 'settled', 'form', 'excess', 'premium', 'estimate', 'estimate-form', 'next'],
  ...WINDOW_NAMES.flatMap((name) => [`sum-${name}`, `rate-${name}`]),
  ...['sum-custom', 'rate-custom', 'coverage', 'deviation', 'positive', 'baseline', 'run', 'gaps', 'percentile', 'oi'],
];

/** What the perpetuals can be ranked by. */
const RANKINGS = ['realised', 'premium', 'stability', 'rate', 'excess', 'percentile', 'predicted'] as const;

export const COMPARE_PARAMS = {
  window: rangeParam(WINDOW_NAMES, '7d'),
  form: choiceParam('form', RATE_FORMS, 'apr'),
  side: choiceParam('side', FUNDING_SIDES, 'market'),
  rankBy: choiceParam('rank', RANKINGS, 'realised'),
  sorting: sortParam('sort', SORTED_BY, [{ id: 'rank', desc: false }]),
  /** Charted perpetuals, by base symbol. */
  picked: wordsParam('pick'),
  /** Those of them that the legend hides. */
  hidden: wordsParam('hide'),
  measure: choiceParam('show', ['rate', 'sum', 'apr'], 'rate'),
  view: choiceParam('view', ['chart', 'table'], 'chart'),
  long: textParam('long'),
  short: textParam('short'),
  spreadView: choiceParam('spread', ['chart', 'table'], 'chart'),
  heat: choiceParam('heat', ['90', '270', '540'], '90'),
  heatView: choiceParam('map', ['chart', 'table'], 'chart'),
} as const;

export type RankBy = ReturnType<typeof COMPARE_PARAMS.rankBy.read>;
export type Measure = ReturnType<typeof COMPARE_PARAMS.measure.read>;
