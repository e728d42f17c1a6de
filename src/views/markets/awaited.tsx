import type { MarketRow } from '#domain/market-rows.ts';
import type { SortableColumn } from '#ui/table/sortable-column.ts';
import styles from './markets-screen.module.css';
import type { MarketPart, PartName } from './use-market-answers.ts';

type Column = SortableColumn<MarketRow>;

/** Which answers a column is filled from. Estimates come one by one and say so themselves. */
const SOURCES: Readonly<Record<string, readonly PartName[]>> = {
  settlement: ['data', 'voi'],
  trend: ['voi'],
  change: ['data'],
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
export function markAwaited(columns: readonly Column[], awaited: readonly PartName[]): readonly Column[] {
  return columns.map((column) => {
    const isAwaited = SOURCES[column.id]?.some((part) => awaited.includes(part)) === true;
    return isAwaited ? { ...column, cell: (row) => (isMissing(column, row) ? <Awaited /> : column.cell(row)) } : column;
  });
}

function isMissing({ id, sortBy }: Column, row: MarketRow): boolean {
  if (id === 'trend') return row.trend.length === 0;
  if ((id === 'funding' || id === 'apr') && row.funding === null) return false;
  return sortBy?.(row) === undefined;
}

function Awaited() {
  return <span className={styles['awaited']} role="img" aria-label="not read yet" />;
}
