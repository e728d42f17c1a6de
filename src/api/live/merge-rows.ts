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
  const exchanged = new Map<unknown, Row | null>(gone.map((key) => [JSON.parse(key) as unknown, null]));
  for (const row of rowsOf(changes.value, place)) exchanged.set(row[keyField], row);
  const rows = exchange(rowsOf(previous.value, place), exchanged, keyField);
  return rows && withRows(changes, rows, place);
}

/** Null where a row is to go that is not there. One look-up for each row: there are thousands, with every reading. */
function exchange(rows: readonly Row[], exchanged: Map<unknown, Row | null>, keyField: string): readonly Row[] | null {
  if (exchanged.size === 0) return rows;
  const kept: Row[] = [];
  for (const row of rows) {
    const change = exchanged.get(row[keyField]);
    if (change !== null) kept.push(change ?? row);
    if (change !== undefined) exchanged.delete(row[keyField]);
  }
  for (const added of exchanged.values()) {
    if (added === null) return null;
    kept.push(added);
  }
  return kept;
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
