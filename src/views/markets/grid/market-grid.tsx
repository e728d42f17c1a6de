import { memo, useMemo } from 'react';
import type { Ref } from 'react';
import { useVenueTime } from '#api/react/use-venue-time.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import { ColumnsButton } from '#ui/grid/columns-button.tsx';
import type { GridHandle, GridPlace } from '#ui/grid/grid-props.ts';
import { Grid } from '#ui/grid/grid.tsx';
import { useGridRows } from '#ui/grid/use-grid-rows.ts';
import { useKeptGrid } from '#ui/grid/use-stored-grid.ts';
import { useLinkedGrid } from '#ui/grid/use-linked-grid.ts';
import { useNavigator } from '#ui/navigation/navigation.tsx';
import { NARROW, useMedia } from '#ui/use-media.ts';
import { useClock } from '#ui/time/use-now.tsx';
import { markPending } from './pending-columns.ts';
import { createColumns, toNarrow, toPath, toWide } from './columns.ts';
import { useFavouriteStore } from '../filter/favourites.tsx';
import type { MarketColumn } from './figure-cells.ts';
import { MarketFooter } from './market-footer.tsx';
import { countAlignedDigits } from './format-price.ts';
import { useUrlGridState } from './use-url-grid-state.ts';
import type { MarketQueryName } from '../data/use-market-data.ts';

interface MarketGridProps {
  readonly rows: readonly MarketRow[];
  /** Also those that a filter hides: the columns keep their measure. */
  readonly all: readonly MarketRow[];
  /** Names of the answers that have not come yet, with commas between them: the same text as long as they are the same. */
  readonly awaited: string;
  readonly handle: Ref<GridHandle>;
}

/** The list, and below it what is shown in it, in its order. Drawn again only when its rows or columns are others, not with every request that is on its way. */
export const MarketGrid = memo(PlainMarketGrid);

function PlainMarketGrid({ rows, all, awaited, handle }: MarketGridProps) {
  const isNarrow = useMedia(NARROW);
  const columns = useColumns(all, awaited, isNarrow);
  const kept = useKeptGrid({ name: isNarrow ? 'markets-narrow' : 'markets', columns, ...useUrlGridState() });
  const lines = useGridRows({ rows, columns, keyOf, state: kept.state });
  const shown = useMemo(() => lines.matching(), [lines]);
  const { grid, chooser } = useLinkedGrid({ columns, kept, explain, toPath });
  return (
    <>
      <Grid label="Markets" rows={lines} handle={handle} {...grid} />
      <MarketFooter rows={shown} total={all.length}>
        <ColumnsButton {...chooser} />
      </MarketFooter>
    </>
  );
}

/** A screen with room for every column. */
const WIDE = '(width >= 1700px)';

function useColumns(all: readonly MarketRow[], awaited: string, isNarrow: boolean): readonly MarketColumn[] {
  const mostDigits = countAlignedDigits(all);
  const isWide = useMedia(WIDE);
  const navigator = useNavigator();
  const clock = useClock();
  const toVenueTime = useVenueTime();
  const favourites = useFavouriteStore();
  return useMemo(() => {
    const columns = markPending(createColumns({ mostDigits, navigator, clock, toVenueTime, favourites }), awaited.split(',') as MarketQueryName[]);
    if (isNarrow) return toNarrow(columns);
    return isWide ? toWide(columns) : columns;
  }, [mostDigits, awaited, isNarrow, isWide, navigator, clock, toVenueTime, favourites]);
}

function keyOf({ productId }: MarketRow): string {
  return String(productId);
}

/** The words for it come when they are first wanted. */
async function explain({ row, column }: GridPlace<MarketRow>) {
  const { createMarketTooltip } = await import('./market-tooltips.ts');
  return createMarketTooltip(row, column.id);
}
