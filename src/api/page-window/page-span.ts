import type { OrderId } from '#contract/ids.ts';
import { compareInstants, type Instant } from '#contract/instant.ts';
import type { Cursor } from '#contract/paging.ts';
import type { Source } from '#domain/source.ts';
import { toPlace, type Place } from './place.ts';

/** A page whose rows are in memory, and the answer they came with. */
export interface HeldPage<Row> {
  readonly rows: readonly Row[];
  readonly source: Source;
}

/** A stretch of the list that was read: enough of it stays to read the same again when its rows are dropped. */
export interface PageSpan<Row> {
  /** What it is asked for with; null: the very beginning. */
  readonly cursor: Cursor | null;
  readonly count: number;
  readonly firstId: OrderId;
  readonly last: Place;
  /** Ids of the rows of the last one's time: a page that begins with them again repeats them. */
  readonly ties: readonly OrderId[];
  /** Null: dropped. */
  readonly held: HeldPage<Row> | null;
}

export interface ReadPage<Row> extends HeldPage<Row> {
  readonly cursor: Cursor | null;
}

const NO_TIES: readonly OrderId[] = [];

/** Null: a page without rows is no stretch of the list. */
export function toSpan<Row extends Place>({ cursor, source }: ReadPage<Row>, rows: readonly Row[]): PageSpan<Row> | null {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return null;
  const ties = rows.filter(({ time, id }) => compareInstants(time, last.time) === 0 && id !== last.id).map(({ id }) => id);
  const place = { firstId: first.id, last: toPlace(last), ties: ties.length === 0 ? NO_TIES : ties };
  return { cursor, count: rows.length, ...place, held: { rows, source } };
}

/** What is left of a page whose rows are dropped. */
export function withoutRows<Row>(span: PageSpan<Row>): PageSpan<Row> {
  return span.held === null ? span : new DroppedPage(span);
}

/** There are thousands of these in a long list: one text of all parts takes half of what the parts take. */
class DroppedPage implements PageSpan<never> {
  readonly count: number;
  readonly held = null;
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

  get last(): Place {
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
