import { memo, useMemo } from 'react';
import { groupByUnderlying, type MarketGroup, type MarketTotals } from '#domain/market-order.ts';
import { formatNumber } from '#domain/format-number.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import type { TableSection } from '#ui/table/sortable-column.ts';
import { SortableTable } from '#ui/table/sortable-table.tsx';
import { useSortedRows } from '#ui/table/use-sorted-rows.ts';
import { useMedia } from '#ui/use-media.ts';
import { markAwaited } from './awaited.tsx';
import { createColumns, NAMING_COLUMNS, toNarrow } from './columns.tsx';
import { MarketFooter } from './market-footer.tsx';
import { countMostDigits } from './price-digits.ts';
import type { PartName } from './use-market-answers.ts';
import { closedGroups, grouping, sorting } from './view-params.ts';

interface MarketTableProps {
  readonly rows: readonly MarketRow[];
  /** Also those that a filter hides: the columns keep their measure. */
  readonly all: readonly MarketRow[];
  /** Names of the answers that have not come yet, with commas between them: the same text as long as they are the same. */
  readonly awaited: string;
}

/** The table, and below it what is shown in it, in its order. Drawn again only when its rows or columns are others, not with every request that is on its way. */
export const MarketTable = memo(PlainMarketTable);

function PlainMarketTable({ rows, all, awaited }: MarketTableProps) {
  const [levels, setLevels] = useUrlState(sorting);
  const [group] = useUrlState(grouping);
  const [closed, setClosed] = useUrlState(closedGroups);
  const mostDigits = countMostDigits(all);
  const narrow = useMedia('(width < 700px)');
  const columns = useMemo(() => {
    const marked = markAwaited(createColumns(mostDigits), awaited.split(',') as PartName[]);
    return narrow ? toNarrow(marked) : marked;
  }, [mostDigits, awaited, narrow]);
  const { rows: sorted, orderOf } = useSortedRows({ columns, rows, sorting: levels, onSort: setLevels });
  const sections = group === 'none' ? [{ key: 'all', heading: null, sums: NO_SUMS, rows: sorted }] : groupByUnderlying(sorted).map((each) => toSection(each, closed));
  const toggle = (key: string): void => {
    setClosed(closed.includes(key) ? closed.filter((other) => other !== key) : [...closed, key]);
  };
  return (
    <>
      <SortableTable caption="Markets" columns={columns} sections={sections} orderOf={orderOf} keyOf={keyOf} headingSpan={NAMING_COLUMNS[narrow ? 'narrow' : 'wide']} onToggle={toggle} />
      <MarketFooter rows={sections.flatMap(({ rows: inSection }) => inSection)} total={all.length} />
    </>
  );
}

const NO_SUMS = new Map<string, string>();

function keyOf({ productId }: MarketRow): string {
  return String(productId);
}

function toSection({ underlying, rows, totals }: MarketGroup, closed: readonly string[]): TableSection<MarketRow> {
  const key = underlying ?? 'unknown';
  return {
    key,
    heading: `${underlying ?? 'Underlying not known'} · ${String(rows.length)} ${rows.length === 1 ? 'product' : 'products'}`,
    sums: toSums(totals),
    rows,
    closed: closed.includes(key),
  };
}

function toSums({ volumeUsd, openInterestUsd }: MarketTotals): ReadonlyMap<string, string> {
  return new Map([
    ['volumeUsd', formatNumber(volumeUsd, { digits: 0 })],
    ['openInterestUsd', formatNumber(openInterestUsd, { digits: 0 })],
  ]);
}
