import { randomUUID } from 'node:crypto';
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
import { concernsVenue, type Problem, VenueFailure } from '#server/core/venue-failure.ts';
import { attempt, type AttemptDeps } from './attempt.ts';
import { TransientFailure } from './response.ts';
import { createAuthBackoff } from './signer.ts';

interface VenueDeps extends Omit<AttemptDeps, 'authBackoff' | 'nextTag' | 'onRejection'> {
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
const FIRST_RETRY_MS = 200;
/** No retry starts after this, because the caller would have given up. */
const DEADLINE_MS = 20_000;
/** Failures of the exchange, as opposed to the request, the key or the budget. */
const OUTAGES: readonly Problem['type'][] = [
  'venue-fault',
  'venue-unreachable',
  'venue-answer-unreadable',
  'venue-timeout',
];

/**
 * Reads from the exchange with few retries and pauses between them; never retries during an outage or if the budget is
 * spent.
 */
export function createVenueClient(deps: VenueDeps): Venue {
  const { now, elapsed, clock } = deps;
  const record = createVenueRecord(now);
  const authBackoff = createAuthBackoff(deps.signer, elapsed);
  const attemptParts: AttemptDeps = {
    ...deps,
    authBackoff,
    nextTag: createTag,
    onRejection: record.rejected,
  };
  const circuitBreaker = createCircuitBreaker(elapsed);

  const readWithRetries = async (request: VenueRequest, options: ReadOptions): Promise<VenueResponse> => {
    const begunAt = elapsed();
    const deadline = begunAt + DEADLINE_MS;
    for (let retries = 0; ; retries++) {
      try {
        const response = await attempt(attemptParts, request, options);
        record.responded(request.name, elapsed() - begunAt);
        return response;
      } catch (error) {
        if (error instanceof VenueFailure && concernsVenue(error)) record.failed(error.problem);
        const pauseMs = FIRST_RETRY_MS * 2 ** retries * (0.5 + deps.random());
        const isOver = retries >= MAX_RETRIES[options.purpose] || elapsed() + pauseMs > deadline;
        if (isOver || !(error instanceof TransientFailure) || circuitBreaker.state() !== 'closed') throw error;
        await deps.pause(pauseMs, options.signal);
      }
    }
  };

  const readOrPause = async (request: VenueRequest, options: ReadOptions): Promise<VenueResponse> => {
    // Checked before the circuit breaker: a request that is not sent says nothing about the exchange.
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
      deps.listeners[request.name]?.(request, response, clock.offsetMs() ?? 0);
      return response;
    },
    state: () => ({
      baseUrl: deps.baseUrl,
      clockOffsetMs: clock.offsetMs(),
      ignoredDate: clock.ignoredDate(),
      circuit: circuitBreaker.state(),
      retryMs: circuitBreaker.retryMs(),
      ...record.state(),
    }),
    close: () => deps.transport.close(),
  };
}

/** Reports the result of the last attempt: all attempts of one read count as one failure. */
function report(pass: Pass, error: unknown): void {
  if (!(error instanceof VenueFailure) || !concernsVenue(error)) pass.abandoned();
  else if (OUTAGES.includes(error.problem.type)) pass.failed(error.problem);
  else pass.succeeded();
}

/**
 * Returns a tag for a response, because hashing the body would cost more than comparing bodies for equality. It is not a
 * number: that would say how many responses others have caused meanwhile.
 */
function createTag(): string {
  return `"${randomUUID()}"`;
}

/** The last responses and the last failures of the exchange. */
interface VenueRecord {
  readonly responded: (endpoint: EndpointName, tookMs: number) => void;
  readonly failed: (problem: Problem) => void;
  /** Records the meaning of a 401, 403 or 429. */
  readonly rejected: (problem: Problem) => void;
  readonly state: () => Pick<VenueState, 'lastResponseAt' | 'lastReads' | 'lastFailure' | 'lastRejection'>;
}

/** The exchange works: the request was wrong. */
const REJECTED_REQUESTS: readonly Problem['type'][] = ['not-found', 'bad-parameter', 'too-many-working-orders'];

function createVenueRecord(now: () => number): VenueRecord {
  const lastReads = new Map<EndpointName, { readonly at: number; readonly tookMs: number }>();
  let lastResponseAt: number | null = null;
  let lastFailure: VenueState['lastFailure'] = null;
  let lastRejection: VenueState['lastRejection'] = null;
  return {
    responded: (endpoint, tookMs) => {
      lastResponseAt = now();
      lastReads.set(endpoint, { at: lastResponseAt, tookMs });
    },
    failed: (problem) => {
      if (REJECTED_REQUESTS.includes(problem.type)) lastResponseAt = now();
      else lastFailure = { at: now(), problem };
    },
    rejected: (problem) => {
      lastRejection = { at: now(), problem };
    },
    state: () => ({ lastResponseAt, lastReads, lastFailure, lastRejection }),
  };
}

/**
 * Pauses all reads after repeated failures, and lets one through from time to time to find out whether the exchange is
 * back.
 *
 * @internal Exported for its test.
 */
export interface CircuitBreaker {
  /** Throws at once while reads are paused. */
  readonly enter: (endpoint: EndpointName) => Pass;
  readonly state: () => VenueState['circuit'];
  /** The time until a read is let through; null while reads are not paused, or while a probe is in flight. */
  readonly retryMs: () => number | null;
}

/** One read including its retries; reports how the read ended. */
interface Pass {
  readonly succeeded: () => void;
  readonly failed: (problem: Problem) => void;
  /** The read was dropped or never sent, which says nothing about the exchange. */
  readonly abandoned: () => void;
}

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

/** @internal Exported for its test. */
export function createCircuitBreaker(elapsed: () => number): CircuitBreaker {
  const failures = createFailureCount();
  let pauses = 0;
  let openUntil = 0;
  let probe: Pass | null = null;
  let last: Problem | null = null;

  const isOpen = (): boolean => pauses > 0;
  const open = (): void => {
    openUntil = elapsed() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses);
    pauses += 1;
  };
  const endProbe = (pass: Pass): boolean => {
    const wasProbe = probe === pass;
    if (wasProbe) probe = null;
    return wasProbe;
  };
  const createPass = (endpoint: EndpointName): Pass => {
    const pass: Pass = {
      succeeded: () => {
        endProbe(pass);
        failures.reset();
        pauses = 0;
        last = null;
      },
      failed: (problem) => {
        last = problem;
        failures.add(endpoint, problem);
        const wasProbe = endProbe(pass);
        // Reads in flight when it opened fail together: that is one reason to pause, not many.
        if (isOpen() ? wasProbe : failures.isOutage()) open();
      },
      abandoned: () => void endProbe(pass),
    };
    return pass;
  };

  return {
    enter: (endpoint) => {
      const pass = createPass(endpoint);
      if (!isOpen()) return pass;
      if (elapsed() < openUntil || probe !== null) throw paused(last, openUntil - elapsed());
      probe = pass;
      return pass;
    },
    state: () => (!isOpen() ? 'closed' : probe === null ? 'open' : 'half-open'),
    retryMs: () => (isOpen() && probe === null ? Math.max(0, openUntil - elapsed()) : null),
  };
}

interface FailureCount {
  readonly add: (endpoint: EndpointName, problem: Problem) => void;
  readonly isOutage: () => boolean;
  readonly reset: () => void;
}

/** Counts consecutive failures. One failing endpoint is no reason to pause the others; an unreachable exchange is. */
function createFailureCount(): FailureCount {
  const endpoints = new Set<EndpointName>();
  let all = 0;
  let unreached = 0;
  return {
    add: (endpoint, { type }) => {
      endpoints.add(endpoint);
      all += 1;
      if (type === 'venue-unreachable') unreached += 1;
    },
    isOutage: () => unreached >= FAILURES_TO_OPEN || (all >= FAILURES_TO_OPEN && endpoints.size > 1),
    reset: () => {
      endpoints.clear();
      all = 0;
      unreached = 0;
    },
  };
}

function paused(last: Problem | null, waitMs: number): VenueFailure {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const { type, detail } = last ?? { type: 'venue-unreachable', detail: 'The exchange is unreachable.' };
  // Without the seconds, which are counted down elsewhere, so that the sentence stays the same during an outage.
  return new VenueFailure({ type, detail: `${detail} Perpdesk pauses before it retries.`, retryAfterSeconds });
}
