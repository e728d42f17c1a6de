import { Pool, type Dispatcher } from 'undici';
import type { Schedule } from '../reuse/waiting-line.ts';
import { LARGEST_BODY, takeStart, takeWhole, type Headers } from './take-whole.ts';
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

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** Whole where the status is 200; else its beginning. */
  readonly body: Buffer;
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
      const limit = limitTime(signal, totalMs, schedule);
      let answer: Dispatcher.ResponseData | undefined;
      try {
        answer = await pool.request({ method: 'GET', path: target, headers, signal: limit.signal });
        return await take(answer);
      } catch (error) {
        signal.throwIfAborted();
        throw toFailure(error, answer !== undefined);
      } finally {
        limit.end();
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

async function take({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<Received> {
  return { status, headers, body: await (status === 200 ? takeWhole : takeStart)(body, headers) };
}

/** Aborted when the signal is, or when the time is over; nothing of it is left after `end`. */
function limitTime(signal: AbortSignal, totalMs: number, schedule: Schedule) {
  const controller = new AbortController();
  const drop = (): void => {
    controller.abort(signal.reason);
  };
  signal.addEventListener('abort', drop, { once: true });
  const cancel = schedule(totalMs, () => {
    controller.abort(new DOMException('The answer took too long.', 'TimeoutError'));
  });
  return {
    signal: controller.signal,
    end: () => {
      cancel();
      signal.removeEventListener('abort', drop);
    },
  };
}
