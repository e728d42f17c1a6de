import { type VenueProfile, VENUES } from '#contract/exchange/addresses.ts';

/** A built-in exchange with an address, whose server and mounts the document uses. */
export const VENUE = findVenue();

function findVenue(): VenueProfile & { readonly baseUrl: string } {
  for (const { baseUrl, ...profile } of Object.values(VENUES)) if (baseUrl !== null) return { ...profile, baseUrl };
  throw new Error('No built-in venue has an address.');
}
