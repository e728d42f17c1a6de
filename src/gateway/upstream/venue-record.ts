import type { EndpointName } from '#contract/endpoints.ts';
import type { Problem, VenueState } from '../ports.ts';

/** What the venue last answered, and what it last failed by. */
export interface VenueRecord {
  readonly answered: (endpoint: EndpointName, tookMs: number) => void;
  readonly failed: (problem: Problem) => void;
  /** It said 401, 403 or 429, and this is what it meant. */
  readonly refused: (problem: Problem) => void;
  readonly state: () => Pick<VenueState, 'lastAnswerAt' | 'lastReads' | 'lastFailure' | 'lastRefusal'>;
}

/** The venue answered as it should: the question was wrong, and nothing is failing. */
const REFUSED_QUESTIONS: readonly Problem['type'][] = ['not-found', 'bad-parameter', 'too-many-working-orders'];

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
      if (REFUSED_QUESTIONS.includes(problem.type)) lastAnswerAt = now();
      else lastFailure = { at: now(), problem };
    },
    refused: (problem) => {
      lastRefusal = { at: now(), problem };
    },
    state: () => ({ lastAnswerAt, lastReads, lastFailure, lastRefusal }),
  };
}
