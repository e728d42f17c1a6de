import type { MarketRow } from '#domain/market-rows.ts';
import type { MarketColumn } from './figure-cells.ts';
import type { MarketQuery, MarketQueryName } from '../data/use-market-data.ts';

/** Which answers a column is filled from. Estimates come one by one and say so themselves. */
const SOURCES: Readonly<Record<string, readonly MarketQueryName[]>> = {
  last: ['data', 'voi'],
  settlement: ['data', 'voi'],
  trend: ['voi'],
  change: ['data', 'voi'],
  changePercent: ['data'],
  volume: ['trailing'],
  volumeUsd: ['trailing'],
  openInterest: ['voi'],
  openInterestUsd: ['voi'],
  openInterestDate: ['voi'],
  funding: ['funding'],
  apr: ['funding'],
};

/** Answers that were asked for and have neither come nor failed. */
export function findPending(parts: readonly MarketQuery[]): readonly MarketQueryName[] {
  return parts.filter(({ query: { data, error } }) => data === undefined && error === null).map(({ part }) => part);
}

/** Columns of answers that are still awaited show that they are, not that there is no figure. */
export function markPending(columns: readonly MarketColumn[], awaited: readonly MarketQueryName[]): readonly MarketColumn[] {
  return columns.map((column) => {
    const isAwaited = SOURCES[column.id]?.some((part) => awaited.includes(part)) === true;
    return isAwaited ? { ...column, note: 'Not read yet.', text: (row) => (isMissing(column, row) ? '…' : column.text(row)) } : column;
  });
}

function isMissing({ id, value }: MarketColumn, row: MarketRow): boolean {
  if ((id === 'funding' || id === 'apr') && row.funding === null) return false;
  return value(row) === null;
}
