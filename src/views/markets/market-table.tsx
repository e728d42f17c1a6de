import { useMemo } from 'react';
import { groupByUnderlying, type MarketTotals } from '#domain/market-order.ts';
import { formatNumber } from '#domain/format-number.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import type { TableSection } from '#ui/table/sortable-column.ts';
import { SortableTable } from '#ui/table/sortable-table.tsx';
import { useSortedRows } from '#ui/table/use-sorted-rows.ts';
import { createColumns, NAMING_COLUMNS } from './columns.tsx';
import { countMostDigits } from './price-digits.ts';
import { grouping, sorting } from './view-params.ts';

interface MarketTableProps {
  readonly rows: readonly MarketRow[];
  /** Also those that a filter hides: the columns keep their measure. */
  readonly all: readonly MarketRow[];
}

export function MarketTable({ rows, all }: MarketTableProps) {
  const [levels, setLevels] = useUrlState(sorting);
  const [group] = useUrlState(grouping);
  const mostDigits = countMostDigits(all);
  const columns = useMemo(() => createColumns(mostDigits), [mostDigits]);
  const { rows: sorted, orderOf } = useSortedRows({ columns, rows, sorting: levels, onSort: setLevels });
  const sections = group === 'none' ? [{ key: 'all', heading: null, sums: NO_SUMS, rows: sorted }] : toSections(sorted);
  return <SortableTable caption="Markets" columns={columns} sections={sections} orderOf={orderOf} keyOf={keyOf} headingSpan={NAMING_COLUMNS} />;
}

const NO_SUMS = new Map<string, string>();

function keyOf({ productId }: MarketRow): string {
  return String(productId);
}

function toSections(rows: readonly MarketRow[]): readonly TableSection<MarketRow>[] {
  return groupByUnderlying(rows).map(({ underlying, rows: members, totals }) => ({
    key: underlying ?? 'unknown',
    heading: `${underlying ?? 'Underlying not known'} · ${String(members.length)} ${members.length === 1 ? 'product' : 'products'}`,
    sums: toSums(totals),
    rows: members,
  }));
}

function toSums({ volumeUsd, openInterestUsd }: MarketTotals): ReadonlyMap<string, string> {
  return new Map([
    ['volumeUsd', formatNumber(volumeUsd, { digits: 0 })],
    ['openInterestUsd', formatNumber(openInterestUsd, { digits: 0 })],
  ]);
}

