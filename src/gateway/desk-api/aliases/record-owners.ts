import type { Venue } from '../../ports.ts';
import type { AliasBook } from './alias-book.ts';

/** Wraps the exchange so that the codes of all history it returns are known. Working orders are parsed anyway, and recorded there. */
export function recordOwners(venue: Venue, book: Pick<AliasBook, 'addFrom'>): Venue {
  return {
    ...venue,
    read: async (request, options) => {
      const response = await venue.read(request, options);
      if (request.name === 'orders') book.addFrom(response.body.toString());
      return response;
    },
  };
}
