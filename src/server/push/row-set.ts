import { crc32 } from 'node:zlib';
import { toTerm } from '#contract/parse/checksum.ts';
import { cutRows, exactChange, fieldOf } from '#contract/parse/row-texts.ts';
import { copyOf, createMatcher, type RowSet } from '#server/core/row-matcher.ts';

/** What turns one set of rows into another. Keys and rows are texts of JSON. */
export interface RowDiff {
  /** The fields that changed, as an object: with them, the row is the new one to the letter. */
  readonly set: (readonly [key: string, fields: string])[];
  /** New rows, and rows that lost a field, are written in another way or belong to another account now. */
  readonly added: string[];
  readonly gone: string[];
}

export interface RowUpdate {
  readonly set: RowSet;
  /** By account: nobody can tell from the changes of one how many there were in others. */
  readonly diffs: ReadonlyMap<string, RowDiff>;
  /** By how much the checksum of all rows grows. */
  readonly growth: number;
}

export interface RowFields {
  readonly key: string;
  readonly account: string | null;
}

/** Compares rows as written with a list, given without its brackets; null where two of its rows share a key, or one has none. */
export function updateRows(before: RowSet, list: string, fields: RowFields): RowUpdate | null {
  const match = createMatcher(before, fields.key);
  const diffs = createDiffs(fields);
  const [keys, rows] = [[] as string[], [] as string[]];
  for (const row of cutRows(list, match.expected)) {
    const found = match.next(row);
    if (found === null) return null;
    const old = found.position === null ? undefined : before.rows[found.position];
    if (old === undefined) diffs.add(row);
    else if (old !== row) diffs.change(found.key, old, row);
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
  return { set: { keys, rows, known: before.known }, diffs: diffs.byAccount, growth: diffs.growth() };
}

/** What a row adds to a checksum. */
export function termOf(text: string): number {
  return toTerm(crc32(text));
}

function createDiffs({ account: field }: RowFields) {
  const byAccount = new Map<string, RowDiff>();
  let growth = 0;
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
    growth: () => growth,
    add: (row: string): void => {
      growth += termOf(row);
      of(row).added.push(row);
    },
    remove: (key: string, row: string): void => {
      growth -= termOf(row);
      of(row).gone.push(key);
    },
    change: (key: string, old: string, row: string): void => {
      growth += termOf(row) - termOf(old);
      const changed = exactChange(old, row);
      const mayHaveMoved = field !== null && (changed === null || changed.includes(`"${field}":`));
      const isMoved = mayHaveMoved && accountOf(old) !== accountOf(row);
      if (isMoved) of(old).gone.push(key);
      if (changed === null || isMoved) of(row).added.push(row);
      else of(row).set.push([key, changed]);
    },
  };
}
