import type { OrderId } from '#contract/exchange/ids.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import type { Source } from '#model/source.ts';
import { toRowKey, type RowKey } from './row-key.ts';

/** The rows of a page in memory, and the response they came with. */
export interface LoadedPage<Row> {
  readonly rows: readonly Row[];
  readonly source: Source;
}

/** A page of the list. When its rows are dropped, enough remains to read the same rows again. */
export interface PageSpan<Row> {
  /** Null for the first page. */
  readonly cursor: Cursor | null;
  readonly count: number;
  readonly firstId: OrderId;
  readonly last: RowKey;
  /** Ids of rows with the same time as the last: the next page may repeat them. */
  readonly ties: readonly OrderId[];
  /** Null: dropped. */
  readonly loaded: LoadedPage<Row> | null;
}

export interface ReadPage<Row> extends LoadedPage<Row> {
  readonly cursor: Cursor | null;
}

const NO_TIES: readonly OrderId[] = [];

/** Null for a page without rows. */
export function toSpan<Row extends RowKey>(
  { cursor, source }: ReadPage<Row>,
  rows: readonly Row[],
): PageSpan<Row> | null {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return null;
  const ties = rows
    .filter(({ time, id }) => compareInstants(time, last.time) === 0 && id !== last.id)
    .map(({ id }) => id);
  const edges = { firstId: first.id, last: toRowKey(last), ties: ties.length === 0 ? NO_TIES : ties };
  return { cursor, count: rows.length, ...edges, loaded: { rows, source } };
}

/** The page without its rows. */
export function withoutRows<Row>(span: PageSpan<Row>): PageSpan<Row> {
  return span.loaded === null ? span : new DroppedPage(span);
}

/** A long list has thousands of these: one joined text takes half the memory of its parts. */
class DroppedPage implements PageSpan<never> {
  readonly count: number;
  readonly loaded = null;
  readonly #parts: string;

  constructor({ cursor, count, firstId, last, ties }: PageSpan<unknown>) {
    this.count = count;
    this.#parts = [cursor ?? '', firstId, last.time, last.id, ...ties].join('\n');
  }

  get cursor(): Cursor | null {
    const text = this.#parts.slice(0, this.#parts.indexOf('\n'));
    return text === '' ? null : (text as Cursor);
  }

  get firstId(): OrderId {
    const [, firstId] = this.#split();
    return firstId as OrderId;
  }

  get last(): RowKey {
    const [, , time, id] = this.#split();
    return { time: time as Instant, id: id as OrderId };
  }

  get ties(): readonly OrderId[] {
    const [, , , , ...ties] = this.#split();
    return ties.map((id) => id as OrderId);
  }

  #split(): readonly string[] {
    return this.#parts.split('\n');
  }
}
