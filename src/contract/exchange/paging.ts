import type { Brand } from './brand.ts';
import { list, nullable, optional, row, scalar, type Static, type TSchema } from './schema.ts';

/**
 * Where the next page begins. Opaque. Some venues send it percent-encoded; it is sent back decoded once and encoded
 * once.
 */
export type Cursor = Brand<string, 'cursor'>;

/** Clause 2.7. A missing, null, empty or repeated cursor, or an empty page, marks the end of the data. */
export function pageOf<Row extends TSchema>(item: Row, title: string) {
  return row(title, 'A page of rows and the cursor of the next page.', {
    data: list(item),
    pagination: Pagination,
  });
}

const Pagination = row('Pagination', 'Cursor of the next page.', {
  cursor: optional(
    nullable(
      scalar<Cursor>({
        type: 'string',
        description: 'Opaque. Pass it back as `cursor` to get the next page; absent, null or empty on the last page.',
      }),
    ),
  ),
});

/** A page of rows and the cursor of the next one. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly pagination: Static<typeof Pagination>;
}

/**
 * Returns the cursor of the next page, or null at the end. The interface does not define the end, so every sign of it
 * counts: a missing, null or empty cursor, one sent before (null stands for the first page), and an empty page.
 */
export function toNextCursor(page: Page<unknown>, sent: readonly (Cursor | null)[]): Cursor | null {
  const { cursor } = page.pagination;
  if (page.data.length === 0 || cursor === undefined || cursor === null || cursor === '') return null;
  const text = toCursorText(cursor);
  return sent.some((earlier) => earlier !== null && toCursorText(earlier) === text) ? null : cursor;
}

/**
 * Converts a cursor to plain text, to be percent-encoded once like any other value. Some venues send it encoded, and
 * would not recognise it if it were encoded twice.
 */
export function toCursorText(cursor: string): string {
  try {
    return decodeURIComponent(cursor);
  } catch {
    return cursor;
  }
}
