import type { MarketRow } from '#model/markets/market-rows.ts';
import type { MarketColumnId, TermColumnId } from '#model/tables/markets/market-params.ts';
import type { MarketColumn } from '#model/tables/markets/figure-cells.ts';
import type { MarketQuery, MarketQueryName } from '../data/use-market-data.ts';

/**
 * The requests that fill each column; empty where the column shows for itself what is still loading, or needs only the products, as all columns of terms do.
 *
 * @internal Exported for its test.
 */
export const COLUMN_QUERIES: Readonly<
  Record<Exclude<MarketColumnId, TermColumnId>, readonly MarketQueryName[]> & Partial<Record<TermColumnId, never>>
> = {
  favourite: [],
  symbol: [],
  underlying: [],
  name: [],
  type: [],
  last: ['data', 'voi'],
  lastTrade: ['data'],
  lastDate: ['data'],
  change: ['data', 'voi'],
  changePercent: ['data'],
  settlement: ['data', 'voi'],
  settlementDate: ['data', 'voi'],
  trend: ['voi'],
  volume: ['trailing'],
  volumeUsd: ['trailing'],
  openInterest: ['voi'],
  openInterestUsd: ['voi'],
  openInterestDate: ['voi'],
  funding: ['funding'],
  estimate: [],
  apr: ['funding'],
  boundary: [],
  orders: [],
};

/** Requests that have neither succeeded nor failed yet. */
export function findPending(queries: readonly MarketQuery[]): readonly MarketQueryName[] {
  return queries.filter(({ query: { data, error } }) => data === undefined && error === null).map(({ name }) => name);
}

/** While its requests are pending, a column shows "…" instead of "no value". */
export function markPending(
  columns: readonly MarketColumn[],
  pending: readonly MarketQueryName[],
): readonly MarketColumn[] {
  return columns.map((column) => {
    const isPending = COLUMN_QUERIES[column.id]?.some((name) => pending.includes(name));
    return isPending
      ? { ...column, tooltip: 'Loading…', text: (row) => (isMissing(column, row) ? '…' : column.text(row)) }
      : column;
  });
}

function isMissing({ id, value }: MarketColumn, row: MarketRow): boolean {
  if ((id === 'funding' || id === 'apr') && row.funding === null) return false;
  return value(row) === null;
}
