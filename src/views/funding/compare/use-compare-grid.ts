import { useMemo } from 'react';
import { useVenueTime } from '#api/react/use-venue-time.ts';
import { useGridRows } from '#ui/grid/use-grid-rows.ts';
import { useStoredGrid } from '#ui/grid/use-stored-grid.ts';
import { useNavigator, useUrlState } from '#ui/navigation/navigation.tsx';
import { useClock } from '#ui/time/use-now.tsx';
import { createCompareColumns, type ColumnParts } from './compare-columns.ts';
import { COMPARE_PARAMS } from '../compare-params.ts';
import type { RankedRow } from './ranks.ts';

interface CompareGridOptions extends Pick<ColumnParts, 'form' | 'windows' | 'chosen' | 'rankBy' | 'missingBecause' | 'source'> {
  readonly rows: readonly RankedRow[];
}

export type CompareArrangement = ReturnType<typeof useCompareGrid>;

export function useCompareGrid({ rows, form, windows, chosen, rankBy, missingBecause, source }: CompareGridOptions) {
  const navigator = useNavigator();
  const clock = useClock();
  const toVenueTime = useVenueTime();
  const columns = useMemo(() => createCompareColumns({ form, windows, chosen, rankBy, navigator, clock, toVenueTime, missingBecause, source }), [form, windows, chosen, rankBy, missingBecause, source, navigator, clock, toVenueTime]);
  const [sorts, setSorts] = useUrlState(COMPARE_PARAMS.sorting);
  const arrangement = useMemo(() => ({ sorts }), [sorts]);
  // A custom window adds columns, so its arrangement is stored apart.
  const name = chosen.id === 'custom' ? 'funding-own-days' : 'funding';
  const stored = useStoredGrid({ name, columns, arrangement, arrange: (next) => { setSorts(next.sorts); } });
  const lines = useGridRows({ rows, columns, keyOf: symbolOf, state: stored.state });
  const sorted = useMemo(() => lines.matching(), [lines]);
  return { columns, stored, lines, sorted };
}

function symbolOf({ symbol }: RankedRow): string {
  return symbol;
}
