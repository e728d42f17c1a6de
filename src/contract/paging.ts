import type { Brand } from './brand.ts';
import { list, nullable, optional, row, scalar, type Static, type TSchema } from './schema.ts';

/**
 * Where the next page begins. Opaque; it comes percent-encoded from some venues and is passed back decoded once and
 * encoded once.
 */
export type Cursor = Brand<string, 'cursor'>;

/** Clause 2.7. The end of the data is told by an absent, null or empty cursor, the same cursor again, or an empty page. */
export function pageOf<Row extends TSchema>(item: Row, title: string) {
  return row(title, 'A page of rows and where the next one begins.', {
    data: list(item),
    pagination: Pagination,
  });
}

const Pagination = row('Pagination', 'How to go on.', {
  cursor: optional(nullable(scalar<Cursor>({ type: 'string', description: 'Opaque; pass it back as `cursor`.' }))),
});

/** A page as it is read: rows of any kind, and where the next one begins. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly pagination: Static<typeof Pagination>;
}

/**
 * Where to go on after a page, or null at the end. The venue does not say how it ends, so every way seen counts: a
 * cursor that is absent, null, empty or one that was sent before (null: the first page was asked for), and an empty page.
 */
export function toNextCursor(page: Page<unknown>, sent: readonly (Cursor | null)[]): Cursor | null {
  const { cursor } = page.pagination;
  if (page.data.length === 0 || cursor === undefined || cursor === null || cursor === '') return null;
  const text = toCursorText(cursor);
  return sent.some((earlier) => earlier !== null && toCursorText(earlier) === text) ? null : cursor;
}

/**
 * A cursor as plain text, to be percent-encoded once like any other value. Some venues give it encoded already, and
 * encoding that once more gives a cursor they do not know.
 */
export function toCursorText(cursor: string): string {
  try {
    return decodeURIComponent(cursor);
  } catch {
    return cursor;
  }
}
