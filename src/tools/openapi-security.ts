import { ENDPOINTS, type Endpoint } from '#contract/exchange/endpoints.ts';
import {
  AUTH_TIMESTAMP_HEADER,
  AUTH_TIMESTAMP_PATTERN,
  CONNECTION_ID_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_WINDOW_MS,
  toCanonicalString,
} from '#contract/exchange/signing.ts';
import { toMountPrefix } from '#contract/exchange/addresses.ts';
import { VENUE } from './openapi-venue.ts';

/** An example for the description, produced by the signing code itself. */
const SAMPLE = toCanonicalString({
  method: 'GET',
  path: new URL(VENUE.baseUrl).pathname + toMountPrefix(VENUE, ENDPOINTS.orders.mount) + ENDPOINTS.orders.path,
  rawQuery: 'limit=100',
  timestamp: '2026-08-17T23:45:21.496Z',
  connectionId: '3f',
});

const SIGNATURE_DESCRIPTION = [
  'Base64 (standard alphabet, padded) of the HMAC-SHA256 of a text.',
  'The key is the token: its 64 hexadecimal characters as text.',
  'The text concatenates, without separators: the method; the complete path from its first slash, ' +
    'including the path of',
  'the base URL; a question mark, even without a query; the raw query; and the name and value of each signed header:',
  `${AUTH_TIMESTAMP_HEADER}, then ${CONNECTION_ID_HEADER}.`,
  'The signed bytes must be exactly the bytes that are sent.',
  `Example: \`${SAMPLE}\`.`,
].join(' ');

/** The headers of a private request; all three are required. */
export const SECURITY_SCHEMES = {
  connectionId: toHeader(CONNECTION_ID_HEADER, 'Id of the connection in hexadecimal digits, as issued.'),
  timestamp: toHeader(
    AUTH_TIMESTAMP_HEADER,
    `Time of signing in UTC with exactly three fractional digits, matching ${AUTH_TIMESTAMP_PATTERN.source}. ` +
      `It must be within ${String(SIGNATURE_WINDOW_MS / 1_000)} seconds of the venue's clock.`,
  ),
  signature: toHeader(SIGNATURE_HEADER, SIGNATURE_DESCRIPTION),
} as const;

export function securityOf(endpoint: Endpoint): Record<string, readonly string[]>[] {
  if (endpoint.access === 'public') return [];
  return [Object.fromEntries(Object.keys(SECURITY_SCHEMES).map((name) => [name, []]))];
}

function toHeader(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description } as const;
}
