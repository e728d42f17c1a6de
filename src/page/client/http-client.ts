import type { Cadence } from '#model/response.ts';
import {
  ANSWERED_AT_HEADER,
  PURPOSE_HEADER,
  REQUEST_ID_HEADER,
  VENUE_TIME_HEADER,
  type PAGE_PURPOSES,
} from '#contract/desk/desk.ts';
import { isInstant, parseInstant, toEpochMillis, type Instant } from '#contract/exchange/instant.ts';
import { createParser } from '#contract/parse/parse.ts';
import { ProblemDocument } from '#contract/desk/problems.ts';
import type { Access } from './access.ts';
import { parseCacheStatus, type CacheStatus } from './cache-status.ts';
import { NetworkError, ProblemError, UnexpectedResponseError } from './errors.ts';

/** What a read is for. Without it the endpoint's own purpose applies. */
export type PagePurpose = (typeof PAGE_PURPOSES)[number];

/** A successful response, not yet parsed, with its provenance from the headers. */
export interface RawResponse extends CacheStatus {
  /** Null: not modified. */
  readonly text: string | null;
  readonly answeredAt: Instant | null;
  readonly receivedAt: number;
  /** The exchange's time when the gateway sent it, in epoch milliseconds; null if the gateway does not say. */
  readonly venueTime: number | null;
  readonly ageSeconds: number | null;
  readonly requestId: string | null;
  /** Equal tags are equal texts. */
  readonly tag: string | null;
  /** How often it is pushed; undefined for a response that was requested. */
  readonly cadence?: Cadence;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly purpose?: PagePurpose | undefined;
}

interface HttpRequest extends RequestOptions {
  /** Belongs to an account: the browser must not store it. */
  readonly isPrivate?: boolean;
  /** The desk responds without waiting for the venue. */
  readonly isLocal?: boolean | undefined;
  /** Tag of the response held. Only used for private ones; for others the browser revalidates by itself. */
  readonly previousTag?: string | null | undefined;
}

export interface HttpClient {
  /** Rejects with one of the errors in `errors.ts`, or with the signal's reason. */
  readonly get: (target: string, request: HttpRequest) => Promise<RawResponse>;
  /** Sends a request that is no read. Rejects as `get` does. */
  readonly send: (target: string, request: SentRequest) => Promise<RawResponse>;
}

interface SentRequest extends Pick<RequestInit, 'method' | 'body'> {
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpClientParts {
  readonly fetch: (target: string, init: RequestInit) => Promise<Response>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A signal that aborts after so many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
  /** Undefined where nobody signs in. */
  readonly access?: Pick<Access, 'headers' | 'check'>;
}

/** Browsers wait forever for a process that hangs, and its last response would look live meanwhile. */
const TIMEOUT_MS = { local: 5_000, venue: 120_000, sent: 60_000 } as const;

export function createHttpClient({ fetch, now, timeout, access }: HttpClientParts): HttpClient {
  const receive = async (target: string, init: RequestInit, signal?: AbortSignal): Promise<RawResponse> => {
    const response = await orNetworkError(fetch(target, init), signal);
    const text = await orNetworkError(response.text(), signal);
    const isUnchanged = response.status === NOT_MODIFIED && new Headers(init.headers).has('if-none-match');
    if (REFUSALS.has(response.status)) void access?.check();
    if (!isUnchanged && !response.ok) throw toFailure(response, text, now());
    return toRawResponse(response.headers, isUnchanged ? null : text, now());
  };
  return {
    get: (target, request) =>
      receive(
        target,
        toInit(request, timeout(TIMEOUT_MS[request.isLocal === true ? 'local' : 'venue'])),
        request.signal,
      ),
    send: (target, request) =>
      receive(target, {
        ...request,
        headers: { ...request.headers, ...access?.headers() },
        redirect: 'error',
        cache: 'no-store',
        signal: timeout(TIMEOUT_MS.sent),
      }),
  };
}

const NOT_MODIFIED = 304;
/** The session is over, or may no longer do so much. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

function toInit({ signal, purpose, isPrivate = false, previousTag }: HttpRequest, deadline: AbortSignal): RequestInit {
  const headers = {
    accept: 'application/json',
    ...(purpose && { [PURPOSE_HEADER]: purpose }),
    ...(isPrivate && typeof previousTag === 'string' && { 'if-none-match': previousTag }),
  };
  return {
    headers,
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    redirect: 'error',
    cache: isPrivate ? 'no-store' : 'default',
  };
}

/** An abort by the caller is no failure and passes unchanged. */
async function orNetworkError<T>(step: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new NetworkError('The server did not respond. Check that it is running and reachable from this machine.', {
      cause: error,
    });
  }
}

function toRawResponse(headers: Headers, text: string | null, receivedAt: number): RawResponse {
  const answeredAt = headers.get(ANSWERED_AT_HEADER);
  return {
    text,
    receivedAt,
    venueTime: toVenueMillis(headers.get(VENUE_TIME_HEADER)),
    answeredAt: answeredAt !== null && isInstant(answeredAt) ? answeredAt : null,
    ageSeconds: toSeconds(headers.get('age')),
    requestId: headers.get(REQUEST_ID_HEADER),
    tag: headers.get('etag'),
    ...parseCacheStatus(headers.get('cache-status')),
  };
}

function toFailure(
  { status, headers }: Response,
  text: string,
  receivedAt: number,
): ProblemError | UnexpectedResponseError {
  const type = headers.get('content-type');
  const document = type?.startsWith('application/problem+json') === true ? problemParser.tolerant(text).value : null;
  if (document === null) return new UnexpectedResponseError(status, type);
  const retryAfter = document.retryAfter ?? toSeconds(headers.get('retry-after'));
  return new ProblemError(document, receivedAt, retryAfter);
}

const problemParser = createParser(ProblemDocument);

/** The exchange's time as the gateway writes it, in epoch milliseconds. */
export function toVenueMillis(header: string | null): number | null {
  const nanos = parseInstant(header ?? '');
  return nanos === null ? null : toEpochMillis(nanos);
}

function toSeconds(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
