import { errors, Pool, type Dispatcher } from 'undici';
import { VenueFailure } from '../ports.ts';
import { LARGEST_BODY, takeWhole, type Headers } from './take-whole.ts';

export interface TransportOptions {
  readonly baseUrl: string;
  readonly connectMs?: number;
  readonly headersMs?: number;
  readonly idleMs?: number;
  readonly totalMs?: number;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Sends one request and takes its answer whole, within limits of time and size. Only to base_url's origin; follows nothing. */
export interface Transport {
  readonly send: (request: ToSend) => Promise<Received>;
  readonly close: () => Promise<void>;
}

export interface ToSend {
  readonly method: 'GET' | 'HEAD';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const MOST_CONNECTIONS = 16;
const LARGEST_HEADERS = 16_384;

export function createTransport({ baseUrl, connectMs = 5_000, headersMs = 10_000, idleMs = 10_000, totalMs = 30_000 }: TransportOptions): Transport {
  const pool = new Pool(new URL(baseUrl).origin, {
    connections: MOST_CONNECTIONS,
    connectTimeout: connectMs,
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    maxHeaderSize: LARGEST_HEADERS,
    maxResponseSize: LARGEST_BODY,
  });
  return {
    send: async ({ method, target, headers, signal }) => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
      let answer: Dispatcher.ResponseData | undefined;
      try {
        answer = await pool.request({ method, path: target, headers, signal: limited });
        const body = await takeWhole(answer.body, answer.headers);
        return { status: answer.statusCode, headers: answer.headers, body };
      } catch (error) {
        signal.throwIfAborted();
        throw toFailure(error, answer !== undefined);
      }
    },
    close: () => pool.destroy(),
  };
}

/** Before the answer began, the venue was not reached; after, what it said is broken. */
function toFailure(error: unknown, began: boolean): VenueFailure {
  if (error instanceof VenueFailure) return error;
  if (isTimeout(error)) return new VenueFailure({ type: 'venue-timeout', detail: 'The venue did not answer in time.' }, error);
  if (error instanceof errors.ResponseExceededMaxSizeError) return broken('is larger than 64 MB', error);
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return broken('is not HTTP that can be read', error);
  if (began) return broken('broke off before its end', error);
  return new VenueFailure({ type: 'venue-unreachable', detail: `The venue cannot be reached (${codeOf(error)}).` }, error);
}

function broken(detail: string, cause: unknown): VenueFailure {
  return new VenueFailure({ type: 'venue-answer-unreadable', detail: `The venue’s answer ${detail}.` }, cause);
}

function isTimeout(error: unknown): boolean {
  const timeouts = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];
  return timeouts.some((kind) => error instanceof kind) || (error instanceof DOMException && error.name === 'TimeoutError');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no connection';
}
