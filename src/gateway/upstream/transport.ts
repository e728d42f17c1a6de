import { Pool } from 'undici';
import type { Schedule } from '../ports.ts';
import { createResponseReceiver, type UpstreamResponse } from './response-receiver.ts';
import { MAX_BODY_BYTES } from './response-failures.ts';
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

interface ToSend {
  /** Path and query, as they go on the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const MAX_CONNECTIONS = 16;
const MAX_HEADER_BYTES = 16_384;
const DEFAULT_LIMITS: TransportLimits = { connectMs: 5_000, headersMs: 10_000, idleMs: 10_000, totalMs: 30_000 };

export function createTransport({ baseUrl, schedule, limits = {} }: TransportOptions): Transport {
  const { totalMs, ...others } = { ...DEFAULT_LIMITS, ...limits };
  const pool = createPool(new URL(baseUrl).origin, others);
  return {
    send: async ({ target, headers, signal }) => {
      signal.throwIfAborted();
      const receiver = createResponseReceiver();
      const drop = (): void => {
        receiver.drop(new DOMException('The caller has gone.', 'AbortError'));
      };
      signal.addEventListener('abort', drop, { once: true });
      const cancel = schedule(totalMs, () => {
        receiver.drop(new DOMException('The response took too long.', 'TimeoutError'));
      });
      try {
        pool.dispatch({ method: 'GET', path: target, headers }, receiver.handler);
        return await receiver.received;
      } catch (error) {
        signal.throwIfAborted();
        throw toFailure(error, receiver.hasBegun());
      } finally {
        cancel();
        signal.removeEventListener('abort', drop);
      }
    },
    close: () => pool.destroy(),
  };
}

function createPool(origin: string, { connectMs, headersMs, idleMs }: Omit<TransportLimits, 'totalMs'>): Pool {
  return new Pool(origin, {
    connections: MAX_CONNECTIONS,
    // The protocol whose limits and faults are tested. Certificates are checked whatever the environment says.
    allowH2: false,
    connect: { timeout: connectMs, rejectUnauthorized: true },
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: MAX_BODY_BYTES,
  });
}
