import { FUNDING_SIDES } from '#model/funding/funding-side.ts';
import { RATE_FORMS } from '#model/funding/rate-form.ts';
import { rangeParam } from '#model/charts/range-param.ts';
import { writeParam } from '#page/kit/navigation/write-query.ts';
import { parseAddress, type Navigator } from '#page/kit/navigation/navigator.ts';
import { choiceParam, textParam, wordsParam } from '#model/format/url-param.ts';
import { sortParam } from '#model/tables/sort-param.ts';
import { WINDOW_NAMES } from '#model/tables/funding/windows.ts';

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

export function isPicked(navigator: Navigator, symbol: string): boolean {
  return readPicked(navigator).includes(symbol);
}

export function togglePicked(navigator: Navigator, symbol: string): void {
  const picked = readPicked(navigator);
  writeParam(
    navigator,
    COMPARE_PARAMS.picked,
    picked.includes(symbol) ? picked.filter((other) => other !== symbol) : [...picked, symbol],
  );
}

function readPicked(navigator: Navigator): readonly string[] {
  return COMPARE_PARAMS.picked.read(parseAddress(navigator.read()).query);
}

export type RankBy = ReturnType<typeof COMPARE_PARAMS.rankBy.read>;
export type Measure = ReturnType<typeof COMPARE_PARAMS.measure.read>;
