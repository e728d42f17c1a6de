import { isIP } from 'node:net';
import { VenueFailure } from '#server/core/venue-failure.ts';

/** What passkeys are bound to. */
export interface Site {
  readonly rpId: string;
  readonly origin: string;
}

/** The site of a page's origin. */
export function siteOf(origin: string): Site {
  const { hostname } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new VenueFailure({
      type: 'not-allowed',
      detail: 'Passkeys need a host name, and this page is open at an IP address. Open Perpdesk as localhost.',
    });
  return { rpId: hostname, origin };
}
