import { PERIODS } from '#domain/bars.ts';
import { RANGE_NAMES } from '#domain/session.ts';
import { rangeParam } from '#ui/chart/range-param.ts';
import { choiceParam, textParam } from '#ui/navigation/url-param.ts';

export const USUAL_RANGE = { name: '6M' } as const;

/** All that the screen's address holds beside the product. */
export const PRICE_PARAMS = {
  range: rangeParam(RANGE_NAMES, USUAL_RANGE.name),
  period: choiceParam('bars', PERIODS, '1D'),
  scale: choiceParam('scale', ['linear', 'log', 'percent'], 'linear'),
  /** Product to compare with, by its id or symbol. */
  against: textParam('vs'),
  /** What a session without trades looks like. */
  gaps: choiceParam('gaps', ['empty', 'flat'], 'empty'),
  view: choiceParam('view', ['chart', 'table'], 'chart'),
} as const;
