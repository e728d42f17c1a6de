import { Pool } from 'undici';
import type { Schedule } from '#server/core/ports.ts';
import type { RoomFor } from './read-body.ts';
import { createResponseReceiver, type UpstreamResponse } from './response-receiver.ts';
import { MAX_BODY_BYTES } from './response-failures.ts';
import { createSlots, type Claim, type Slots } from './slots.ts';
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

export interface TransportOptions {
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
