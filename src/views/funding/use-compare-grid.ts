import { useMemo } from 'react';
import { useVenueTime } from '#api/react-venue-time.ts';
import { useGridRows } from '#ui/grid/use-grid-rows.ts';
import { useKeptGrid } from '#ui/grid/use-kept-grid.ts';
import { useNavigator, useUrlState } from '#ui/navigation/navigation.tsx';
import { useClock } from '#ui/time/use-now.tsx';
import { createCompareColumns, type ColumnParts } from './compare-columns.ts';
import { COMPARE_PARAMS } from './compare-params.ts';
import type { RankedRow } from './ranks.ts';

interface CompareGridOptions extends Pick<ColumnParts, 'form' | 'windows' | 'chosen'> {
  readonly rows: readonly RankedRow[];
}

export type CompareArrangement = ReturnType<typeof useCompareGrid>;

/** The comparison's columns and its rows in their order. */
export function useCompareGrid({ rows, form, windows, chosen }: CompareGridOptions) {
  const navigator = useNavigator();
  const clock = useClock();
  const toVenueTime = useVenueTime();
  const columns = useMemo(() => createCompareColumns({ form, windows, chosen, navigator, clock, toVenueTime }), [form, windows, chosen, navigator, clock, toVenueTime]);
  const [sorts, setSorts] = useUrlState(COMPARE_PARAMS.sorting);
  const arrangement = useMemo(() => ({ sorts }), [sorts]);
  // A window of the reader's own brings columns of its own.
  const name = chosen.id === 'custom' ? 'funding-own-days' : 'funding';
  const kept = useKeptGrid({ name, columns, arrangement, arrange: (next) => { setSorts(next.sorts); } });
  const lines = useGridRows({ rows, columns, keyOf: symbolOf, state: kept.state });
  const sorted = useMemo(() => lines.matching(), [lines]);
  return { columns, kept, lines, sorted };
}

function symbolOf({ symbol }: RankedRow): string {
  return symbol;
}
