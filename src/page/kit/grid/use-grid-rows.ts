import { useMemo, useState } from 'react';
import type { GridColumn, GridState } from '#model/tables/grid.ts';
import { toRowFilter, type FactsOf, type Test } from '#model/tables/row-filter.ts';
import {
  type Arrangeable,
  type ArrangedRows,
  arrangeRows,
  orderRows,
  type RowOrder,
} from '#model/tables/arrange-rows.ts';

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

/** Returns rows in memory, arranged by the state. Functions and `columns` must keep their identity between renders. */
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

interface Arranging<Row> extends Arrangeable<Row> {
  /** While held, rows keep their places: changed ones are replaced, none is added or removed. */
  readonly held: boolean;
  /** Without it, every row is searched with each update. */
  readonly factsOf?: FactsOf<Row> | undefined;
}

export interface HeldRows<Row> extends ArrangedRows<Row> {
  /** Number of rows added and removed since the rows were held. */
  readonly pending: number;
}

interface Shown<Row> {
  readonly rows: readonly Row[];
  readonly order: RowOrder;
  readonly arrangement: unknown;
}

/**
 * Creates a function that arranges rows, and remembers those shown for the time that they are held.
 *
 * @internal Exported for its test.
 */
export function createArranger<Row>(): (arranging: Arranging<Row>) => HeldRows<Row> {
  let shown: Shown<Row> | null = null;
  const toFilter = createFilterKeeper<Row>();
  return (arranging) => {
    const { columns, arrangement, keyOf, isCounted } = arranging;
    const before = arranging.held ? shown : null;
    const held = before === null ? null : holdRows(before.rows, arranging.rows, keyOf);
    const rows = held?.rows ?? arranging.rows;
    const order =
      before?.arrangement === arrangement
        ? before.order
        : orderRows(rows, columns, arrangement, isCounted, toFilter(arranging));
    shown = { rows, order, arrangement };
    return { ...arrangeRows({ ...arranging, rows }, order), pending: held?.waiting ?? 0 };
  };
}

/** Keeps a filter for as long as its criteria stay the same, so that it remembers its results. */
function createFilterKeeper<Row>(): (arranging: Arranging<Row>) => Test<Row> | null {
  let kept: (Pick<Arranging<Row>, 'columns' | 'arrangement'> & { readonly passes: Test<Row> | null }) | null = null;
  return ({ columns, arrangement, factsOf }) => {
    if (kept?.columns !== columns || kept.arrangement !== arrangement)
      kept = { columns, arrangement, passes: toRowFilter(columns, arrangement, factsOf) };
    return kept.passes;
  };
}

function holdRows<Row>(shown: readonly Row[], next: readonly Row[], keyOf: (row: Row) => string) {
  const byKey = new Map(next.map((row) => [keyOf(row), row]));
  const rows = shown.map((row) => byKey.get(keyOf(row)) ?? row);
  const gone = shown.reduce((count, row) => count + Number(!byKey.has(keyOf(row))), 0);
  return { rows, waiting: gone + next.length - (shown.length - gone) };
}
