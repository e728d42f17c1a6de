import type { RowDiff } from '#contract/parse/row-diff.ts';
import { cutRows, fieldOf } from '#contract/parse/row-texts.ts';

/** The rows of a reading, as written and in its order, each with the text of its unique key. */
export interface RowList {
  readonly keys: readonly string[];
  readonly rows: readonly string[];
}

export interface KeyedRow {
  readonly key: string;
  readonly row: string;
  /** The index in its reading. */
  readonly place: number;
}

/** The step from one list to the next. */
export interface ListStep {
  /** Weak, because its rows would keep the text of an earlier reading in memory. */
  readonly from: WeakRef<RowList>;
  readonly list: RowList;
  readonly diff: RowDiff<KeyedRow>;
  /** The number of rows that the list omits: they have no key, or the same as an earlier one. */
  readonly left: number;
}

/** A reading compared with the previous one: once, for everything that needs the difference. */
export interface RowReading extends ListStep {
  /** The number of listed rows in each of its texts. */
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

/** Returns the step from a known list to a reading, given as text. `step` is reused if it begins at that list. */
export function stepFrom(from: RowList, text: string, keyField: string, step?: ListStep): ListStep {
  if (step?.from.deref() === from) return step;
  const found = readRows(from, [text], keyField);
  // The next step begins with the list of the reading.
  return step === undefined ? found : { ...found, list: step.list };
}

/** Returns a full list as the difference against nothing. */
export function stepToAll(list: RowList): ListStep {
  const added = list.keys.map((key, place) => ({ key, row: list.rows[place] ?? '', place }));
  return { from: new WeakRef(NO_ROWS), list, diff: { added, changed: [], gone: [] }, left: 0 };
}

export function filterRows({ keys, rows }: RowList, passes: (row: string, key: string) => boolean): RowList {
  const places = [...rows.keys()].filter((place) => passes(rows[place] ?? '', keys[place] ?? ''));
  return { keys: places.map((place) => keys[place] ?? ''), rows: places.map((place) => rows[place] ?? '') };
}

/** Compares each reading with the previous one. A cached response yields the same reading again. */
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

/** Returns the step from a list to itself. */
export function stayAt(list: RowList): ListStep {
  return { from: new WeakRef(list), list, diff: { added: [], changed: [], gone: [] }, left: 0 };
}

/**
 * The key sets of the newest lists. Filling a set takes as long as everything else together, so each list passes its
 * set on to the next.
 */
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
  /** The index of its earlier form; null if it had none. */
  readonly position: number | null;
}

/** The number of missing rows to skip over before all keys are searched. */
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
    /** Returns the row that usually comes next. */
    expected: expectedRow,
    /** Returns null if an earlier row had the same key, or the row has none. */
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

/**
 * Copies a text out of the response it is a slice of: keys and accounts outlive the response, and as slices would keep
 * all of it in memory.
 */
export function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
