/**
 * The text to sign. The gateway computes the HMAC, the venue verifies it.
 *
 * The parts are concatenated without separators, so the method must be a plain word and the path must begin with a
 * slash: otherwise two requests could have the same text. The signed bytes must be exactly the bytes that are sent.
 */

/** Time of signing, by the venue's clock. Signed; signed headers are sorted by name, and this one comes first. */
export const AUTH_TIMESTAMP_HEADER = 'BTNL-AUTH-TIMESTAMP';
/** Id of the signing connection in hexadecimal digits, as issued. Signed. */
export const CONNECTION_ID_HEADER = 'BTNL-CONNECTION-ID';
/** The HMAC-SHA256 in base64, padded: 44 characters. */
export const SIGNATURE_HEADER = 'BTNL-SIGNATURE';

/** A request is rejected when its timestamp differs by more than this from the venue's clock. */
export const SIGNATURE_WINDOW_MS = 30_000;

/** `YYYY-MM-DDTHH:MM:SS.SSSZ`: exactly three fractional digits. */
export const AUTH_TIMESTAMP_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The signed parts of a request; a GET has no body. */
export interface RequestToSign {
  readonly method: 'GET' | 'HEAD';
  /** From the first slash, mount prefix included, as sent. */
  readonly path: string;
  /** As sent, without the question mark; empty without a query. */
  readonly rawQuery: string;
  readonly timestamp: string;
  /** In hex, as issued. */
  readonly connectionId: string;
}

/** Printable ASCII, as on the wire: other characters would be rewritten after signing. */
const RAW_PATH_PATTERN = /^\/[!"$->@-~]*$/;
const RAW_QUERY_PATTERN = /^[!"$-~]*$/;

/**
 * The text whose HMAC-SHA256, keyed with the token's 64 hex characters as text, is the signature (base64, padded).
 * Throws a `RangeError` for a path or query that is not valid in a request line.
 */
export function toCanonicalString({ method, path, rawQuery, timestamp, connectionId }: RequestToSign): string {
  if (!RAW_PATH_PATTERN.test(path)) throw new RangeError(`not a request path: ${path}`);
  if (!RAW_QUERY_PATTERN.test(rawQuery)) throw new RangeError(`not a raw query: ${rawQuery}`);
  return `${method}${path}?${rawQuery}${AUTH_TIMESTAMP_HEADER}${timestamp}${CONNECTION_ID_HEADER}${connectionId}`;
}
