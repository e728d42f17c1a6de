import { type Navigator, parseAddress } from '../../../kit/navigation/navigator.ts';
import { writeParam } from '../../../kit/navigation/write-query.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import type { CompareRow } from '#model/tables/funding/compare-row.ts';
import { useMemo } from 'react';
import { useVenueTime } from '../../../client/react/use-venue-time.ts';
import { useGridRows } from '../../../kit/grid/use-grid-rows.ts';
import { useStoredGrid } from '../../../kit/grid/use-stored-grid.ts';
import { useNavigator, useUrlState } from '../../../kit/navigation/navigation.tsx';
import { useClock } from '../../../kit/time/use-now.tsx';
import { linkCells } from '../../../kit/grid/link-cells.ts';
import { toggleCells } from '../../../kit/grid/toggle-cells.ts';
import { type ColumnParts, CONVERTED, createCompareColumns } from '#model/tables/funding/compare-columns.ts';
import type { RankedRow } from '#model/tables/funding/ranks.ts';
import type { NamedWindow } from '#model/tables/funding/windows.ts';

/** Whether a perpetual is charted, by the address. */
function isPicked(navigator: Navigator, symbol: string): boolean {
  return readPicked(navigator).includes(symbol);
}

function togglePicked(navigator: Navigator, symbol: string): void {
  const picked = readPicked(navigator);
  writeParam(
    navigator,
    COMPARE_PARAMS.picked,
    picked.includes(symbol) ? picked.filter((other) => other !== symbol) : [...picked, symbol],
  );
}

function readPicked(navigator: Navigator): readonly string[] {
  return COMPARE_PARAMS.picked.read(parseAddress(navigator.read()).query);
}

interface CompareGridOptions extends Pick<
  ColumnParts,
  'form' | 'side' | 'windows' | 'chosen' | 'rankBy' | 'missingBecause' | 'source'
> {
  readonly rows: readonly RankedRow[];
}

export type CompareArrangement = ReturnType<typeof useCompareGrid>;

export function useCompareGrid({
  rows,
  form,
  side,
  windows,
  chosen,
  rankBy,
  missingBecause,
  source,
}: CompareGridOptions) {
  const navigator = useNavigator();
  const clock = useClock();
  const toVenueTime = useVenueTime();
  const [sorts, setSorts] = useUrlState(COMPARE_PARAMS.sorting);
  const all = useMemo(
    () =>
      createCompareColumns({
        form,
        side,
        windows,
        chosen,
        rankBy,
        isPicked: (symbol) => isPicked(navigator, symbol),
        drawn: drawCells(navigator),
        clock,
        toVenueTime,
        missingBecause,
        source,
      }),
    [form, side, windows, chosen, rankBy, missingBecause, source, navigator, clock, toVenueTime],
  );
  // Nothing is sorted by a column that is not there, unless the user hides it.
  const shown = useMemo(
    () =>
      all.map((column) =>
        column.hidden === true && sorts.some(({ id }) => id === column.id) ? { ...column, hidden: false } : column,
      ),
    [all, sorts],
  );
  const columns = useMemo(
    () => (form === 'interval' ? shown.filter(({ id }) => !CONVERTED.includes(id)) : shown),
    [shown, form],
  );
  const arrangement = useMemo(() => ({ sorts }), [sorts]);
  // The layout is that of all columns, whichever the rate unit leaves out.
  const stored = useStoredGrid({
    name: LAYOUTS[chosen.id] ?? 'funding',
    columns: shown,
    arrangement,
    arrange: (next) => {
      setSorts(next.sorts);
    },
  });
  const lines = useGridRows({ rows, columns, keyOf: symbolOf, state: stored.state });
  const sorted = useMemo(() => lines.matching(), [lines]);
  return { columns, stored, lines, sorted };
}

/** These windows add columns, so their layouts are stored apart. */
const LAYOUTS: Readonly<Partial<Record<NamedWindow['id'], string>>> = {
  'custom': 'funding-own-days',
  '1y': 'funding-year',
};

function symbolOf({ symbol }: RankedRow): string {
  return symbol;
}

export function toPath({ symbol }: CompareRow): string {
  return `/funding/${symbol}`;
}

function drawCells(navigator: Navigator): NonNullable<ColumnParts['drawn']> {
  return {
    pick: toggleCells<CompareRow>({
      stateAttribute: 'aria-checked',
      isOn: ({ symbol }) => isPicked(navigator, symbol),
      label: ({ symbol }) => `Chart ${symbol}`,
      toggle: ({ symbol }) => {
        togglePicked(navigator, symbol);
      },
      watch: navigator.subscribe,
    }),
    symbol: linkCells<CompareRow>(navigator, { to: toPath }),
  };
}
