import { crc32 } from 'node:zlib';
import { toTerm } from '#contract/parse/checksum.ts';
import type { RowDiff } from '#contract/parse/row-diff.ts';
import { exactChange, fieldOf } from '#contract/parse/row-texts.ts';
import { copyOf, type KeyedRow } from '#server/core/row-list.ts';

/**
 * As it is on the wire, in texts of JSON: changed rows as the fields that changed, with which the row is the new one to the
 * letter. Rows that lost a field, are written in another way or belong to another account now are added.
 */
export type WireDiff = RowDiff<string, readonly [key: string, fields: string], string>;

interface Changes extends WireDiff {
  readonly added: string[];
  readonly changed: (readonly [key: string, fields: string])[];
  readonly gone: string[];
}

/** The changes of rows by the account in a field: nobody can tell from those of one how many there were in others. */
export function toAccountChanges(diff: RowDiff<KeyedRow>, field: string | null): ReadonlyMap<string, WireDiff> {
  const byAccount = new Map<string, Changes>();
  const accountOf = (row: string): string => (field === null ? '' : (fieldOf(row, field) ?? ''));
  const changesOf = (row: string): Changes => {
    const account = accountOf(row);
    const changes = byAccount.get(account) ?? { added: [], changed: [], gone: [] };
    if (!byAccount.has(account)) byAccount.set(copyOf(account), changes);
    return changes;
  };
  for (const { row } of diff.added) changesOf(row).added.push(row);
  for (const { key, row } of diff.gone) changesOf(row).gone.push(key);
  for (const [{ key, row: old }, { row }] of diff.changed) {
    const fields = exactChange(old, row);
    const mayHaveMoved = field !== null && (fields === null || fields.includes(`"${field}":`));
    const hasMoved = mayHaveMoved && accountOf(old) !== accountOf(row);
    if (hasMoved) changesOf(old).gone.push(key);
    if (fields === null || hasMoved) changesOf(row).added.push(row);
    else changesOf(row).changed.push([key, fields]);
  }
  // Otherwise their order would say which of them are in another account now.
  for (const { gone } of byAccount.values()) gone.sort();
  return byAccount;
}

/** By how much a difference changes the checksum of all rows. */
export function growthOf({ added, changed, gone }: RowDiff<KeyedRow>): number {
  let growth = 0;
  for (const { row } of added) growth += termOf(row);
  for (const { row } of gone) growth -= termOf(row);
  for (const [before, after] of changed) growth += termOf(after.row) - termOf(before.row);
  return growth | 0;
}

/** What a row or a field adds to a checksum. */
export function termOf(text: string): number {
  return toTerm(crc32(text));
}
