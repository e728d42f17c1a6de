/**
 * How one reading of a list differs from the one before it. A key tells rows apart. A full list is the difference against
 * nothing: all of its rows are new. A row that changes owner is gone for one and added for the other.
 *
 * Streams carry rows, keys and changed fields as texts of JSON; a page has the rows themselves, as they were and as they are.
 */
export interface RowDiff<Row, Changed = readonly [before: Row, after: Row], Gone = Row> {
  readonly added: readonly Row[];
  readonly changed: readonly Changed[];
  readonly gone: readonly Gone[];
}

/** The way from one list to the next, for whoever holds the first of them: all others compare. */
export interface ListChange<Row> {
  readonly from: readonly Row[];
  readonly diff: RowDiff<Row>;
}

/** Takes the change that leads from one list to another, or compares them. No two rows of a list share a key. */
export function diffOf<Row>(
  before: readonly Row[],
  after: readonly Row[],
  change: ListChange<Row> | undefined,
  keyOf: (row: Row) => unknown,
): RowDiff<Row> {
  if (before === after) return { added: [], changed: [], gone: [] };
  return change?.from === before ? change.diff : diffRows(before, after, keyOf);
}

/** A row that is the same object in both lists has not changed. */
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
