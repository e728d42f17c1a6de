import type { RowDiff } from '#contract/parse/row-diff.ts';
import { cutRows, fieldOf } from '#contract/parse/row-texts.ts';

/** Rows of a reading, as written, in its order, each with the text of its key. No two share one. */
export interface RowList {
  readonly keys: readonly string[];
  readonly rows: readonly string[];
}

export interface KeyedRow {
  readonly key: string;
  readonly row: string;
  /** In its reading. */
  readonly place: number;
}

/** The way from one list to the next. */
export interface ListStep {
  /** Weak, as its rows would keep the text of an earlier reading in memory. */
  readonly from: WeakRef<RowList>;
  readonly list: RowList;
  readonly diff: RowDiff<KeyedRow>;
  /** How many rows are not in the list: they have no key, or that of an earlier one. */
  readonly left: number;
}

/** A reading compared with the one before it: once, for all who need to know how they differ. */
export interface RowReading extends ListStep {
  /** How many rows each of its texts has in the list. */
  readonly counts: readonly number[];
}

export const NO_ROWS: RowList = { keys: [], rows: [] };

/** Compares lists as written, given without their brackets, with an earlier list. */
export function readRows(from: RowList, texts: readonly string[], keyField: string): RowReading {
  const match = createMatcher(from, keyField);
  const [keys, rows, counts] = [[] as string[], [] as string[], [] as number[]];
  const diff = { added: [] as KeyedRow[], changed: [] as (readonly [KeyedRow, KeyedRow])[], gone: [] as KeyedRow[] };
  const earlierRow = (place: number): KeyedRow => ({
    key: from.keys[place] ?? '',
    row: copyOf(from.rows[place] ?? ''),
    place,
  });
  let left = 0;
  for (const text of texts) {
    const first = keys.length;
    for (const row of cutRows(text, match.expected)) {
      const found = match.next(row);
      if (found === null) {
        left += 1;
        continue;
      }
      const { key, position } = found;
      if (position === null) diff.added.push({ key, row, place: keys.length });
      else if (from.rows[position] !== row) diff.changed.push([earlierRow(position), { key, row, place: keys.length }]);
      keys.push(key);
      rows.push(row);
    }
    counts.push(keys.length - first);
  }
  for (const position of match.missing()) diff.gone.push(earlierRow(position));
  const list = { keys, rows };
  handOnKeys(from, list, diff);
  return { from: new WeakRef(from), list, diff, left, counts };
}

/** The way to a reading, given as its text, from a list that somebody has: `step`, as whoever read it found it, if it begins there. */
export function stepFrom(from: RowList, text: string, keyField: string, step?: ListStep): ListStep {
  if (step?.from.deref() === from) return step;
  const found = readRows(from, [text], keyField);
  // With the list of the reading, the next step begins.
  return step === undefined ? found : { ...found, list: step.list };
}

/** A full list as the difference against nothing. */
export function stepToAll(list: RowList): ListStep {
  const added = list.keys.map((key, place) => ({ key, row: list.rows[place] ?? '', place }));
  return { from: new WeakRef(NO_ROWS), list, diff: { added, changed: [], gone: [] }, left: 0 };
}

export function filterRows({ keys, rows }: RowList, passes: (row: string, key: string) => boolean): RowList {
  const places = [...rows.keys()].filter((place) => passes(rows[place] ?? '', keys[place] ?? ''));
  return { keys: places.map((place) => keys[place] ?? ''), rows: places.map((place) => rows[place] ?? '') };
}

/** Compares one reading after the other. What a cache still has is the same again. */
export function createRowReader(keyField: string): (texts: readonly string[]) => RowReading {
  let last: Pick<RowReading, 'list' | 'left' | 'counts'> & { readonly texts: readonly string[] } = {
    texts: [],
    list: NO_ROWS,
    counts: [],
    left: 0,
  };
  return (texts) => {
    const { list, left, counts } = last;
    const isSame = texts.length === last.texts.length && texts.every((text, part) => text === last.texts[part]);
    if (isSame) return { ...stayAt(list), left, counts };
    const reading = readRows(list, texts, keyField);
    last = { texts, list: reading.list, left: reading.left, counts: reading.counts };
    return reading;
  };
}

/** From a list to itself. */
export function stayAt(list: RowList): ListStep {
  return { from: new WeakRef(list), list, diff: { added: [], changed: [], gone: [] }, left: 0 };
}

/** The keys of the newest lists. Filling such a set anew takes as long as all the rest, so that one list hands it on to the next. */
const keySets = new WeakMap<RowList, Set<string>>();

function keySetOf(list: RowList): Set<string> {
  const known = keySets.get(list) ?? new Set(list.keys);
  keySets.set(list, known);
  return known;
}

function handOnKeys(from: RowList, list: RowList, { added, gone }: RowDiff<KeyedRow>): void {
  const keys = keySetOf(from);
  keySets.delete(from);
  for (const { key } of gone) keys.delete(key);
  for (const { key } of added) keys.add(key);
  keySets.set(list, keys);
}

interface Match {
  readonly key: string;
  /** Of its earlier form; null: it had none. */
  readonly position: number | null;
}

/** How many rows that are gone from between two others are passed over before all keys are searched. */
const NEAR = 8;

/** Finds the earlier form of each row, which usually is the next one. */
function createMatcher(before: RowList, keyField: string) {
  const known = keySetOf(before);
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
    if (!known.has(key)) return undefined;
    for (let position = expected; position < expected + NEAR; position++)
      if (before.keys[position] === key) return position;
    index ??= new Map(before.keys.map((each, position) => [each, position]));
    return index.get(key);
  };
  return {
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

/** Rows are slices of the newest response; keys and accounts outlive it, and as slices would keep all of it in memory. */
export function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
