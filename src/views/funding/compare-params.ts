import { FUNDING_SIDES } from '#domain/funding/my-side.ts';
import { RATE_FORMS } from '#domain/funding/rate-form.ts';
import { rangeParam } from '#ui/chart/range-param.ts';
import { choiceParam, textParam, wordsParam } from '#ui/navigation/url-param.ts';
import { sortParam } from '#ui/table/sort-param.ts';
import { WINDOW_NAMES } from './windows.ts';

/** Columns by which the comparison can be sorted, as addresses name them. */
const SORTED_BY = [
  ...['symbol', 'rank', 'settled', 'form', 'premium', 'estimate', 'next'],
  ...WINDOW_NAMES.flatMap((name) => [`sum-${name}`, `rate-${name}`]),
  ...['sum-custom', 'rate-custom', 'coverage', 'deviation', 'positive', 'baseline', 'run', 'gaps', 'oi'],
];

/** All that the address of the comparison holds. */
export const COMPARE_PARAMS = {
  window: rangeParam(WINDOW_NAMES, '7d'),
  form: choiceParam('form', RATE_FORMS, 'apr'),
  side: choiceParam('side', FUNDING_SIDES, 'market'),
  rankBy: choiceParam('rank', ['rate', 'premium', 'stability'], 'rate'),
  sorting: sortParam('sort', SORTED_BY, [{ id: 'rank', desc: false }]),
  /** Perpetuals that are drawn, by their base symbols. */
  picked: wordsParam('pick'),
  /** Of the picked ones those that the legend hides. */
  hidden: wordsParam('hide'),
  measure: choiceParam('show', ['rate', 'sum', 'apr'], 'rate'),
  view: choiceParam('view', ['chart', 'table'], 'chart'),
  long: textParam('long'),
  short: textParam('short'),
  spreadView: choiceParam('spread', ['chart', 'table'], 'chart'),
  heat: choiceParam('heat', ['90', '270', '540'], '90'),
} as const;

export type RankBy = ReturnType<typeof COMPARE_PARAMS.rankBy.read>;
export type Measure = ReturnType<typeof COMPARE_PARAMS.measure.read>;
