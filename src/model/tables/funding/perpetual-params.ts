import { CARRY_PRICES, CARRY_SIDES, CARRY_SIZES } from '../../funding/carry.ts';
import { FUNDING_SIDES, RATE_FORMS } from '../../funding/funding-rate.ts';
import { choiceParam, textParam, type UrlParam, wordsParam } from '../../format/url-param.ts';
import { isDay } from '#contract/exchange/instant.ts';

export const RANGES = ['24h', '7d', '30d', '90d', '1y', 'all'] as const;
export type HistoryRange = (typeof RANGES)[number];

const range = choiceParam('range', RANGES, '30d');

export const PERPETUAL_PARAMS = {
  range: {
    read: range.read,
    write: (query, value) => {
      range.write(query, value);
      // Times of a carry stay; days are those of a range that was chosen in the comparison.
      if (isDay(query.get('from') ?? '')) for (const end of ['from', 'to']) query.delete(end);
    },
  } satisfies UrlParam<HistoryRange>,
  form: choiceParam('form', RATE_FORMS, 'apr'),
  side: choiceParam('side', FUNDING_SIDES, 'market'),
  view: choiceParam('view', ['chart', 'table'], 'chart'),
  /** The series that are not drawn, by their names in the legend. */
  hidden: wordsParam('hide'),
  /** The indicators of settled rates, with their parameters: `mean:21`. */
  indicators: wordsParam('ind'),
  predictedView: choiceParam('predicted', ['chart', 'table'], 'chart'),
  /** The side of the sign convention if empty. */
  carrySide: choiceParam('hold', ['', ...CARRY_SIDES], ''),
  carryPrice: choiceParam('price', CARRY_PRICES, 'price_index'),
  carrySize: choiceParam('size', ['', ...CARRY_SIZES], ''),
  contracts: textParam('contracts'),
  notional: textParam('notional'),
  /** Minutes in UTC, `2026-08-17T08:00`, or whole days; the last 30 days if empty. */
  from: textParam('from'),
  to: textParam('to'),
} as const;

export const RANGE_DAYS: Readonly<Record<Exclude<HistoryRange, 'all'>, number>> = {
  '24h': 1,
  '7d': 7,
  '30d': 30,
  '90d': 90,
  '1y': 365,
};
