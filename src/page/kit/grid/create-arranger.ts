import { arrangeRows, type Arrangeable, type ArrangedRows } from '#model/tables/arrange-rows.ts';
import { toRowFilter, type FactsOf, type Test } from '#model/tables/row-filter.ts';
import { orderRows, type RowOrder } from '#model/tables/row-order.ts';

interface Arranging<Row> extends Arrangeable<Row> {
  /** While held, rows keep their places: changed ones are replaced, none is added or removed. */
  readonly held: boolean;
  /** Without it, every row is searched with each update. */
  readonly factsOf?: FactsOf<Row> | undefined;
}

export interface HeldRows<Row> extends ArrangedRows<Row> {
  /** Rows added and removed since the rows are held. */
  readonly pending: number;
}

interface Shown<Row> {
  readonly rows: readonly Row[];
  readonly order: RowOrder;
  readonly arrangement: unknown;
}

/** Arranges rows, and remembers those shown for while they are held. */
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

/** The same filter for as long as it filters by the same, so that it remembers what it found. */
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
