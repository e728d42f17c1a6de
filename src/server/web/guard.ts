import type { IncomingMessage } from 'node:http';
import { OIDC_ROUTES } from '#contract/desk/oidc.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import { arrivalOf, isOwnOrigin } from './arrival.ts';

const MAX_TARGET_LENGTH = 8_192;

/** Rejects requests that no route accepts, whatever their method. */
export function guard(request: IncomingMessage): Problem | null {
  const { url = '' } = request;
  if (isCrossSite(request) && !isReturn(request))
    return { type: 'cross-site', detail: 'Only pages served by Perpdesk may send requests.' };
  if (url.length > MAX_TARGET_LENGTH)
    return {
      type: 'address-too-long',
      detail: `Path and query are limited to ${String(MAX_TARGET_LENGTH)} characters.`,
    };
  return null;
}

const FROM_ELSEWHERE: readonly string[] = Object.values(OIDC_ROUTES).flatMap(({ path, isFromElsewhere }) =>
  isFromElsewhere ? [path] : [],
);

/** Whether a person comes to sign in, or back from their provider, which is another site. Nothing else is read or changed by it. */
function isReturn({ method, url = '', headers }: IncomingMessage): boolean {
  const [path = ''] = url.split('?');
  return (
    method === 'GET' &&
    headers.origin === undefined &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    FROM_ELSEWHERE.includes(path)
  );
}

/**
 * Whether the request comes from another site's page. Browsers send `Sec-Fetch-Site`; old ones at least send `Origin`,
 * which must then be ours. Programs that are not browsers send neither.
 */
function isCrossSite(request: IncomingMessage): boolean {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  return origin !== undefined && !isOwnOrigin(origin, arrivalOf(request));
}
