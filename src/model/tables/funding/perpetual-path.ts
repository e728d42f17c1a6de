import type { Day } from '#contract/exchange/instant.ts';
import type { RangeName } from '../../time/date-range.ts';
import { addDays } from '../../time/session.ts';
import { COMPARE_PARAMS } from './compare-params.ts';
import { type HistoryRange, PERPETUAL_PARAMS, RANGE_DAYS, RANGES } from './perpetual-params.ts';

/**
 * Returns the address of a perpetual, with the range, rate unit and sign convention of the comparison. A custom range
 * becomes the period of the carry, and the shortest named range that contains it that of the chart.
 */
export function toPerpetualPath(symbol: string, comparison: URLSearchParams, today: Day): string {
  const query = new URLSearchParams();
  const range = COMPARE_PARAMS.window.read(comparison);
  if ('from' in range) {
    PERPETUAL_PARAMS.range.write(query, coverSince(range.from, today));
    query.set('from', range.from);
    if (range.to !== null) query.set('to', range.to);
  } else PERPETUAL_PARAMS.range.write(query, range.name as HistoryRange);
  PERPETUAL_PARAMS.form.write(query, COMPARE_PARAMS.form.read(comparison));
  PERPETUAL_PARAMS.side.write(query, COMPARE_PARAMS.side.read(comparison));
  return withQuery(`/funding/${symbol}`, query);
}

function coverSince(from: string, today: Day): HistoryRange {
  return RANGES.find((range) => range !== 'all' && addDays(today, -RANGE_DAYS[range]) <= from) ?? 'all';
}

/** Returns the address of the comparison, with the range, rate unit and sign convention of a perpetual’s address. */
export function toComparePath(perpetual: URLSearchParams): string {
  const query = new URLSearchParams();
  const custom = COMPARE_PARAMS.window.read(perpetual);
  const named = PERPETUAL_PARAMS.range.read(perpetual);
  COMPARE_PARAMS.window.write(query, 'from' in custom ? custom : { name: named === 'all' ? '1y' : named });
  COMPARE_PARAMS.form.write(query, PERPETUAL_PARAMS.form.read(perpetual));
  COMPARE_PARAMS.side.write(query, PERPETUAL_PARAMS.side.read(perpetual));
  return withQuery('/funding', query);
}

/** The ranges of a perpetual’s funding that Price and Volume / OI have, too. */
const PRICE_RANGES: Readonly<Partial<Record<HistoryRange, RangeName>>> = {
  '30d': '1M',
  '90d': '3M',
  '1y': '1Y',
  'all': 'All',
};

/**
 * Returns the range of a perpetual’s address as Price and Volume / OI name it: empty where none is chosen, or they do not
 * have it.
 */
export function toPriceRange(perpetual: URLSearchParams): URLSearchParams {
  const custom = COMPARE_PARAMS.window.read(perpetual);
  if ('from' in custom) return new URLSearchParams({ from: custom.from, ...(custom.to !== null && { to: custom.to }) });
  const name = perpetual.has('range') ? PRICE_RANGES[PERPETUAL_PARAMS.range.read(perpetual)] : undefined;
  return new URLSearchParams(name && { range: name });
}

function withQuery(path: string, query: URLSearchParams): string {
  const search = query.toString();
  return search === '' ? path : `${path}?${search}`;
}
