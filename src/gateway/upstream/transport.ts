import { Pool } from 'undici';
import type { Schedule } from '../reuse/waiting-line.ts';
import { createExchange, type Received } from './exchange.ts';
import { LARGEST_BODY } from './broken-answer.ts';
import { toFailure } from './transport-failure.ts';

/** How long the venue may take, in milliseconds. */
export interface TransportLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly idleMs: number;
  /** From the request to the answer's last byte, however steadily it drips. */
  readonly totalMs: number;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly schedule: Schedule;
  readonly limits?: Partial<TransportLimits> | undefined;
}

/** Sends one request and takes its answer whole, within limits of time and size. Only to base_url's origin; follows nothing. */
export interface Transport {
  readonly send: (request: ToSend) => Promise<Received>;
  readonly close: () => Promise<void>;
}

interface ToSend {
  /** Path and query, as they go on the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const MOST_CONNECTIONS = 16;
const LARGEST_HEADERS = 16_384;
const USUAL_LIMITS: TransportLimits = { connectMs: 5_000, headersMs: 10_000, idleMs: 10_000, totalMs: 30_000 };

export function createTransport({ baseUrl, schedule, limits = {} }: TransportOptions): Transport {
  const { totalMs, ...others } = { ...USUAL_LIMITS, ...limits };
  const pool = createPool(new URL(baseUrl).origin, others);
  return {
    send: async ({ target, headers, signal }) => {
      signal.throwIfAborted();
      const exchange = createExchange();
      const drop = (): void => {
        exchange.drop(new DOMException('Nobody waits any more.', 'AbortError'));
      };
      signal.addEventListener('abort', drop, { once: true });
      const cancel = schedule(totalMs, () => {
        exchange.drop(new DOMException('The answer took too long.', 'TimeoutError'));
      });
      try {
        pool.dispatch({ method: 'GET', path: target, headers }, exchange.handler);
        return await exchange.received;
      } catch (error) {
        signal.throwIfAborted();
        throw toFailure(error, exchange.hasBegun());
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
    connections: MOST_CONNECTIONS,
    // One protocol, the one whose limits and faults are tried out. Certificates count whatever the environment says.
    allowH2: false,
    connect: { timeout: connectMs, rejectUnauthorized: true },
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    maxHeaderSize: LARGEST_HEADERS,
    maxResponseSize: LARGEST_BODY,
  });
}
