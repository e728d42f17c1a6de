import { memo, type Ref, useCallback, useEffect, useMemo } from 'react';
import type { GridState } from '#model/tables/grid-state.ts';
import { useAddress, useNavigator, useUrlState } from '../../../kit/navigation/navigation.tsx';
import {
  createColumns,
  findDatesShown,
  findInterestDay,
  toNarrow,
  toPath,
  toWide,
  toWidest,
  UNDERLYING,
  UNKNOWN_UNDERLYING,
} from './columns.ts';
import { closedGroups, grouping, sorting, typeFilter } from '#model/tables/markets/market-params.ts';
import { useMay } from '../../../client/react/use-may.ts';
import { useVenueTime } from '../../../client/react/use-venue-time.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { ColumnsButton } from '../../../kit/grid/columns-button.tsx';
import type { GridCell, GridHandle } from '../../../kit/grid/grid-props.ts';
import { Grid } from '../../../kit/grid/grid.tsx';
import { useGridRows } from '../../../kit/grid/use-grid-rows.ts';
import type { ColumnLayout } from '../../../kit/grid/layout-store.ts';
import { useStoredGrid } from '../../../kit/grid/use-stored-grid.ts';
import { useLinkedGrid } from '../../../kit/grid/use-linked-grid.ts';
import { NARROW, useMedia } from '../../../kit/use-media.ts';
import { useClock } from '../../../kit/time/use-now.tsx';
import type { LazyCode } from '../../../kit/lazy.tsx';
import type { TextMarks } from '../../../kit/grid/text-marks.ts';
import { useShallowStable } from '../../../kit/use-stable.ts';
import { markPending } from './pending-columns.ts';
import { useStar } from '../watchlists/watchlists.tsx';
import type { MarketColumn } from '#model/tables/markets/figure-cells.ts';
import { toTyped, toTypedLayout } from './type-columns.ts';
import { MarketFooter } from './market-footer.tsx';
import { countAlignedDigits } from '#model/tables/markets/format-price.ts';
import { createPendingTermColumns } from '#model/tables/markets/pending-term-columns.ts';
import type { ListCode } from './list-code.ts';
import type { MarketQueryName } from '../data/use-market-data.ts';

/** Sorting, grouping and collapsed groups of the list, as the address holds them. */
function useUrlGridState() {
  const [sorts, setSorts] = useUrlState(sorting);
  const [group] = useUrlState(grouping);
  const [closed, setClosed] = useUrlState(closedGroups);
  const arrangement = useMemo(
    () => ({ sorts, grouping: group === 'none' ? [] : [UNDERLYING], closed: new Set(closed.map(toKey)) }),
    [sorts, group, closed],
  );
  const arrange = (next: GridState): void => {
    if (next.sorts !== sorts) setSorts(next.sorts);
    if (next.closed !== arrangement.closed) setClosed([...next.closed].map(toName));
  };
  const isLinked = useAddress().query.has('sort');
  const linked = useMemo(() => (isLinked ? sorts.map(({ id }) => id) : []), [isLinked, sorts]);
  return { arrangement, arrange, linked };
}

const UNNAMED = 'unknown';

/** The grid's key of a group, from its name in the address. */
function toKey(name: string): string {
  return `/${encodeURIComponent(name === UNNAMED ? UNKNOWN_UNDERLYING : name)}`;
}

function toName(key: string): string {
  const name = decodeURIComponent(key.slice(1));
  return name === UNKNOWN_UNDERLYING ? UNNAMED : name;
}

interface MarketGridProps {
  readonly rows: readonly MarketRow[];
  /** Including rows that the filter hides, so that filtering does not change the columns. */
  readonly all: readonly MarketRow[];
  /** Names of the pending requests, joined by commas: equal as long as they are the same. */
  readonly pending: string;
  readonly handle: Ref<GridHandle>;
  readonly later: LazyCode<ListCode>;
  /** What the filter matched. */
  readonly marked: readonly string[];
}

/** The list with its footer. Drawn again only when its rows or columns change, not whenever a request starts. */
export const MarketGrid = memo(function MarketGrid({ rows, all, pending, handle, later, marked }: MarketGridProps) {
  const isNarrow = useMedia(NARROW);
  const columns = useColumns({ all, pending, isNarrow, later, marks: useMarks(later.code, marked) });
  const kept = useStoredGrid({ ...useLayoutNames(isNarrow), columns, ...useUrlGridState() });
  const lines = useGridRows({ rows, columns, keyOf, state: kept.state });
  const shown = useMemo(() => lines.matching(), [lines]);
  const explain = useExplain();
  const { grid, columnsButton } = useLinkedGrid({ columns, stored: kept, explain, toPath });
  return (
    <>
      <Grid label="Markets" rows={lines} handle={handle} {...grid} />
      <MarketFooter rows={shown} total={all.length} code={later.code}>
        <ColumnsButton {...columnsButton} />
      </MarketFooter>
    </>
  );
});

/** Wide enough for whole names. */
const WIDE = '(width >= 1700px)';
/** Wide enough for the terms of contracts, too. */
const WIDEST = '(width >= 2520px)';

interface ColumnsParts extends Pick<MarketGridProps, 'all' | 'pending' | 'later'> {
  readonly isNarrow: boolean;
  readonly marks: TextMarks | null;
}

function useColumns({
  all,
  pending,
  isNarrow,
  later: { code, hasFailed },
  marks,
}: ColumnsParts): readonly MarketColumn[] {
  const alignedDigits = countAlignedDigits(all);
  const datesShown = useShallowStable(findDatesShown(all));
  const interestDay = findInterestDay(all);
  const [type] = useUrlState(typeFilter);
  const isWide = useMedia(WIDE);
  const isWidest = useMedia(WIDEST);
  const navigator = useNavigator();
  const clock = useClock();
  const toVenueTime = useVenueTime();
  const star = useStar();
  const mayOpenOrders = useMay('orders');
  return useMemo(() => {
    const terms = code?.createTermColumns(navigator) ?? createPendingTermColumns(hasFailed);
    const columns = markPending(
      createColumns({
        alignedDigits,
        datesShown,
        interestDay,
        navigator,
        clock,
        toVenueTime,
        star,
        terms,
        trend: code?.trendCells,
        tooltips: code?.headerTooltips,
        marks,
      }),
      pending.split(',') as MarketQueryName[],
    );
    return toTyped(
      isNarrow ? toNarrow(columns) : isWidest ? toWidest(columns) : isWide ? toWide(columns) : columns,
      type,
    ).filter(({ id }) => mayOpenOrders || id !== 'orders');
  }, [
    alignedDigits,
    datesShown,
    pending,
    isNarrow,
    isWide,
    isWidest,
    navigator,
    clock,
    toVenueTime,
    star,
    code,
    hasFailed,
    marks,
    interestDay,
    type,
    mayOpenOrders,
  ]);
}

/** Each type of product has its own columns; until they are changed, they follow the layout of all products. */
function useLayoutNames(isNarrow: boolean) {
  const [type] = useUrlState(typeFilter);
  const all = isNarrow ? 'markets-narrow' : 'markets';
  return type === 'all'
    ? { name: all }
    : {
        name: `${all}-${type}`,
        inherited: { name: all, adapt: (layout: ColumnLayout) => toTypedLayout(layout, type) },
      };
}

function keyOf({ productId }: MarketRow): string {
  return String(productId);
}

/** Null until their code has loaded. */
function useMarks(code: ListCode | null, marked: readonly string[]): TextMarks | null {
  const marks = useMemo(() => code?.createTextMarks() ?? null, [code]);
  useEffect(() => marks?.mark(marked), [marks, marked]);
  return marks;
}

/** Loads the tooltips' code on first use. */
function useExplain() {
  const clock = useClock();
  const toVenueTime = useVenueTime();
  return useCallback(
    async ({ row, column }: GridCell<MarketRow>) => {
      const { createMarketTooltip } = await import('#model/tables/markets/market-tooltips.ts');
      return createMarketTooltip(row, column.id, toVenueTime(clock.read()));
    },
    [clock, toVenueTime],
  );
}
