import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { connectionIdGrammar } from '#contract/exchange/parameters.ts';
import {
  AUTH_TIMESTAMP_HEADER,
  AUTH_TIMESTAMP_PATTERN,
  CONNECTION_ID_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_WINDOW_MS,
  toCanonicalString,
} from '#contract/exchange/signing.ts';
import type { Micros } from '../core/model.ts';
import { Rejection } from './response.ts';
import type { RequestTarget } from './request.ts';

/** A key to the private endpoints. */
export interface Credential {
  /** In hex. */
  readonly connectionId: string;
  /** 64 hex characters, used as text. */
  readonly token: string;
  /** The accounts whose orders the key gives access to; null: all. */
  readonly accounts: readonly string[] | null;
}

export interface SignedRequest extends RequestTarget {
  readonly method: 'GET' | 'HEAD';
  readonly headers: IncomingHttpHeaders;
}

/** An HMAC-SHA256 in padded base64. */
const SIGNATURE_PATTERN = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Creates a function that finds the credential that signed a request. The same request may be repeated within the
 * window: requests only read, and clients whose timestamps are whole seconds send equal requests within a second.
 */
export function createAuthenticator(credentials: readonly Credential[], speed: number) {
  const byConnection = new Map(credentials.map((credential) => [credential.connectionId.toLowerCase(), credential]));
  const windowMs = SIGNATURE_WINDOW_MS * speed;
  // Checking an unknown connection takes as long as checking a known one.
  const unknownConnection: Credential = { connectionId: '', token: '0'.repeat(64), accounts: [] };

  return (request: SignedRequest, now: Micros): Credential => {
    const { connectionId, timestamp, millis, signature } = readHeaders(request.headers);
    const known = byConnection.get(connectionId.toLowerCase());
    const { method, path, rawQuery } = request;
    const message = toCanonicalString({ method, path, rawQuery, timestamp, connectionId });
    const expected = createHmac('sha256', (known ?? unknownConnection).token)
      .update(message)
      .digest('base64');
    const isSigned = timingSafeEqual(Buffer.from(expected), Buffer.from(signature));
    if (!known || !isSigned || Math.abs(now / 1_000 - millis) > windowMs) throw new Rejection(401);
    return known;
  };
}

function readHeaders(headers: IncomingHttpHeaders) {
  const connectionId = readHeader(
    headers,
    CONNECTION_ID_HEADER,
    'be 1 to 64 hexadecimal digits',
    connectionIdGrammar.accepts,
  );
  const signature = readHeader(headers, SIGNATURE_HEADER, 'be an HMAC-SHA256 in padded base64', (text) =>
    SIGNATURE_PATTERN.test(text),
  );
  const timestamp = readHeader(headers, AUTH_TIMESTAMP_HEADER, 'read YYYY-MM-DDTHH:MM:SS.SSSZ', isTimestamp);
  return { connectionId, signature, timestamp, millis: Date.parse(timestamp) };
}

/**
 * Whether a text is a timestamp. `Date.parse` reads 30 February as 2 March, so the parsed date must format to the same
 * text.
 */
function isTimestamp(text: string): boolean {
  const millis = AUTH_TIMESTAMP_PATTERN.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(millis) && new Date(millis).toISOString() === text;
}

/** Reads a header. Node joins the values of a repeated header, and none of these grammars accepts the result. */
function readHeader(
  headers: IncomingHttpHeaders,
  name: string,
  form: string,
  accepts: (text: string) => boolean,
): string {
  const value = headers[name.toLowerCase()];
  if (value === undefined) throw new Rejection(400, `This endpoint is private: the header ${name} is missing.`);
  if (typeof value !== 'string' || !accepts(value)) throw new Rejection(400, `The header ${name} must ${form}.`);
  return value;
}
