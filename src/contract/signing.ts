/**
 * What is signed, as text. The HMAC itself belongs to the gateway, its verification to the venue.
 *
 * The parts follow one another without separators, so the method must be a plain word and the path must begin with a
 * slash: otherwise two different requests could give one text. What is signed must be the very bytes that are sent.
 */

/** When it was signed, by the venue’s clock. Signed; signed headers are sorted by name, and this one comes first. */
export const AUTH_TIMESTAMP_HEADER = 'BTNL-AUTH-TIMESTAMP';
/** Who signs: the connection’s id in hex, as issued. Signed. */
export const CONNECTION_ID_HEADER = 'BTNL-CONNECTION-ID';
/** The HMAC-SHA256 in base64, padded: 44 characters. */
export const SIGNATURE_HEADER = 'BTNL-SIGNATURE';

/** A request is refused when its timestamp is further than this from the venue's clock. */
export const SIGNATURE_WINDOW_MS = 30_000;

/** `YYYY-MM-DDTHH:MM:SS.SSSZ`: exactly three fractional digits. */
export const AUTH_TIMESTAMP_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The parts of a request that are signed; a GET has no body. */
export interface RequestToSign {
  readonly method: 'GET' | 'HEAD';
  /** From the first slash, mount prefix included, as sent. */
  readonly path: string;
  /** As sent, without the question mark; empty where there is none. */
  readonly rawQuery: string;
  readonly timestamp: string;
  /** In hex, as issued. */
  readonly connectionId: string;
}

/** Printable ASCII, as it is on the wire: what is not would be rewritten on its way, after it was signed. */
const RAW_PATH_PATTERN = /^\/[!"$->@-~]*$/;
const RAW_QUERY_PATTERN = /^[!"$-~]*$/;

/**
 * The text whose HMAC-SHA256, keyed with the token's 64 hex characters as text, is the signature (base64, padded).
 * Throws a `RangeError` for a path or query that cannot be on a request line.
 */
export function toCanonicalString({ method, path, rawQuery, timestamp, connectionId }: RequestToSign): string {
  if (!RAW_PATH_PATTERN.test(path)) throw new RangeError(`not a request path: ${path}`);
  if (!RAW_QUERY_PATTERN.test(rawQuery)) throw new RangeError(`not a raw query: ${rawQuery}`);
  return `${method}${path}?${rawQuery}${AUTH_TIMESTAMP_HEADER}${timestamp}${CONNECTION_ID_HEADER}${connectionId}`;
}
