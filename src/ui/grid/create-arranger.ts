import { arrangeRows, type Arrangeable, type ArrangedRows } from './arrange-rows.ts';
import { orderRows, type RowOrder } from './row-order.ts';

interface Arranging<Row> extends Arrangeable<Row> {
  /** While held, rows keep their places: changed ones are replaced, none is added or removed. */
  readonly held: boolean;
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
  return (arranging) => {
    const { columns, arrangement, keyOf, isCounted } = arranging;
    const before = arranging.held ? shown : null;
    const held = before === null ? null : holdRows(before.rows, arranging.rows, keyOf);
    const rows = held?.rows ?? arranging.rows;
    const order = before?.arrangement === arrangement ? before.order : orderRows(rows, columns, arrangement, isCounted);
    shown = { rows, order, arrangement };
    return { ...arrangeRows({ ...arranging, rows }, order), pending: held?.waiting ?? 0 };
  };
}

function holdRows<Row>(shown: readonly Row[], next: readonly Row[], keyOf: (row: Row) => string) {
  const byKey = new Map(next.map((row) => [keyOf(row), row]));
  const rows = shown.map((row) => byKey.get(keyOf(row)) ?? row);
  const gone = shown.reduce((count, row) => count + Number(!byKey.has(keyOf(row))), 0);
  return { rows, waiting: gone + next.length - (shown.length - gone) };
}
