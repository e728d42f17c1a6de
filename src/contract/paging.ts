import type { Brand } from './brand.ts';
import { list, nullable, optional, row, scalar, type TSchema } from './schema.ts';

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
