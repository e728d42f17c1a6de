import type { Venue, VenueResponse } from '#server/core/ports.ts';
import { parseRows } from '#server/core/rows.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { AliasBook } from './alias-book.ts';

/** Wraps the exchange so that the codes of all history it returns are known. Working orders are parsed anyway, and recorded there. */
export function recordOwners(venue: Venue, book: Pick<AliasBook, 'add'>): Venue {
  return {
    ...venue,
    read: async (request, options) => {
      const response = await venue.read(request, options);
      if (request.name === 'orders') record(book, response);
      return response;
    },
  };
}

function record(book: Pick<AliasBook, 'add'>, response: VenueResponse): void {
  try {
    book.add(parseRows(response));
  } catch (error) {
    // An unreadable response is passed on; the screen reports it.
    if (!(error instanceof VenueFailure)) throw error;
  }
}
