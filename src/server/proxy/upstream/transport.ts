import { Pool } from 'undici';
import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { isMoreUrgent, type Purpose, type Schedule } from '#server/core/ports.ts';
import { MAX_BODY_BYTES, type RoomFor } from './response.ts';
import { createResponseReceiver, type UpstreamResponse } from './response-receiver.ts';
import { toFailure } from './transport-failure.ts';

/** Timeouts, in milliseconds. */
export interface TransportLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly idleMs: number;
  /** From the request to the last byte of the response, however steadily it drips. */
  readonly totalMs: number;
}

interface TransportOptions {
  readonly baseUrl: string;
  readonly schedule: Schedule;
  readonly limits?: Partial<TransportLimits> | undefined;
}

/** Sends one request to the origin of base_url and receives the whole response, within limits of time and size. Follows no redirects. */
export interface Transport {
  readonly send: (request: ToSend) => Promise<UpstreamResponse>;
  readonly close: () => Promise<void>;
}

interface ToSend extends Claim {
  /** Path and query, as they go on the wire. */
  readonly target: string;
  /** Called just before it is sent: the wait for a connection may have been long. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const CONNECTIONS = { total: 16, perEndpoint: 8 } as const;
/** Responses larger than this, received or decompressed, take turns: all that arrive at once must fit into memory. */
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
      const room = createRoom(largeResponses, request, ending.signal);
      try {
        const free = await connections.take(request, ending.signal);
        return await receive(pool, request, room.roomFor, ending.signal).finally(free);
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
  { target, headers }: ToSend,
  roomFor: RoomFor,
  ending: AbortSignal,
): Promise<UpstreamResponse> {
  const receiver = createResponseReceiver(roomFor);
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
function createRoom(
  slots: Slots,
  claim: Claim,
  ending: AbortSignal,
): { readonly roomFor: RoomFor; readonly end: () => void } {
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
    roomFor: (bytes) => (bytes <= LARGE_BYTES || free !== null ? undefined : (waiting ??= wait())),
    end: () => {
      hasEnded = true;
      free?.();
    },
  };
}

function createPool(origin: string, { connectMs, headersMs, idleMs }: Omit<TransportLimits, 'totalMs'>): Pool {
  return new Pool(origin, {
    connections: CONNECTIONS.total,
    // The protocol whose limits and faults are tested. Certificates are checked whatever the environment says.
    allowH2: false,
    connect: { timeout: connectMs, rejectUnauthorized: true },
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: MAX_BODY_BYTES,
  });
}

/** Who needs a slot. */
interface Claim {
  readonly endpoint: EndpointName;
  readonly purpose: Purpose;
}

/** A limited number of slots. One endpoint may hold only a part of them, so that one that hangs leaves some to the others. */
interface Slots {
  /** Resolves with a function that frees the slot; rejects with the signal's reason if that is aborted first. */
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
  // In the order of arrival. A Set that shrinks and grows for ever would keep them from the garbage collector.
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

/** The most urgent goes first; of equally urgent ones, whose endpoint holds the fewest; then the first to arrive. */
function goesBefore(one: Waiting, other: Waiting): boolean {
  return one.purpose === other.purpose ? one.share.held < other.share.held : isMoreUrgent(one.purpose, other.purpose);
}
