import { memo, type Ref, useCallback, useEffect, useMemo, useState } from 'react';
import type { GridState } from '#model/tables/grid.ts';
import { useAddress, useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { createColumns, findShown, toPath, UNDERLYING, UNKNOWN_UNDERLYING } from './columns.ts';
import { closedGroups, grouping, sorting, typeFilter } from '#model/tables/markets/market-list.ts';
import { useMay } from '#page/client/react/use-api.tsx';
import { useVenueTime } from '#page/client/react/use-desk-status.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { ColumnsButton } from '#page/kit/grid/columns-button.tsx';
import type { GridCell, GridHandle } from '#page/kit/grid/grid-props.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { useGridRows } from '#page/kit/grid/use-grid-rows.ts';
import { type ColumnLayout, useLinkedGrid, useStoredGrid } from '#page/kit/grid/use-stored-grid.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { useClock } from '#page/kit/time/use-now.tsx';
import type { LazyCode } from '#page/kit/lazy.tsx';
import type { TextMarks } from '#page/kit/grid/text-marks.ts';
import { useShallowStable } from '#page/kit/use-stable.ts';
import { markPending, toNarrow, toTyped, toTypedLayout, toWide, toWidest } from './adapt-columns.ts';
import { useStar } from '../watchlists/watchlists.tsx';
import { countAlignedDigits, type MarketColumn } from '#model/tables/markets/figure-cells.ts';
import { FooterPlaceholder, MarketFooter } from './market-footer.tsx';
import type { FigureJoin } from '#model/curve/market-figures.ts';
import { LATER_FIGURES } from '#model/markets/price-change-names.ts';
import { createPendingColumns } from '#model/tables/markets/pending-columns.ts';
import type { ListCode } from './list-code.tsx';
import type { MarketQueryName } from '../shared/use-market-data.ts';

/** Returns the sorting, grouping and collapsed groups of the list, as stored in the address. */
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

/** Converts a group's name in the address into the grid's key. */
function toKey(name: string): string {
  return `/${encodeURIComponent(name === UNNAMED ? UNKNOWN_UNDERLYING : name)}`;
}

function toName(key: string): string {
  const name = decodeURIComponent(key.slice(1));
  return name === UNKNOWN_UNDERLYING ? UNNAMED : name;
}

interface MarketGridProps {
  readonly rows: readonly MarketRow[];
  /** All rows, including those hidden by the filter, so that filtering does not change the columns. */
  readonly all: readonly MarketRow[];
  /** The names of pending requests, joined by commas, so that equal sets compare as equal. */
  readonly pending: string;
  readonly handle: Ref<GridHandle>;
  readonly later: LazyCode<ListCode>;
  /** The texts that the filter matched. */
  readonly marked: readonly string[];
}

/** The list with its footer. It is drawn again only when its rows or columns change, not whenever a request starts. */
export const MarketGrid = memo(function MarketGrid({ rows, all, pending, handle, later, marked }: MarketGridProps) {
  const isNarrow = useMedia(NARROW);
  const columns = useColumns({ all, pending, isNarrow, later, marks: useMarks(later.code, marked) });
  const kept = useStoredGrid({ ...useLayoutNames(isNarrow), columns, ...useUrlGridState() });
  const { hidden } = kept.state;
  const wanted = useMemo(() => LATER_FIGURES.filter((name) => !hidden.includes(name)), [hidden]);
  const [{ join }, setLater] = useState<{ readonly join: FigureJoin | null }>({ join: null });
  const withChanges = useMemo(() => (wanted.length === 0 ? rows : (join?.(rows) ?? rows)), [wanted, join, rows]);
  const lines = useGridRows({ rows: withChanges, columns, keyOf, state: kept.state });
  const shown = useMemo(() => lines.matching(), [lines]);
  const explain = useExplain();
  const { grid, columnsButton } = useLinkedGrid({ columns, stored: kept, explain, toPath });
  return (
    <>
      {later.code !== null && wanted.length > 0 && (
        <later.code.LaterFigures rows={all} wanted={wanted} onRead={setLater} />
      )}
      <Grid label="Markets" rows={lines} handle={handle} {...grid} />
      {pending === '' ? (
        <MarketFooter rows={shown} total={all.length} code={later.code}>
          <ColumnsButton {...columnsButton} />
        </MarketFooter>
      ) : (
        <FooterPlaceholder />
      )}
    </>
  );
});

/** Wide enough for full names. */
const WIDE = '(width >= 1700px)';
/** Wide enough for contract terms as well. */
const WIDEST = '(width >= 2540px)';

interface ColumnsInputs extends Pick<MarketGridProps, 'all' | 'pending' | 'later'> {
  readonly isNarrow: boolean;
  readonly marks: TextMarks | null;
}

function useColumns({
  all,
  pending,
  isNarrow,
  later: { code, hasFailed },
  marks,
}: ColumnsInputs): readonly MarketColumn[] {
  const alignedDigits = countAlignedDigits(all);
  const shown = useShallowStable(findShown(all));
  const [type] = useUrlState(typeFilter);
  const ofType = all.filter(({ product }) => type === 'all' || product.type === type);
  const settled = code?.describeSettlements(ofType) ?? '';
  const interestDays = code?.describeInterest(ofType) ?? '';
  const isWide = useMedia(WIDE);
  const isWidest = useMedia(WIDEST);
  const navigator = useNavigator();
  const clock = useClock();
  const toVenueTime = useVenueTime();
  const star = useStar();
  const mayOpenOrders = useMay('orders');
  return useMemo(() => {
    const { terms, changes } =
      code === null
        ? createPendingColumns(hasFailed)
        : { terms: code.createTermColumns(navigator), changes: code.createChangeColumns(shown, alignedDigits) };
    const created = createColumns({
      alignedDigits,
      shown,
      interestDays,
      settled,
      navigator,
      clock,
      toVenueTime,
      star,
      terms,
      changes,
      trend: code?.trendCells,
      marks,
    });
    const columns = markPending(
      code?.completeColumns(created, clock) ?? created,
      pending.split(',') as MarketQueryName[],
    );
    return toTyped(
      isNarrow ? toNarrow(columns) : isWidest ? toWidest(columns) : isWide ? toWide(columns) : columns,
      type,
    ).filter(({ id }) => mayOpenOrders || id !== 'orders');
  }, [
    alignedDigits,
    shown,
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
    interestDays,
    settled,
    type,
    mayOpenOrders,
  ]);
}

/** Each product type has its own columns. Until the user changes them, they follow the layout of all products. */
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

/** Returns null until their code has loaded. */
function useMarks(code: ListCode | null, marked: readonly string[]): TextMarks | null {
  const marks = useMemo(() => code?.createTextMarks() ?? null, [code]);
  useEffect(() => marks?.mark(marked), [marks, marked]);
  return marks;
}

/** Loads the code of the tooltips on first use. */
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
