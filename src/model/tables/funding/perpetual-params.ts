import { CARRY_PRICES, CARRY_SIDES } from '../../funding/carry.ts';
import { FUNDING_SIDES } from '../../funding/funding-side.ts';
import { RATE_FORMS } from '../../funding/rate-form.ts';
import { choiceParam, textParam } from '../../format/url-param.ts';

export const RANGES = ['7d', '30d', '90d', '1y', 'all'] as const;
export type HistoryRange = (typeof RANGES)[number];

export const PERPETUAL_PARAMS = {
  range: choiceParam('range', RANGES, '30d'),
  form: choiceParam('form', RATE_FORMS, 'apr'),
  side: choiceParam('side', FUNDING_SIDES, 'market'),
  view: choiceParam('view', ['chart', 'table'], 'chart'),
  predictedView: choiceParam('predicted', ['chart', 'table'], 'chart'),
  /** Empty: that of the sign convention. */
  carrySide: choiceParam('hold', ['', ...CARRY_SIDES], ''),
  carryPrice: choiceParam('price', CARRY_PRICES, 'price_index'),
  contracts: textParam('contracts'),
  /** Minutes in UTC, `2026-08-17T08:00`; empty for the last 30 days. */
  from: textParam('from'),
  to: textParam('to'),
} as const;
