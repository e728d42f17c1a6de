import { fieldOf } from '#contract/parse/row-texts.ts';

/** Rows of a response, as written, in its order, each with the text of its key. */
export interface RowSet {
  readonly keys: readonly string[];
  readonly rows: readonly string[];
  /** All keys. Handed on from set to set, since filling it anew takes as long as all the rest: only the newest set can be updated. */
  readonly known: Set<string>;
}

export function noRows(): RowSet {
  return { keys: [], rows: [], known: new Set() };
}

interface Match {
  readonly key: string;
  /** Of its earlier form in the set before; null: it had none. */
  readonly position: number | null;
}

/** How many rows that are gone from between two others are passed over before all keys are searched. */
const NEAR = 8;

/** Finds the earlier form of each row, which usually is the next one. */
export function createMatcher(before: RowSet, keyField: string) {
  const matched = new Uint8Array(before.keys.length);
  const added = new Set<string>();
  let index: Map<string, number> | null = null;
  let expected = 0;
  const expectedRow = (): string | undefined => before.rows[expected];
  const matchAt = (position: number): Match | null => {
    if (matched[position] === 1) return null;
    matched[position] = 1;
    expected = position + 1;
    return { key: before.keys[position] ?? '', position };
  };
  const findPosition = (key: string): number | undefined => {
    if (!before.known.has(key)) return undefined;
    for (let position = expected; position < expected + NEAR; position++)
      if (before.keys[position] === key) return position;
    index ??= toIndex(before);
    return index.get(key);
  };
  return {
    added,
    /** The row that usually is next. */
    expected: expectedRow,
    /** Null where an earlier row had the same key, or the row has none. */
    next: (row: string): Match | null => {
      if (row === expectedRow()) return matchAt(expected);
      const key = fieldOf(row, keyField);
      if (key === undefined) return null;
      const position = findPosition(key);
      if (position !== undefined) return matchAt(position);
      if (added.has(key)) return null;
      const copy = copyOf(key);
      added.add(copy);
      return { key: copy, position: null };
    },
    missing: function* (): Iterable<number> {
      for (let position = matched.indexOf(0); position !== -1; position = matched.indexOf(0, position + 1))
        yield position;
    },
  };
}

function toIndex({ keys }: RowSet): Map<string, number> {
  return new Map(keys.map((key, position) => [key, position]));
}

/** Rows are slices of the newest response; keys and accounts outlive it, and as slices would keep all of it in memory. */
export function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
