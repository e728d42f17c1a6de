import type { MarketRow } from '#domain/market-rows.ts';
import type { MarketColumn } from './figures.ts';
import type { MarketPart, PartName } from './use-market-answers.ts';

/** Which answers a column is filled from. Estimates come one by one and say so themselves. */
const SOURCES: Readonly<Record<string, readonly PartName[]>> = {
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
export function findAwaited(parts: readonly MarketPart[]): readonly PartName[] {
  return parts.filter(({ query: { data, error } }) => data === undefined && error === null).map(({ part }) => part);
}

/** Columns of answers that are still awaited show that they are, not that there is no figure. */
export function markAwaited(columns: readonly MarketColumn[], awaited: readonly PartName[]): readonly MarketColumn[] {
  return columns.map((column) => {
    const isAwaited = SOURCES[column.id]?.some((part) => awaited.includes(part)) === true;
    return isAwaited ? { ...column, note: 'Not read yet.', text: (row) => (isMissing(column, row) ? '…' : column.text(row)) } : column;
  });
}

function isMissing({ id, value }: MarketColumn, row: MarketRow): boolean {
  if ((id === 'funding' || id === 'apr') && row.funding === null) return false;
  return value(row) === null;
}
