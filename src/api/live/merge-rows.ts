import type { ApiResponse } from '../api-response.ts';
import type { FollowedTopic } from './protocol.ts';

type Row = Readonly<Record<string, unknown>>;

type RowsPlace = Pick<FollowedTopic, 'key' | 'rowsField'>;

/**
 * The response after some of its rows changed; all other rows stay the same objects. Null where that is not certain to be
 * what the whole response would give: its checks compare rows with one another.
 */
export function mergeRows<T>(previous: ApiResponse<T>, changes: ApiResponse<T>, gone: readonly string[], place: RowsPlace): ApiResponse<T> | null {
  const { key: keyField } = place;
  if (keyField === null || !isClean(previous) || !isClean(changes)) return null;
  const changed = new Map(rowsOf(changes.value, place).map((row) => [row[keyField], row]));
  if (changed.size === 0 && gone.length === 0) return withRows(changes, rowsOf(previous.value, place), place);
  const leaving = new Set(gone.map((key) => JSON.parse(key) as unknown));
  const kept: Row[] = [];
  for (const row of rowsOf(previous.value, place)) {
    const key = row[keyField];
    if (leaving.delete(key)) continue;
    kept.push(changed.get(key) ?? row);
    changed.delete(key);
  }
  if (leaving.size > 0) return null;
  return withRows(changes, [...kept, ...changed.values()], place);
}

function withRows<T>(response: ApiResponse<T>, rows: readonly Row[], { rowsField }: RowsPlace): ApiResponse<T> {
  return { ...response, value: (rowsField === null ? rows : { ...response.value, [rowsField]: rows }) as T };
}

function isClean({ setAside, deviations }: ApiResponse<unknown>): boolean {
  return setAside.length === 0 && deviations.length === 0;
}

function rowsOf(value: unknown, { rowsField }: RowsPlace): readonly Row[] {
  return (rowsField === null ? value : (value as Readonly<Record<string, unknown>>)[rowsField]) as readonly Row[];
}
