import { VENUES, type VenueProfile } from '#contract/exchange/venues.ts';

/** A built-in venue with an address: the document has its server and mounts. */
export const VENUE = findVenue();

function findVenue(): VenueProfile & { readonly baseUrl: string } {
  for (const { baseUrl, ...profile } of Object.values(VENUES)) if (baseUrl !== null) return { ...profile, baseUrl };
  throw new Error('No built-in venue has an address.');
}
