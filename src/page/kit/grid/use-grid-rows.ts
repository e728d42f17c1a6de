import { useMemo, useState } from 'react';
import { createArranger, type HeldRows } from './create-arranger.ts';
import type { GridColumn } from '#model/tables/grid-column.ts';
import type { GridState } from '#model/tables/grid-state.ts';
import type { FactsOf } from '#model/tables/row-filter.ts';

interface GridRowsOptions<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly GridColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly state: GridState;
  /** While true, rows keep their places: changed ones are replaced; added and removed ones are only counted. */
  readonly held?: boolean;
  /** Rows that fail this are shown, but excluded from counts, sums and exports; without it all rows count. */
  readonly isCounted?: (row: Row) => boolean;
  readonly factsOf?: FactsOf<Row>;
}

/** Rows in memory, arranged by the state. Functions and `columns` must keep their identity between renders. */
export function useGridRows<Row>({
  rows,
  columns,
  keyOf,
  state,
  held = false,
  isCounted = isAny,
  factsOf,
}: GridRowsOptions<Row>): HeldRows<Row> {
  const { sorts, grouping, filters, quick, closed } = state;
  const [arrange] = useState(() => createArranger<Row>());
  // Other parts of the state, such as column widths, do not affect the rows.
  const arrangement = useMemo(() => ({ sorts, grouping, filters, quick }), [sorts, grouping, filters, quick]);
  return useMemo(
    () => arrange({ rows, columns, keyOf, arrangement, closed, held, isCounted, factsOf }),
    [arrange, rows, columns, keyOf, arrangement, closed, held, isCounted, factsOf],
  );
}

function isAny(): boolean {
  return true;
}
