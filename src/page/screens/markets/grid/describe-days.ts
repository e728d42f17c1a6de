import type { Day } from '#contract/exchange/instant.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { toSettlementDay, toShortDay } from './columns.ts';

/** Returns the days of the settlements that last prices are compared with; empty without any. */
export function describeSettlements(rows: readonly MarketRow[]): string {
  return describeDays(
    rows
      .filter(({ changeFraction, ages }) => changeFraction !== null && !ages.hasEarlierSettlement)
      .flatMap((row) => toSettlementDay(row) ?? []),
  );
}

/**
 * Returns the days of open interest; earlier ones have their own column, which then marks them. Empty without any. Its
 * columns are narrow, so the month of the first day, which is at most a weekend before, is left out.
 */
export function describeInterest(rows: readonly MarketRow[]): string {
  const days = rows.flatMap(({ openInterestDate: day, ages }) => (ages.hasEarlierInterest ? [] : (day ?? [])));
  return describeDays(days).replace(/ \w+\//, '/');
}

/** Perpetuals settle every day, dated contracts do not: `27/29 Nov`. */
function describeDays(unordered: readonly Day[]): string {
  const days = unordered.toSorted();
  const [first, last] = [days.at(0), days.at(-1)];
  if (first === undefined || last === undefined) return '';
  if (first === last) return toShortDay(last);
  const [date = '', month = ''] = toShortDay(first).split(' ');
  return `${toShortDay(last).endsWith(month) ? date : toShortDay(first)}/${toShortDay(last)}`;
}
