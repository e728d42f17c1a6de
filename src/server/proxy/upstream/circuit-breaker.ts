import type { EndpointName } from '#contract/exchange/endpoints.ts';
import type { VenueState } from '#server/core/ports.ts';
import { VenueFailure, type Problem } from '#server/core/venue-failure.ts';

/** Pauses all reads after repeated failures, and lets one through from time to time to find out whether the exchange is back. */
export interface CircuitBreaker {
  /** Throws at once while reads are paused. */
  readonly enter: (endpoint: EndpointName) => Pass;
  readonly state: () => VenueState['circuit'];
  /** How long until it lets a read through; null while it pauses none, or while a probe is out. */
  readonly retryMs: () => number | null;
}

/** One read, retries included. It reports how the read ended. */
export interface Pass {
  readonly succeeded: () => void;
  readonly failed: (problem: Problem) => void;
  /** It was dropped or never sent, which says nothing about the exchange. */
  readonly abandoned: () => void;
}

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

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

/** Consecutive failures. One failing endpoint is no reason to pause the others; an unreachable exchange is. */
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
  // Without the seconds, which are counted down elsewhere: the sentence stays the same during an outage.
  return new VenueFailure({ type, detail: `${detail} Perpdesk pauses before it retries.`, retryAfterSeconds });
}
