import { countDeviations, type DeviatingRow } from '#contract/parse/parse.ts';
import type { RowDiff } from '#contract/parse/row-diff.ts';
import type { ApiResponse } from '#model/response.ts';
import type { FollowedTopic } from './protocol.ts';

type Row = Readonly<Record<string, unknown>>;

type RowsPlace = Pick<FollowedTopic, 'key' | 'rowsField'>;

/**
 * The response after some of its rows changed, and how it came about; all other rows stay the same objects. Null where that
 * is not certain to be what the whole response would give: some of its checks compare rows with one another.
 */
export function applyRows<T>(
  previous: ApiResponse<T>,
  changes: ApiResponse<T>,
  gone: readonly string[],
  place: RowsPlace,
): ApiResponse<T> | null {
  const { key: keyField } = place;
  if (keyField === null || !isDivisible(previous, keyField) || !isDivisible(changes, keyField)) return null;
  const deviating = new Map([...deviatingOf(previous), ...deviatingOf(changes)].map((each) => [formOf(each), each]));
  const exchanged = new Map<unknown, Row | null>(gone.map((key) => [JSON.parse(key) as unknown, null]));
  for (const row of allRowsOf(changes, place)) exchanged.set(row[keyField], row);
  const from = allRowsOf(previous, place);
  const next = exchange(from, exchanged, keyField);
  if (next === null) return null;
  if (deviating.size > 0) return withDeviating(changes, next.rows, deviating, place);
  return { ...withRows(changes, next.rows, place), change: { from, diff: next.diff } };
}

/** Null where a row is to go that is not there. One look-up for each row: there are thousands, with every reading. */
function exchange(
  from: readonly Row[],
  exchanged: Map<unknown, Row | null>,
  keyField: string,
): { readonly rows: readonly Row[]; readonly diff: RowDiff<Row> } | null {
  const diff = { added: [] as Row[], changed: [] as (readonly [Row, Row])[], gone: [] as Row[] };
  if (exchanged.size === 0) return { rows: from, diff };
  const rows: Row[] = [];
  for (const row of from) {
    const now = exchanged.get(row[keyField]);
    if (now === undefined) {
      rows.push(row);
      continue;
    }
    exchanged.delete(row[keyField]);
    if (now === null) {
      diff.gone.push(row);
    } else {
      diff.changed.push([row, now]);
      rows.push(now);
    }
  }
  for (const added of exchanged.values()) {
    if (added === null) return null;
    diff.added.push(added);
    rows.push(added);
  }
  return { rows, diff };
}

function withRows<T>(response: ApiResponse<T>, rows: readonly Row[], { rowsField }: RowsPlace): ApiResponse<T> {
  return { ...response, value: (rowsField === null ? rows : { ...response.value, [rowsField]: rows }) as T };
}

/** What a row deviates in does not change with its place in the list, which its deviations name. */
function withDeviating<T>(
  response: ApiResponse<T>,
  rows: readonly Row[],
  deviating: ReadonlyMap<unknown, DeviatingRow>,
  place: RowsPlace,
): ApiResponse<T> {
  const deviatingRows = rows.flatMap((row, index) => {
    const found = deviating.get(row);
    return found === undefined ? [] : [moveTo(found, index)];
  });
  const setAside = deviatingRows.filter(({ used }) => used === null);
  const left = new Set<unknown>(setAside.map(({ row }) => row));
  return {
    ...withRows(
      response,
      rows.filter((row) => !left.has(row)),
      place,
    ),
    setAside: setAside.map(({ index, row, deviations }) => ({ index, row, deviations })),
    deviations: countDeviations(deviatingRows.flatMap(({ deviations }) => deviations)),
    deviatingRows,
  };
}

function moveTo({ deviations, ...row }: DeviatingRow, index: number): DeviatingRow {
  return {
    ...row,
    index,
    deviations: deviations.map(({ path, ...deviation }) => ({
      ...deviation,
      path: path.replace(/\[\d+\]/, `[${String(index)}]`),
    })),
  };
}

/** Whether all that deviates are rows by themselves, and each can be found again. */
function isDivisible({ setAside, deviations, deviatingRows }: ApiResponse<unknown>, keyField: string): boolean {
  if (deviatingRows === undefined) return setAside.length === 0 && deviations.length === 0;
  return deviatingRows.every(({ row }) => KEY_TYPES.has(typeof (row as Row | null)?.[keyField]));
}

const KEY_TYPES: ReadonlySet<string> = new Set(['string', 'number']);

function deviatingOf({ deviatingRows = [] }: ApiResponse<unknown>): readonly DeviatingRow[] {
  return deviatingRows;
}

/** The object that stands for it in the list of all rows. */
function formOf({ row, used }: DeviatingRow): unknown {
  return used ?? row;
}

/** Those that are set aside in their places. */
function allRowsOf({ value, setAside }: ApiResponse<unknown>, { rowsField }: RowsPlace): readonly Row[] {
  const used = (rowsField === null ? value : (value as Readonly<Record<string, unknown>>)[rowsField]) as readonly Row[];
  if (setAside.length === 0) return used;
  const asideAt = new Map(setAside.map(({ index, row }) => [index, row as Row]));
  const all: Row[] = [];
  for (const row of used) {
    pushAside(all, asideAt);
    all.push(row);
  }
  pushAside(all, asideAt);
  return all;
}

function pushAside(all: Row[], asideAt: ReadonlyMap<number, Row>): void {
  for (let row = asideAt.get(all.length); row !== undefined; row = asideAt.get(all.length)) all.push(row);
}
