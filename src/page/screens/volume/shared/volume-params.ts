import { PERIODS, RANGE_NAMES } from '#model/time/date-range.ts';
import { zoomedRange } from '#page/kit/chart/zoom.ts';
import { choiceParam, textParam } from '#model/format/url-param.ts';

export const VOLUME_PARAMS = {
  /** Where earlier addresses name the products, by ID or symbol, separated by commas. Now the path names them. */
  products: textParam('product'),
  /** Used instead of products: a base symbol whose expiries are all shown. */
  series: textParam('series'),
  shown: choiceParam('as', ['total', 'stacked'], 'total'),
  unit: choiceParam('unit', ['contracts', 'usd'], 'contracts'),
  ...zoomedRange(RANGE_NAMES, '6M'),
  period: choiceParam('bars', PERIODS, '1D'),
  scale: choiceParam('scale', ['linear', 'log', 'percent'], 'linear'),
  view: choiceParam('view', ['chart', 'table'], 'chart'),
} as const;
