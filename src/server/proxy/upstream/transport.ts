import { isUnknownAuthority, TRUST_ADVICE } from '#files/unknown-authority.ts';
import { errors, Pool } from 'undici';
import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { isMoreUrgent, type Purpose, type Schedule } from '#server/core/ports.ts';
import {
  createResponseReceiver,
  MAX_BODY_BYTES,
  type SpaceFor,
  tooLarge,
  TransientFailure,
  unreadable,
  type UpstreamResponse,
} from './response.ts';

/** Timeouts, in milliseconds. */
export interface TransportLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly idleMs: number;
  /** From the request to the last byte of the response, however steadily the bytes arrive. */
  readonly totalMs: number;
}

interface TransportOptions {
  readonly baseUrl: string;
  readonly schedule: Schedule;
  readonly limits?: Partial<TransportLimits> | undefined;
}

/**
 * Sends one request to the origin of base_url and receives the whole response, within limits of time and size. Follows
 * no redirects.
 */
export interface Transport {
  readonly send: (request: ToSend) => Promise<UpstreamResponse>;
  readonly close: () => Promise<void>;
}

interface ToSend extends Claim {
  /** Path and query as sent. */
  readonly target: string;
  /** Called just before sending, since the wait for a connection may have been long. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Called directly before the request is written, which it prevents by throwing. */
  readonly begin: () => void;
  readonly signal: AbortSignal;
}

const CONNECTIONS = { total: 16, perEndpoint: 8 } as const;
/**
 * Responses larger than this, received or decompressed, take turns, so that all that arrive at once fit into memory.
 */
const LARGE_BYTES = 1_024 * 1_024;
const LARGE_RESPONSES = { total: 4, perEndpoint: 2 } as const;
const MAX_HEADER_BYTES = 16_384;
const DEFAULT_LIMITS: TransportLimits = { connectMs: 5_000, headersMs: 10_000, idleMs: 10_000, totalMs: 30_000 };

export function createTransport({ baseUrl, schedule, limits = {} }: TransportOptions): Transport {
  const { totalMs, ...others } = { ...DEFAULT_LIMITS, ...limits };
  const pool = createPool(new URL(baseUrl).origin, others);
  const connections = createSlots(CONNECTIONS);
  const largeResponses = createSlots(LARGE_RESPONSES);
  return {
    send: async (request) => {
      const { signal } = request;
      signal.throwIfAborted();
      const ending = new AbortController();
      const leave = (): void => {
        ending.abort(new DOMException('The caller has gone.', 'AbortError'));
      };
      signal.addEventListener('abort', leave, { once: true });
      const cancel = schedule(totalMs, () => {
        ending.abort(new DOMException('The response took too long.', 'TimeoutError'));
      });
      const room = createSpace(largeResponses, request, ending.signal);
      try {
        const free = await connections.take(request, ending.signal);
        return await receive(pool, request, room.spaceFor, ending.signal).finally(free);
      } catch (error) {
        signal.throwIfAborted();
        throw toFailure(error, false);
      } finally {
        cancel();
        signal.removeEventListener('abort', leave);
        room.end();
      }
    },
    close: () => pool.destroy(),
  };
}

async function receive(
  pool: Pool,
  { target, headers, begin }: ToSend,
  spaceFor: SpaceFor,
  ending: AbortSignal,
): Promise<UpstreamResponse> {
  const receiver = createResponseReceiver(spaceFor, begin);
  const drop = (): void => {
    receiver.drop(ending.reason as Error);
  };
  ending.addEventListener('abort', drop, { once: true });
  try {
    ending.throwIfAborted();
    pool.dispatch({ method: 'GET', path: target, headers: headers() }, receiver.handler);
    return await receiver.received;
  } catch (error) {
    throw toFailure(error, receiver.hasBegun());
  } finally {
    ending.removeEventListener('abort', drop);
  }
}

/** Takes a slot once a response turns out to be large. */
function createSpace(
  slots: Slots,
  claim: Claim,
  ending: AbortSignal,
): { readonly spaceFor: SpaceFor; readonly end: () => void } {
  let free: (() => void) | null = null;
  let waiting: Promise<void> | null = null;
  let hasEnded = false;
  const wait = async (): Promise<void> => {
    const taken = await slots.take(claim, ending);
    // The response may have ended while it waited.
    if (hasEnded) taken();
    else free = taken;
  };
  return {
    spaceFor: (bytes) => (bytes <= LARGE_BYTES || free !== null ? undefined : (waiting ??= wait())),
    end: () => {
      hasEnded = true;
      free?.();
    },
  };
}

function createPool(origin: string, { connectMs, headersMs, idleMs }: Omit<TransportLimits, 'totalMs'>): Pool {
  return new Pool(origin, {
    connections: CONNECTIONS.total,
    // HTTP/1 is the protocol whose limits and faults are tested. Certificates are checked regardless of the
    // environment.
    allowH2: false,
    connect: { timeout: connectMs, rejectUnauthorized: true },
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: MAX_BODY_BYTES,
  });
}

/** One request for a slot. */
interface Claim {
  readonly endpoint: EndpointName;
  readonly purpose: Purpose;
}

/**
 * A limited number of slots. One endpoint may hold only some of them, so that one that hangs leaves some to the others.
 */
interface Slots {
  /** Resolves with a function that frees the slot; rejects with the signal’s reason if that is aborted first. */
  readonly take: (claim: Claim, signal: AbortSignal) => Promise<() => void>;
}

interface SlotLimits {
  readonly total: number;
  readonly perEndpoint: number;
}

/** The slots that one endpoint holds. */
interface Share {
  held: number;
}

interface Waiting {
  readonly purpose: Purpose;
  readonly share: Share;
  readonly grant: () => void;
}

/** @internal Exported for its test. */
export function createSlots({ total, perEndpoint }: SlotLimits): Slots {
  const shares = new Map<EndpointName, Share>();
  // In order of arrival. A Set that shrinks and grows forever would keep them from the garbage collector.
  const waiting: Waiting[] = [];
  let free = total;

  const shareOf = (endpoint: EndpointName): Share => {
    const share = shares.get(endpoint) ?? { held: 0 };
    shares.set(endpoint, share);
    return share;
  };
  const change = (share: Share, by: 1 | -1): void => {
    free -= by;
    share.held += by;
  };
  const leave = (entry: Waiting): void => {
    waiting.splice(waiting.indexOf(entry), 1);
  };
  const findNext = (): Waiting | undefined => {
    let best: Waiting | undefined;
    if (free === 0) return best;
    for (const each of waiting) {
      if (each.share.held < perEndpoint && (best === undefined || goesBefore(each, best))) best = each;
    }
    return best;
  };
  const serve = (): void => {
    for (let next = findNext(); next !== undefined; next = findNext()) {
      leave(next);
      change(next.share, 1);
      next.grant();
    }
  };

  return {
    take: async ({ endpoint, purpose }, signal) => {
      signal.throwIfAborted();
      const share = shareOf(endpoint);
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          leave(entry);
          reject(signal.reason as Error);
        };
        const grant = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        const entry = { purpose, share, grant };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(entry);
        serve();
      });
      return () => {
        change(share, -1);
        serve();
      };
    },
  };
}

/** Compares by urgency, then by how few slots the endpoint holds, then by order of arrival. */
function goesBefore(one: Waiting, other: Waiting): boolean {
  return one.purpose === other.purpose ? one.share.held < other.share.held : isMoreUrgent(one.purpose, other.purpose);
}

/**
 * Converts an error to the reason why a request failed. Before the response began, the exchange was not reached; after
 * that, its response is broken. An error of neither the exchange nor the network is returned unchanged.
 *
 * @internal Exported for its test.
 */
export function toFailure(error: unknown, began: boolean): unknown {
  if (error instanceof VenueFailure) return error;
  if (isTimeout(error))
    return new VenueFailure({ type: 'venue-timeout', detail: 'The exchange did not respond in time.' }, error);
  if (error instanceof errors.ResponseExceededMaxSizeError) return tooLarge();
  if (isNoHttp(error, began)) return unreadable('is not valid HTTP', error);
  const code = codeOf(error);
  if (code === null) return error;
  return began ? unreadable('was cut off', error) : toUnreached(error, code);
}

function isTimeout(error: unknown): boolean {
  const timeouts = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];
  return (
    timeouts.some((kind) => error instanceof kind) || (error instanceof DOMException && error.name === 'TimeoutError')
  );
}

/**
 * Whether the response is not valid HTTP. Before the body began, a length mismatch means that the headers contradict
 * each other.
 */
function isNoHttp(error: unknown, began: boolean): boolean {
  if (error instanceof errors.ResponseContentLengthMismatchError) return !began;
  return error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
}

const NOT_TRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening at its address',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ENOTFOUND: 'its host name does not exist; check its address and this machine’s network',
  EAI_AGAIN: 'its host name cannot be resolved; check this machine’s network',
  ENETUNREACH: 'there is no route to it; check this machine’s network',
  EHOSTUNREACH: 'there is no route to it; check this machine’s network',
};

function toUnreached(error: unknown, code: string): VenueFailure {
  const type = 'venue-unreachable';
  if (NOT_TRUSTED.test(code)) {
    const detail =
      `The exchange’s certificate is not trusted (${code}), so no request was sent: check ` +
      `its address, this machine’s clock, and any proxy in between${isUnknownAuthority(code) ? `; ${TRUST_ADVICE}` : ''}.`;
    return new VenueFailure({ type, detail }, error);
  }
  const why = WHY[code];
  const detail = `The exchange is unreachable${why === undefined ? '' : `: ${why}`} (${code}).`;
  return new TransientFailure({ type, detail }, error);
}

/**
 * Returns the code of a socket error; null for our own mistakes, which have none, or undici’s for invalid arguments.
 */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error instanceof errors.InvalidArgumentError) return null;
  return String(error.code);
}
