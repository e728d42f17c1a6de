import { splitFields } from '#contract/parse/json-split.ts';
import { changedFields } from '#contract/parse/row-texts.ts';
import type { RowText } from './segment/change.ts';

/** The fields in which two rows differ, also those that one of them does not have. */
export function changedNames(before: RowText, row: RowText): readonly string[] {
  const changed = changedFields(before, row);
  if (changed !== null) return [...splitFields(changed).keys()];
  const [old, next] = [splitFields(before), splitFields(row)];
  return [...new Set([...old.keys(), ...next.keys()])].filter((name) => old.get(name) !== next.get(name));
}
