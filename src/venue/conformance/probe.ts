import { createHmac } from 'node:crypto';
import { ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import { toCursorText } from '#contract/exchange/paging.ts';
import { toMountPrefix, toPath, type VenueProfile } from '#contract/exchange/addresses.ts';
import {
  AUTH_TIMESTAMP_HEADER,
  CONNECTION_ID_HEADER,
  SIGNATURE_HEADER,
  toCanonicalString,
} from '#contract/exchange/signing.ts';

export interface Credential {
  readonly connectionId: string;
  readonly token: string;
}

export type Query = readonly (readonly [name: string, value: string])[];

export interface ProbeRequest {
  readonly name: EndpointName;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
}

export interface ProbeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The request line, for use in reports. */
  readonly requestLine: string;
}

/** Thrown when the next request would exceed the limit. */
export class RequestLimitReached extends Error {
  override readonly name = 'RequestLimitReached';
}

export interface ProbeOptions {
  readonly baseUrl: string;
  readonly profile: VenueProfile;
  /** Null if Perpdesk signs the requests. */
  readonly credential: Credential | null;
  readonly requestLimit: number;
}

/**
 * Sends requests to an exchange. It signs those that need it, counts them, and reuses the response to an equal request.
 */
export interface Probe {
  readonly signs: boolean;
  readonly request: (request: ProbeRequest) => Promise<ProbeResponse>;
  /** Sends the request even if an equal one was sent before. */
  readonly requestAgain: (request: ProbeRequest) => Promise<ProbeResponse>;
  /** Sends a request of any form, including ones that must be rejected. */
  readonly send: (request: RawRequest) => Promise<ProbeResponse>;
  /** Returns the path of a request below the origin, with its mount but without its query. */
  readonly pathOf: (request: ProbeRequest) => string;
  /** Returns the exchange's time in milliseconds, derived from the dates of its responses. */
  readonly now: () => number;
  readonly requests: () => number;
}

interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly rawQuery?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 30_000;

export function createProbe({ baseUrl, profile, credential, requestLimit }: ProbeOptions): Probe {
  const base = new URL(baseUrl);
  const known = new Map<string, Promise<ProbeResponse>>();
  let requests = 0;
  let clockOffsetMs = 0;

  const pathOf = ({ name, path = {} }: ProbeRequest): string => {
    const endpoint = ENDPOINTS[name];
    return base.pathname.replace(/\/$/, '') + toMountPrefix(profile, endpoint.mount) + toPath(endpoint, path);
  };

  const send = async ({ method = 'GET', path, rawQuery = '', headers = {} }: RawRequest): Promise<ProbeResponse> => {
    if (requests >= requestLimit)
      throw new RequestLimitReached(`the limit of ${String(requestLimit)} requests was reached`);
    requests += 1;
    const target = path + (rawQuery && `?${rawQuery}`);
    const response = await fetch(base.origin + target, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    learnClock(response.headers.get('date'));
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      requestLine: `${method} ${target}`,
    };
  };

  const now = (): number => Date.now() + clockOffsetMs;

  /**
   * Learns the exchange's clock from the dates of its responses: an exchange whose clock differs from ours rejects our
   * timestamps.
   */
  const learnClock = (date: string | null): void => {
    const theirs = Date.parse(date ?? '');
    if (Math.abs(theirs - Date.now()) > 2_000) clockOffsetMs = theirs - Date.now();
  };

  const sendSigned = (request: ProbeRequest): Promise<ProbeResponse> => {
    const path = pathOf(request);
    const rawQuery = toRawQuery(request.query ?? []);
    const signed = credential !== null && ENDPOINTS[request.name].access === 'signed';
    const stamp = new Date(now()).toISOString();
    return send({ path, rawQuery, headers: signed ? signatureHeaders(credential, path, rawQuery, stamp) : {} });
  };

  const requestAgain = (request: ProbeRequest): Promise<ProbeResponse> => {
    const response = sendSigned(request);
    known.set(JSON.stringify(request), response);
    return response;
  };

  return {
    signs: credential !== null,
    request: (request) => known.get(JSON.stringify(request)) ?? requestAgain(request),
    requestAgain,
    send,
    pathOf,
    now,
    requests: () => requests,
  };
}

/**
 * Encodes a query. Some exchanges percent-encode their cursors, so a cursor is decoded once before it is encoded like
 * any other value.
 */
export function toRawQuery(query: Query): string {
  const toText = (name: string, value: string) => encodeURIComponent(name === 'cursor' ? toCursorText(value) : value);
  return query.map(([name, value]) => `${name}=${toText(name, value).replaceAll('%3A', ':')}`).join('&');
}

export function signatureHeaders(
  credential: Credential,
  path: string,
  rawQuery: string,
  timestamp: string,
): Record<string, string> {
  const { connectionId, token } = credential;
  const message = toCanonicalString({ method: 'GET', path, rawQuery, timestamp, connectionId });
  return {
    [CONNECTION_ID_HEADER]: connectionId,
    [AUTH_TIMESTAMP_HEADER]: timestamp,
    [SIGNATURE_HEADER]: createHmac('sha256', token).update(message).digest('base64'),
  };
}
