import { PERIODS } from '#domain/bars.ts';
import { RANGE_NAMES } from '#domain/session.ts';
import { rangeParam } from '#ui/chart/range-param.ts';
import { choiceParam, textParam } from '#ui/navigation/url-param.ts';

/** All that the screen's address holds. */
export const VOLUME_PARAMS = {
  /** Products by id or symbol, separated by commas. */
  products: textParam('product'),
  /** Instead: all months of the series of a base symbol. */
  series: textParam('series'),
  shown: choiceParam('as', ['total', 'stacked'], 'total'),
  unit: choiceParam('unit', ['contracts', 'usd'], 'contracts'),
  range: rangeParam(RANGE_NAMES, '6M'),
  period: choiceParam('bars', PERIODS, '1D'),
  scale: choiceParam('scale', ['linear', 'log', 'percent'], 'linear'),
  view: choiceParam('view', ['chart', 'table'], 'chart'),
} as const;
