import { ANSWERED_AT_HEADER, PURPOSE_HEADER, REQUEST_ID_HEADER, type PAGE_PURPOSES } from '#contract/desk.ts';
import { isInstant, type Instant } from '#contract/instant.ts';
import { createParser } from '#contract/parse.ts';
import { ProblemDocument } from '#contract/problems.ts';
import { parseCacheStatus, type CacheStatus } from './cache-status.ts';
import { NetworkError, ProblemError, StrangeAnswerError } from './errors.ts';

/** For whom a question is asked: a person waits, or nobody does yet. Without it the endpoint's own purpose holds. */
export type PagePurpose = (typeof PAGE_PURPOSES)[number];

/** A good answer of the desk, not yet read, with what its headers prove. */
export interface TextAnswer extends CacheStatus {
  /** Null: the same as the answer held. */
  readonly text: string | null;
  readonly answeredAt: Instant | null;
  readonly receivedAt: number;
  readonly ageSeconds: number | null;
  readonly requestId: string | null;
  /** Equal tags are equal texts. */
  readonly tag: string | null;
}

export interface Asking {
  readonly signal?: AbortSignal | undefined;
  readonly purpose?: PagePurpose | undefined;
}

/** A question on its way. */
interface Request extends Asking {
  /** The answer is somebody’s own: the browser must not keep it on its disk. */
  readonly isPrivate?: boolean;
  /** The desk answers out of itself, and waits for no venue. */
  readonly isOwn?: boolean | undefined;
  /** Tag of the answer that is held already. Only for private ones: for others the browser looks after that. */
  readonly heldTag?: string | null | undefined;
}

export interface HttpClient {
  /** Asks for a path of the desk. Rejects with one of the errors of `errors.ts`, or with the signal's reason once it is aborted. */
  readonly get: (target: string, request: Request) => Promise<TextAnswer>;
}

export interface HttpClientParts {
  readonly fetch: (target: string, init: RequestInit) => Promise<Response>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A signal that is aborted after so many milliseconds. */
  readonly limit: (ms: number) => AbortSignal;
}

/** Browsers wait for ever for a desk that has stopped in the midst of its work: what it last said would look live. */
const LONGEST_WAIT_MS = { own: 5_000, any: 120_000 } as const;

export function createHttpClient({ fetch, now, limit }: HttpClientParts): HttpClient {
  return {
    get: async (target, request) => {
      const { signal, isOwn = false } = request;
      const late = limit(LONGEST_WAIT_MS[isOwn ? 'own' : 'any']);
      const response = await orNetworkError(fetch(target, toInit(request, late)), signal);
      const text = await orNetworkError(response.text(), signal);
      if (response.status === NOT_MODIFIED && typeof request.heldTag === 'string') return toTextAnswer(response.headers, null, now());
      if (!response.ok) throw toFailure(response, text, now());
      return toTextAnswer(response.headers, text, now());
    },
  };
}

const NOT_MODIFIED = 304;

function toInit({ signal, purpose, isPrivate = false, heldTag }: Request, late: AbortSignal): RequestInit {
  const headers = {
    accept: 'application/json',
    ...(purpose && { [PURPOSE_HEADER]: purpose }),
    ...(isPrivate && typeof heldTag === 'string' && { 'if-none-match': heldTag }),
  };
  return { headers, signal: signal === undefined ? late : AbortSignal.any([signal, late]), redirect: 'error', cache: isPrivate ? 'no-store' : 'default' };
}

/** An abort is no failure: it goes on as it is. */
async function orNetworkError<T>(step: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new NetworkError('The desk does not answer: is it running, and is this machine connected to it?', { cause: error });
  }
}

function toTextAnswer(headers: Headers, text: string | null, receivedAt: number): TextAnswer {
  const answeredAt = headers.get(ANSWERED_AT_HEADER);
  return {
    text,
    receivedAt,
    answeredAt: answeredAt !== null && isInstant(answeredAt) ? answeredAt : null,
    ageSeconds: toSeconds(headers.get('age')),
    requestId: headers.get(REQUEST_ID_HEADER),
    tag: headers.get('etag'),
    ...parseCacheStatus(headers.get('cache-status')),
  };
}

function toFailure({ status, headers }: Response, text: string, receivedAt: number): ProblemError | StrangeAnswerError {
  const type = headers.get('content-type');
  const document = type?.startsWith('application/problem+json') === true ? problemParser.tolerant(text).value : null;
  if (document === null) return new StrangeAnswerError(status, type);
  const retryAfter = document.retryAfter ?? toSeconds(headers.get('retry-after'));
  return new ProblemError(document, receivedAt, retryAfter);
}

const problemParser = createParser(ProblemDocument);

function toSeconds(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
