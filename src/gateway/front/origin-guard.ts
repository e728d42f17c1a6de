import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether another site's page asks. A browser says so in `Sec-Fetch-Site`; an old one at least sends `Origin`, which
 * must then be the host it asks. A program that is no browser sends neither.
 */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin, host } = headers;
  if (origin === undefined) return false;
  return URL.parse(origin)?.host !== host?.toLowerCase();
}
