import { VENUES, type VenueProfile } from '#contract/venues.ts';

/** The document's server and mounts are those of a venue with an address of its own. */
export const VENUE = findVenue();

function findVenue(): VenueProfile & { readonly baseUrl: string } {
  for (const { baseUrl, ...profile } of Object.values(VENUES)) if (baseUrl !== null) return { ...profile, baseUrl };
  throw new Error('no venue in the table has an address');
}
