import { changedFields, cutRows, fieldOf } from '#contract/parsing/row-texts.ts';

/** The rows of a response, as written, in its order, each with the text of its key. */
export interface RowSet {
  readonly keys: readonly string[];
  readonly rows: readonly string[];
  /** All keys. Handed on from set to set, since filling it anew takes as long as all the rest: only the newest set can be updated. */
  readonly known: Set<string>;
}

/** What turns one set of rows into another. Keys and rows are texts of JSON. */
export interface RowDiff {
  /** The fields that changed, as an object. */
  readonly set: (readonly [key: string, fields: string])[];
  /** New rows, and rows that lost a field or belong to another account now. */
  readonly added: string[];
  readonly gone: string[];
}

export interface RowUpdate {
  readonly set: RowSet;
  /** By account: nobody can tell from the changes of one how many there were in others. */
  readonly diffs: ReadonlyMap<string, RowDiff>;
}

export interface RowFields {
  readonly key: string;
  readonly account: string | null;
}

export function noRows(): RowSet {
  return { keys: [], rows: [], known: new Set() };
}

/** Compares rows as written with a list, given without its brackets; null where two of its rows share a key, or one has none. */
export function updateRows(before: RowSet, list: string, fields: RowFields): RowUpdate | null {
  const match = createMatcher(before, fields.key);
  const diffs = createDiffs(fields);
  const [keys, rows] = [[] as string[], [] as string[]];
  for (const row of cutRows(list)) {
    const found = match.next(row);
    if (found === null) return null;
    if (found.old === undefined) diffs.add(row);
    else if (found.old !== row) diffs.change(found.key, found.old, row);
    keys.push(found.key);
    rows.push(row);
  }
  for (const index of match.missing()) {
    const key = before.keys[index] ?? '';
    diffs.remove(key, before.rows[index] ?? '');
    before.known.delete(key);
  }
  for (const key of match.added) before.known.add(key);
  // Otherwise their order would say which of them are in another account now.
  for (const { gone } of diffs.byAccount.values()) gone.sort();
  return { set: { keys, rows, known: before.known }, diffs: diffs.byAccount };
}

interface Match {
  readonly key: string;
  readonly old: string | undefined;
}

/** How many rows that are gone from between two others are passed over before all keys are searched. */
const NEAR = 8;

/** Finds the earlier form of each row, which usually is the next one. */
function createMatcher(before: RowSet, keyField: string) {
  const matched = new Uint8Array(before.keys.length);
  const added = new Set<string>();
  let index: Map<string, number> | null = null;
  let expected = 0;
  const matchAt = (position: number): Match | null => {
    if (matched[position] === 1) return null;
    matched[position] = 1;
    expected = position + 1;
    return { key: before.keys[position] ?? '', old: before.rows[position] };
  };
  const findPosition = (key: string): number | undefined => {
    if (!before.known.has(key)) return undefined;
    for (let position = expected; position < expected + NEAR; position++) if (before.keys[position] === key) return position;
    index ??= toIndex(before);
    return index.get(key);
  };
  return {
    added,
    /** Null where an earlier row had the same key, or the row has none. */
    next: (row: string): Match | null => {
      if (row === before.rows[expected]) return matchAt(expected);
      const key = fieldOf(row, keyField);
      if (key === undefined) return null;
      const position = findPosition(key);
      if (position !== undefined) return matchAt(position);
      if (added.has(key)) return null;
      const copy = copyOf(key);
      added.add(copy);
      return { key: copy, old: undefined };
    },
    missing: function* (): Iterable<number> {
      for (let position = matched.indexOf(0); position !== -1; position = matched.indexOf(0, position + 1)) yield position;
    },
  };
}

function toIndex({ keys }: RowSet): Map<string, number> {
  return new Map(keys.map((key, position) => [key, position]));
}

/** Rows are slices of the newest response; keys and accounts outlive it, and as slices would keep all of it in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function createDiffs({ account: field }: RowFields) {
  const byAccount = new Map<string, RowDiff>();
  const accountOf = (row: string): string => (field === null ? '' : (fieldOf(row, field) ?? ''));
  const of = (row: string): RowDiff => {
    const account = accountOf(row);
    const known = byAccount.get(account);
    if (known !== undefined) return known;
    const diff = { set: [], added: [], gone: [] };
    byAccount.set(copyOf(account), diff);
    return diff;
  };
  return {
    byAccount,
    add: (row: string): void => void of(row).added.push(row),
    remove: (key: string, row: string): void => void of(row).gone.push(key),
    change: (key: string, old: string, row: string): void => {
      const changed = changedFields(old, row);
      const mayHaveMoved = field !== null && (changed === null || changed.includes(`"${field}":`));
      const isMoved = mayHaveMoved && accountOf(old) !== accountOf(row);
      if (isMoved) of(old).gone.push(key);
      if (changed === null || isMoved) of(row).added.push(row);
      else of(row).set.push([key, changed]);
    },
  };
}
