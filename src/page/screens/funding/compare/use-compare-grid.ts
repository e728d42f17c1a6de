import { type Navigator, parseAddress, writeParam } from '#page/kit/navigator.ts';
import { COMPARE_PARAMS, PREDICTED_RATE_COLUMNS } from '#model/tables/funding/compare-params.ts';
import type { CompareRow, RankedRow } from '#model/tables/funding/compare-row.ts';
import { useCallback, useMemo, useState } from 'react';
import { toDay } from '#model/time/session.ts';
import { useQuery } from '@tanstack/react-query';
import type { Source } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useVenueTime } from '#page/client/react/use-desk-status.ts';
import { useGridRows } from '#page/kit/grid/use-grid-rows.ts';
import { useStoredGrid } from '#page/kit/grid/use-stored-grid.tsx';
import { useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { useClock } from '#page/kit/time/use-now.tsx';
import { linkCells, toggleCells } from '#page/kit/grid/cell-widgets.ts';
import { type ColumnInputs, createCompareColumns } from '#model/tables/funding/compare-columns.ts';
import { isRepeated, toShownLayout, toStoredLayout } from '#model/tables/funding/shown-layout.ts';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { toPerpetualPath } from '#model/tables/funding/perpetual-path.ts';
import {
  type ComparedPredictedRates,
  comparePredictedRates,
  toPredictedRatesBegin,
  UNREAD_PREDICTED_RATES,
} from '#model/tables/funding/compare-predictions.ts';
import type { NamedWindow } from '#model/tables/funding/realised.ts';

/** Returns whether a perpetual is charted, according to the address. */
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
  ColumnInputs,
  | 'form'
  | 'side'
  | 'windows'
  | 'chosen'
  | 'past'
  | 'rankBy'
  | 'missingBecause'
  | 'awaitsInterest'
  | 'underlyingOf'
  | 'source'
> {
  readonly rows: readonly RankedRow[];
}

/** Reads the predictions of all perpetuals only while a column shows what they were worth. */
function usePredictedRates(rows: readonly RankedRow[], chosen: NamedWindow, source: Source) {
  const { queries } = useApi();
  const [isShown, show] = useState(false);
  const { data, error } = useQuery({
    ...queries.desk.estimates({ begin_time: toPredictedRatesBegin(chosen), near_points: true }),
    enabled: isShown,
  });
  const predictedRates = useMemo((): ComparedPredictedRates => {
    if (!isShown) return UNREAD_PREDICTED_RATES;
    if (data !== undefined) return comparePredictedRates(rows, data, source, chosen);
    return { ...UNREAD_PREDICTED_RATES, missingBecause: error?.message ?? null };
  }, [isShown, data, error, rows, source, chosen]);
  return { predictedRates, isShown, show };
}

export type CompareArrangement = ReturnType<typeof useCompareGrid>;

export function useCompareGrid({
  rows,
  form,
  side,
  windows,
  chosen,
  past,
  rankBy,
  missingBecause,
  awaitsInterest,
  underlyingOf,
  source,
}: CompareGridOptions) {
  const navigator = useNavigator();
  const clock = useClock();
  const toVenueTime = useVenueTime();
  const [sorts, setSorts] = useUrlState(COMPARE_PARAMS.sorting);
  const { predictedRates, isShown, show } = usePredictedRates(rows, chosen, source);
  const toPath = useCallback(
    ({ symbol }: CompareRow) =>
      toPerpetualPath(symbol, parseAddress(navigator.read()).query, toDay(toVenueTime(clock.read()))),
    [navigator, toVenueTime, clock],
  );
  const all = useMemo(
    () =>
      createCompareColumns({
        form,
        side,
        windows,
        chosen,
        past,
        rankBy,
        predictedRates,
        awaitsInterest,
        underlyingOf,
        isPicked: (symbol) => isPicked(navigator, symbol),
        drawn: drawCells(navigator, toPath),
        clock,
        toVenueTime,
        missingBecause,
        source,
      }),
    [
      form,
      side,
      windows,
      chosen,
      past,
      rankBy,
      predictedRates,
      missingBecause,
      awaitsInterest,
      underlyingOf,
      source,
      navigator,
      clock,
      toVenueTime,
      toPath,
    ],
  );
  // A column that the table is sorted by is shown, unless the user hides it.
  const shown = useMemo(
    () =>
      all.map((column) =>
        column.hidden === true && sorts.some(({ id }) => id === column.id) ? { ...column, hidden: false } : column,
      ),
    [all, sorts],
  );
  const columns = useMemo(() => shown.filter(({ id }) => !isRepeated(id, form)), [shown, form]);
  const arrangement = useMemo(() => ({ sorts }), [sorts]);
  // The stored layout covers all columns, including those that the current rate unit omits.
  const stored = useStoredGrid({
    name: LAYOUTS[chosen.id] ?? 'funding',
    columns: shown,
    arrangement,
    arrange: (next) => {
      setSorts(next.sorts);
    },
  });
  const isAnyShown = PREDICTED_RATE_COLUMNS.some((id) => !stored.state.hidden.includes(id));
  if (isAnyShown !== isShown) show(isAnyShown);
  const isNarrow = useMedia(NARROW);
  const state = useMemo(
    () => toShownLayout(stored.state, { rankBy, chosen, form, isNarrow }),
    [stored.state, rankBy, chosen, form, isNarrow],
  );
  const layout = {
    ...stored,
    state,
    set: (next: typeof state) => {
      stored.set(toStoredLayout(next, state, stored.state));
    },
  };
  const lines = useGridRows({ rows, columns, keyOf: symbolOf, state });
  const sorted = useMemo(() => lines.matching(), [lines]);
  return { columns, toPath, stored: layout, lines, sorted, predictedRates };
}

/** These windows add columns, so their layouts are stored separately. */
const LAYOUTS: Readonly<Partial<Record<NamedWindow['id'], string>>> = {
  'custom': 'funding-own-days',
  '1y': 'funding-year',
};

function symbolOf({ symbol }: RankedRow): string {
  return symbol;
}

function drawCells(navigator: Navigator, toPath: (row: CompareRow) => string): NonNullable<ColumnInputs['drawn']> {
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
