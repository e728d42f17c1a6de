/**
 * The text to sign. The server computes the HMAC, and the venue verifies it.
 *
 * The parts are concatenated without separators, so the method must be a plain word and the path must begin with a
 * slash; otherwise two requests could have the same text. The signed bytes must be exactly the bytes sent.
 */

/**
 * The time of signing, by the venue's clock. It is signed. Signed headers are sorted by name, so this one comes first.
 */
export const AUTH_TIMESTAMP_HEADER = 'BTNL-AUTH-TIMESTAMP';
/** The ID of the signing connection, in hexadecimal digits as issued. It is signed. */
export const CONNECTION_ID_HEADER = 'BTNL-CONNECTION-ID';
/** The HMAC-SHA256 in base64, padded: 44 characters. */
export const SIGNATURE_HEADER = 'BTNL-SIGNATURE';

/** A request is rejected if its timestamp differs by more than this from the venue's clock. */
export const SIGNATURE_WINDOW_MS = 30_000;

/** `YYYY-MM-DDTHH:MM:SS.SSSZ`: exactly three fractional digits. */
export const AUTH_TIMESTAMP_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The signed parts of a request. A GET has no body. */
export interface RequestToSign {
  readonly method: 'GET' | 'HEAD';
  /** Starts at the first slash, includes the mount, and is exactly as sent. */
  readonly path: string;
  /** Exactly as sent, without the question mark; empty if there is no query. */
  readonly rawQuery: string;
  readonly timestamp: string;
  /** In hexadecimal digits, as issued. */
  readonly connectionId: string;
}

/** Printable ASCII, as on the wire: other characters would be rewritten after signing. */
const RAW_PATH_PATTERN = /^\/[!"$->@-~]*$/;
const RAW_QUERY_PATTERN = /^[!"$-~]*$/;

/**
 * Returns the text to sign. The signature is its HMAC-SHA256 in base64, padded; the key is the token's 64 hex
 * characters as text. Throws a `RangeError` if the path or the query is not valid in a request line.
 */
export function toCanonicalString({ method, path, rawQuery, timestamp, connectionId }: RequestToSign): string {
  if (!RAW_PATH_PATTERN.test(path)) throw new RangeError(`not a request path: ${path}`);
  if (!RAW_QUERY_PATTERN.test(rawQuery)) throw new RangeError(`not a raw query: ${rawQuery}`);
  return `${method}${path}?${rawQuery}${AUTH_TIMESTAMP_HEADER}${timestamp}${CONNECTION_ID_HEADER}${connectionId}`;
}
