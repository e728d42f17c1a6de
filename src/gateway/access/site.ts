import type { IncomingMessage } from 'node:http';
import { VenueFailure } from '../venue-failure.ts';

/** What passkeys are bound to. */
export interface Site {
  readonly rpId: string;
  readonly origin: string;
}

const LOCAL = 'localhost';

/** The site that a page of this request belongs to. `publicUrl`: as others reach this desk; null: only its own machine does. */
export function siteOf({ headers: { host = '' } }: IncomingMessage, publicUrl: string | null): Site {
  const asked = URL.parse(`http://${host}`);
  // A tunnel may change the port.
  if (asked?.hostname === LOCAL) return { rpId: LOCAL, origin: asked.origin };
  if (publicUrl === null) throw new VenueFailure({ type: 'not-allowed', detail: 'Passkeys need a host name: open Perpdesk as localhost.' });
  const { hostname, origin } = new URL(publicUrl);
  return { rpId: hostname, origin };
}
