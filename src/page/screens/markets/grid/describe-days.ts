import type { MarketRow } from '#model/markets/market-rows.ts';
import { toSettlementDay, toShortDay } from './columns.ts';

/**
 * Returns the days of the settlements that last prices are compared with: perpetuals settle every day, dated contracts
 * do not. `27/29 Nov`; empty without any.
 */
export function describeSettlements(rows: readonly MarketRow[]): string {
  const days = rows
    .filter(({ changeFraction, ages }) => changeFraction !== null && !ages.hasEarlierSettlement)
    .flatMap((row) => toSettlementDay(row) ?? [])
    .toSorted();
  const [first, last] = [days.at(0), days.at(-1)];
  if (first === undefined || last === undefined) return '';
  if (first === last) return toShortDay(last);
  const [date = '', month = ''] = toShortDay(first).split(' ');
  return `${toShortDay(last).endsWith(month) ? date : toShortDay(first)}/${toShortDay(last)}`;
}
