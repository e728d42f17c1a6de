import { arrangeRows, type Arrangeable, type ArrangedRows } from './arrange-rows.ts';
import { orderRows, type RowOrder } from './row-order.ts';

interface Arranging<Row> extends Arrangeable<Row> {
  /** Rows stay where they are: changed ones are replaced, others neither come nor go. */
  readonly held: boolean;
}

export interface HeldRows<Row> extends ArrangedRows<Row> {
  /** Rows that came and that went since they are held. */
  readonly waiting: number;
}

interface Shown<Row> {
  readonly rows: readonly Row[];
  readonly order: RowOrder;
  readonly arrangement: unknown;
}

/** Arranges rows anew whenever asked, and remembers what is shown, for when it has to stay. */
export function createArranger<Row>(): (arranging: Arranging<Row>) => HeldRows<Row> {
  let shown: Shown<Row> | null = null;
  return (arranging) => {
    const { columns, arrangement, keyOf, isCounted } = arranging;
    const before = arranging.held ? shown : null;
    const held = before === null ? null : holdRows(before.rows, arranging.rows, keyOf);
    const rows = held?.rows ?? arranging.rows;
    const order = before?.arrangement === arrangement ? before.order : orderRows(rows, columns, arrangement, isCounted);
    shown = { rows, order, arrangement };
    return { ...arrangeRows({ ...arranging, rows }, order), waiting: held?.waiting ?? 0 };
  };
}

function holdRows<Row>(shown: readonly Row[], next: readonly Row[], keyOf: (row: Row) => string) {
  const byKey = new Map(next.map((row) => [keyOf(row), row]));
  const rows = shown.map((row) => byKey.get(keyOf(row)) ?? row);
  const gone = shown.reduce((count, row) => count + Number(!byKey.has(keyOf(row))), 0);
  return { rows, waiting: gone + next.length - (shown.length - gone) };
}
