import type { EndpointName } from '#contract/exchange/endpoints.ts';
import type {
  Purpose,
  ReadOptions,
  ResponseListeners,
  Venue,
  VenueRequest,
  VenueResponse,
  VenueState,
} from '#server/core/ports.ts';
import { createUniqueIds } from '#server/core/unique-ids.ts';
import { concernsVenue, type Problem, VenueFailure } from '#server/core/venue-failure.ts';
import { attempt, type AttemptParts } from './attempt.ts';
import { createCircuitBreaker, type Pass } from './circuit-breaker.ts';
import { TransientFailure } from './response.ts';
import { createAuthBackoff } from './signer.ts';

interface VenueParts extends Omit<AttemptParts, 'authBackoff' | 'nextTag' | 'onRejection'> {
  /** Resolves after the time, or rejects when the signal is aborted. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1: spreads the retries of many servers. */
  readonly random: () => number;
  readonly baseUrl: string;
  /** Monotonic. */
  readonly elapsed: () => number;
  readonly listeners: ResponseListeners;
}

const MAX_RETRIES: Readonly<Record<Purpose, number>> = {
  interactive: 2,
  working: 2,
  trailing: 2,
  estimates: 2,
  history: 2,
  prefetch: 0,
};
const FIRST_PAUSE_MS = 200;
/** No retry starts after this: the caller would have given up. */
const DEADLINE_MS = 20_000;
/** Failures of the exchange, as opposed to the request, the key or the budget. */
const OUTAGES: readonly Problem['type'][] = [
  'venue-fault',
  'venue-unreachable',
  'venue-answer-unreadable',
  'venue-timeout',
];

/** Reads from the exchange with few retries and a pause between them; none during an outage or if the budget is spent. */
export function createVenueClient(parts: VenueParts): Venue {
  const { now, elapsed, clock } = parts;
  const record = createVenueRecord(now);
  const authBackoff = createAuthBackoff(parts.signer, elapsed);
  const attemptParts: AttemptParts = {
    ...parts,
    authBackoff,
    nextTag: createTags(now()),
    onRejection: record.rejected,
  };
  const circuitBreaker = createCircuitBreaker(elapsed);

  const readWithRetries = async (request: VenueRequest, options: ReadOptions): Promise<VenueResponse> => {
    const begunAt = elapsed();
    const deadline = begunAt + DEADLINE_MS;
    for (let retries = 0; ; retries++) {
      try {
        const response = await attempt(attemptParts, request, options);
        record.answered(request.name, elapsed() - begunAt);
        return response;
      } catch (error) {
        if (error instanceof VenueFailure && concernsVenue(error)) record.failed(error.problem);
        const pauseMs = FIRST_PAUSE_MS * 2 ** retries * (0.5 + parts.random());
        const isOver = retries >= MAX_RETRIES[options.purpose] || elapsed() + pauseMs > deadline;
        if (isOver || !(error instanceof TransientFailure) || circuitBreaker.state() !== 'closed') throw error;
        await parts.pause(pauseMs, options.signal);
      }
    }
  };

  const readOrPause = async (request: VenueRequest, options: ReadOptions): Promise<VenueResponse> => {
    // Before the circuit breaker: a request that is not sent says nothing about the exchange.
    if (request.endpoint.access === 'signed') authBackoff.check();
    const pass = circuitBreaker.enter(request.name);
    try {
      const response = await readWithRetries(request, options);
      pass.succeeded();
      return response;
    } catch (error) {
      report(pass, error);
      throw error;
    }
  };

  return {
    read: async (request, options) => {
      const response = await readOrPause(request, options);
      parts.listeners[request.name]?.(request, response, clock.offsetMs() ?? 0);
      return response;
    },
    state: () => ({
      baseUrl: parts.baseUrl,
      clockOffsetMs: clock.offsetMs(),
      ignoredDate: clock.ignoredDate(),
      circuit: circuitBreaker.state(),
      retryMs: circuitBreaker.retryMs(),
      ...record.state(),
    }),
    close: () => parts.transport.close(),
  };
}

/** Judges the last attempt: all attempts of one read count as one failure. */
function report(pass: Pass, error: unknown): void {
  if (!(error instanceof VenueFailure) || !concernsVenue(error)) pass.abandoned();
  else if (OUTAGES.includes(error.problem.type)) pass.failed(error.problem);
  else pass.succeeded();
}

/** A digest of the body would cost more than comparing bodies for equality. */
function createTags(startedAt: number): () => string {
  const nextId = createUniqueIds(startedAt);
  return () => `"${nextId()}"`;
}

/** The last responses and the last failures of the exchange. */
interface VenueRecord {
  readonly answered: (endpoint: EndpointName, tookMs: number) => void;
  readonly failed: (problem: Problem) => void;
  /** The meaning of a 401, 403 or 429. */
  readonly rejected: (problem: Problem) => void;
  readonly state: () => Pick<VenueState, 'lastAnswerAt' | 'lastReads' | 'lastFailure' | 'lastRefusal'>;
}

/** The exchange works: the request was wrong. */
const REJECTED_REQUESTS: readonly Problem['type'][] = ['not-found', 'bad-parameter', 'too-many-working-orders'];

function createVenueRecord(now: () => number): VenueRecord {
  const lastReads = new Map<EndpointName, { readonly at: number; readonly tookMs: number }>();
  let lastAnswerAt: number | null = null;
  let lastFailure: VenueState['lastFailure'] = null;
  let lastRefusal: VenueState['lastRefusal'] = null;
  return {
    answered: (endpoint, tookMs) => {
      lastAnswerAt = now();
      lastReads.set(endpoint, { at: lastAnswerAt, tookMs });
    },
    failed: (problem) => {
      if (REJECTED_REQUESTS.includes(problem.type)) lastAnswerAt = now();
      else lastFailure = { at: now(), problem };
    },
    rejected: (problem) => {
      lastRefusal = { at: now(), problem };
    },
    state: () => ({ lastAnswerAt, lastReads, lastFailure, lastRefusal }),
  };
}
