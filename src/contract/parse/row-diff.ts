/**
 * The difference between one reading of a list and the one before it. Rows are identified by key. A full list is the
 * difference against nothing: all of its rows are added. A row whose owner changes is gone for one owner and added for
 * the other.
 *
 * Streams carry rows, keys and changed fields as JSON texts; a page holds the rows themselves, before and after.
 */
export interface RowDiff<Row, Changed = readonly [before: Row, after: Row], Gone = Row> {
  readonly added: readonly Row[];
  readonly changed: readonly Changed[];
  readonly gone: readonly Gone[];
}

/** The difference from a known list to the next one. A caller that holds another list compares in full. */
export interface ListChange<Row> {
  readonly from: readonly Row[];
  readonly diff: RowDiff<Row>;
}

/** Returns the known difference from one list to another, or computes it. Keys are unique within a list. */
export function diffOf<Row>(
  before: readonly Row[],
  after: readonly Row[],
  change: ListChange<Row> | undefined,
  keyOf: (row: Row) => unknown,
): RowDiff<Row> {
  if (before === after) return { added: [], changed: [], gone: [] };
  return change?.from === before ? change.diff : diffRows(before, after, keyOf);
}

/** Compares two lists. A row that is the same object in both has not changed. */
export function diffRows<Row>(
  before: readonly Row[],
  after: readonly Row[],
  keyOf: (row: Row) => unknown,
): RowDiff<Row> {
  const known = new Map(before.map((row) => [keyOf(row), row]));
  const [added, changed] = [[] as Row[], [] as (readonly [Row, Row])[]];
  for (const row of after) {
    const key = keyOf(row);
    const old = known.get(key);
    if (old === undefined) added.push(row);
    else if (old !== row) changed.push([old, row]);
    known.delete(key);
  }
  return { added, changed, gone: [...known.values()] };
}
