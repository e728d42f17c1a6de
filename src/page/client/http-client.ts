import type { CacheOutcome, Cadence } from '#model/response.ts';
import {
  type PAGE_PURPOSES,
  PURPOSE_HEADER,
  REQUEST_ID_HEADER,
  RESPONDED_AT_HEADER,
  VENUE_TIME_HEADER,
} from '#contract/desk/desk.ts';
import { type Instant, isInstant, parseInstant, toEpochMillis } from '#contract/exchange/instant.ts';
import { createParser } from '#contract/parse/parse.ts';
import { ProblemDocument } from '#contract/desk/problems.ts';
import type { Access } from './access.ts';
import { NetworkError, ProblemError, UnexpectedResponseError } from './errors.ts';

/** What a read is for. If omitted, the endpoint's own purpose applies. */
export type PagePurpose = (typeof PAGE_PURPOSES)[number];

/** A successful response, not yet parsed, with its provenance from the headers. */
export interface RawResponse extends CacheStatus {
  /** Null: not modified. */
  readonly text: string | null;
  readonly respondedAt: Instant | null;
  readonly receivedAt: number;
  /**
   * The exchange's time when the server sent the response, in epoch milliseconds; null if the server did not state it.
   */
  readonly venueTime: number | null;
  readonly ageSeconds: number | null;
  readonly requestId: string | null;
  /** Equal tags mean equal texts. */
  readonly tag: string | null;
  /** The reading interval of a pushed response; undefined for a requested one. */
  readonly cadence?: Cadence;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly purpose?: PagePurpose | undefined;
}

interface HttpRequest extends RequestOptions {
  /** The response belongs to an account, so the browser must not store it. */
  readonly isPrivate?: boolean;
  /** Perpdesk responds without waiting for the exchange. */
  readonly isLocal?: boolean | undefined;
  /**
   * The tag of the response already held. Used only for private responses; the browser revalidates others by itself.
   */
  readonly previousTag?: string | null | undefined;
}

export interface HttpClient {
  /** Rejects with one of the errors in `errors.ts`, or with the signal's reason. */
  readonly get: (target: string, request: HttpRequest) => Promise<RawResponse>;
  /** Sends a request that is not a read. Rejects as `get` does. */
  readonly send: (target: string, request: SentRequest) => Promise<RawResponse>;
}

interface SentRequest extends Pick<RequestInit, 'method' | 'body'> {
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpClientDeps {
  readonly fetch: (target: string, init: RequestInit) => Promise<Response>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Returns a signal that aborts after this many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
  /** Undefined where nobody has to sign in. */
  readonly access?: Pick<Access, 'headers' | 'check'>;
}

/** Without a timeout, a browser would wait forever for a hung process while its last response still looks live. */
const TIMEOUT_MS = { local: 5_000, venue: 120_000, sent: 60_000 } as const;

export function createHttpClient({ fetch, now, timeout, access }: HttpClientDeps): HttpClient {
  const receive = async (target: string, init: RequestInit, signal?: AbortSignal): Promise<RawResponse> => {
    const response = await orNetworkError(fetch(target, init), signal);
    const text = await orNetworkError(response.text(), signal);
    const isUnchanged = response.status === NOT_MODIFIED && new Headers(init.headers).has('if-none-match');
    if (REJECTIONS.has(response.status)) void access?.check();
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
/** The sign-in session has ended, or no longer permits this. */
const REJECTIONS: ReadonlySet<number> = new Set([401, 403]);

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

/** An abort by the caller is not a failure, so it passes unchanged. */
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
  const respondedAt = headers.get(RESPONDED_AT_HEADER);
  return {
    text,
    receivedAt,
    venueTime: toVenueMillis(headers.get(VENUE_TIME_HEADER)),
    respondedAt: respondedAt !== null && isInstant(respondedAt) ? respondedAt : null,
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

/** Parses the exchange's time as the server writes it, into epoch milliseconds. */
export function toVenueMillis(header: string | null): number | null {
  const nanos = parseInstant(header ?? '');
  return nanos === null ? null : toEpochMillis(nanos);
}

function toSeconds(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}

/** The fields of the server's `Cache-Status` header (RFC 9211). */
interface CacheStatus {
  readonly cache: CacheOutcome;
  /** Seconds for which the server will send the same response again; negative if stale. */
  readonly freshSeconds: number | null;
  /** The type of the problem that made the server send a stale response. */
  readonly staleBecause: string | null;
}

const UNKNOWN: CacheStatus = { cache: 'unknown', freshSeconds: null, staleBecause: null };

/** Parses the entry that Perpdesk added: the cache nearest to the browser comes last. */
export function parseCacheStatus(header: string | null): CacheStatus {
  const entry = header?.split(',').at(-1)?.trim() ?? '';
  const [name, ...rest] = entry.split(';').map((part) => part.trim());
  if (name !== 'perpdesk') return UNKNOWN;
  const parameters = new Map(rest.map(toParameter));
  const ttl = Number(parameters.get('ttl') ?? Number.NaN);
  const freshSeconds = Number.isFinite(ttl) ? ttl : null;
  const cache = toOutcome(parameters, freshSeconds);
  return { cache, freshSeconds, staleBecause: cache === 'stale' ? (parameters.get('detail') ?? 'stale') : null };
}

function toParameter(part: string): readonly [string, string] {
  const at = part.indexOf('=');
  return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1).replace(/^"|"$/g, '')];
}

function toOutcome(parameters: ReadonlyMap<string, string>, freshSeconds: number | null): CacheOutcome {
  const detail = parameters.get('detail');
  if (!parameters.has('hit')) return parameters.has('collapsed') ? 'coalesced' : 'miss';
  if (detail === 'disk') return 'disk-hit';
  return detail !== undefined || (freshSeconds ?? 0) < 0 ? 'stale' : 'hit';
}
