import type { EndpointName } from '#contract/exchange/endpoints.ts';
import type { VenueState } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';

/** The last responses and the last failures of the exchange. */
export interface VenueRecord {
  readonly answered: (endpoint: EndpointName, tookMs: number) => void;
  readonly failed: (problem: Problem) => void;
  /** The meaning of a 401, 403 or 429. */
  readonly rejected: (problem: Problem) => void;
  readonly state: () => Pick<VenueState, 'lastAnswerAt' | 'lastReads' | 'lastFailure' | 'lastRefusal'>;
}

/** The exchange works: the request was wrong. */
const REJECTED_REQUESTS: readonly Problem['type'][] = ['not-found', 'bad-parameter', 'too-many-working-orders'];

export function createVenueRecord(now: () => number): VenueRecord {
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
