import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import {
  AUTH_TIMESTAMP_HEADER,
  AUTH_TIMESTAMP_PATTERN,
  CONNECTION_ID_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_WINDOW_MS,
  toCanonicalString,
} from '#contract/signing.ts';
import { toMountPrefix } from '#contract/venues.ts';
import { VENUE } from './openapi-venue.ts';

/** A made-up request, so that the description shows the very text the code would sign. */
const SAMPLE = toCanonicalString({
  method: 'GET',
  path: new URL(VENUE.baseUrl).pathname + toMountPrefix(VENUE, ENDPOINTS.orders.mount) + ENDPOINTS.orders.path,
  rawQuery: 'limit=100',
  timestamp: '2026-08-17T23:45:21.496Z',
  connectionId: '3f',
});

const SIGNATURE_DESCRIPTION = [
  'Base64 (standard alphabet, padded) of the HMAC-SHA256 of a text.',
  'The key is the 64 hexadecimal characters of the token, taken as text.',
  'The text is, with nothing between its parts: the method; the path from its first slash, with every prefix, that of',
  'the base URL included; a question mark and the raw query (the question mark also where there is no query); the name',
  'and the value of each signed header,',
  `${AUTH_TIMESTAMP_HEADER} and then ${CONNECTION_ID_HEADER}.`,
  'What is signed are the very bytes that are sent.',
  `For example: \`${SAMPLE}\`.`,
].join(' ');

/** The three headers of a private request. They go together. */
export const SECURITY_SCHEMES = {
  connectionId: toHeader(CONNECTION_ID_HEADER, 'Who asks: the id of the connection, in hexadecimal digits as issued.'),
  timestamp: toHeader(
    AUTH_TIMESTAMP_HEADER,
    `When the request was signed: UTC with exactly three fractional digits, of the form ${AUTH_TIMESTAMP_PATTERN.source}; ` +
      `at most ${String(SIGNATURE_WINDOW_MS / 1_000)} seconds from the clock of the venue.`,
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
