import { cutAtList, cutRows, fieldOf } from '#contract/parsing/row-texts.ts';
import type { Venue } from '../../ports.ts';
import type { Row } from '../../rows.ts';
import { OWNER_FIELDS, type AliasBook } from './alias-book.ts';

/** Wraps the exchange so that the codes of all history it returns are known. Working orders are parsed anyway, and recorded there. */
export function recordOwners(venue: Venue, book: Pick<AliasBook, 'add'>): Venue {
  return {
    ...venue,
    read: async (request, options) => {
      const response = await venue.read(request, options);
      if (request.name === 'orders') book.add(findOwners(response.body.toString()));
      return response;
    },
  };
}

/**
 * The owners in a page of orders, each once, and nothing else of its rows: to parse them all took a sixth of a request.
 * An unreadable response has none; the screen reports it.
 *
 * @internal Exported for its test.
 */
export function findOwners(page: string): readonly Row[] {
  const owners = new Map<string, readonly (string | undefined)[]>();
  try {
    for (const row of cutRows(cutAtList(page, 'data').list ?? '')) {
      const texts = OWNER_FIELDS.map((field) => fieldOf(row, field));
      owners.set(texts.join(), texts);
    }
    return [...owners.values()].map((texts) => Object.fromEntries(OWNER_FIELDS.map((field, index) => [field, JSON.parse(texts[index] ?? 'null') as unknown])));
  } catch {
    return [];
  }
}
