import { createHmac } from 'node:crypto';
import { ENDPOINTS, type EndpointName } from '#contract/endpoints.ts';
import { toCursorText } from '#contract/paging.ts';
import { toPath } from '#contract/routes.ts';
import { AUTH_TIMESTAMP_HEADER, CONNECTION_ID_HEADER, SIGNATURE_HEADER, toCanonicalString } from '#contract/signing.ts';
import { toMountPrefix, type VenueProfile } from '#contract/venues.ts';

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
  /** The request line, for reports. */
  readonly requestLine: string;
}

/** Thrown where the next request would go over the number allowed. */
export class RequestLimitReached extends Error {
  override readonly name = 'BudgetReached';
}

export interface ProbeOptions {
  readonly baseUrl: string;
  readonly profile: VenueProfile;
  /** Null where the other side signs (a gateway). */
  readonly credential: Credential | null;
  readonly requestLimit: number;
}

/** Asks an exchange, signing where the table says so, and counts what it asked. The same question is asked once. */
export interface Probe {
  readonly signs: boolean;
  readonly request: (question: ProbeRequest) => Promise<ProbeResponse>;
  /** The same question once more, for what changes with time. */
  readonly requestAgain: (question: ProbeRequest) => Promise<ProbeResponse>;
  /** A request of any form, never reused: for what must be refused. */
  readonly send: (request: RawRequest) => Promise<ProbeResponse>;
  /** The path of a question below the origin, mount included, without its query. */
  readonly pathOf: (question: ProbeRequest) => string;
  /** The other side's time, learnt from its answers, in milliseconds. */
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
    if (requests >= requestLimit) throw new RequestLimitReached(`the limit of ${String(requestLimit)} requests is reached`);
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

  /** A venue with a clock of its own refuses stamps of ours: its answers tell how far apart the two are. */
  const learnClock = (date: string | null): void => {
    const theirs = Date.parse(date ?? '');
    if (Math.abs(theirs - Date.now()) > 2_000) clockOffsetMs = theirs - Date.now();
  };

  const sendSigned = (question: ProbeRequest): Promise<ProbeResponse> => {
    const path = pathOf(question);
    const rawQuery = toRawQuery(question.query ?? []);
    const signed = credential !== null && ENDPOINTS[question.name].access === 'signed';
    const stamp = new Date(now()).toISOString();
    return send({ path, rawQuery, headers: signed ? signatureHeaders(credential, path, rawQuery, stamp) : {} });
  };

  const requestAgain = (question: ProbeRequest): Promise<ProbeResponse> => {
    const answer = sendSigned(question);
    known.set(JSON.stringify(question), answer);
    return answer;
  };

  return {
    signs: credential !== null,
    request: (question) => known.get(JSON.stringify(question)) ?? requestAgain(question),
    requestAgain,
    send,
    pathOf,
    now,
    requests: () => requests,
  };
}

/** A cursor is percent-encoded by some venues already: it is decoded once, and encoded once like every other value. */
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
