import type { RateLimiter } from '../ports.ts';

/** What topics may spend of the exchange's budget: all that is neither reserved nor used for anything else. */
export interface Spending {
  readonly record: (requests: number) => void;
  readonly requestsPerSecond: () => number;
}

const SECOND_MS = 1_000;

export function createSpending(rateLimiter: Pick<RateLimiter, 'state'>, elapsed: () => number): Spending {
  let own: readonly { readonly at: number; readonly requests: number }[] = [];
  return {
    record: (requests) => {
      if (requests > 0 && rateLimiter.state().limit !== null) own = [...own, { at: elapsed(), requests }];
    },
    requestsPerSecond: () => {
      const { limit, used } = rateLimiter.state();
      if (limit === null) return Infinity;
      const since = elapsed() - limit.seconds * SECOND_MS;
      own = own.filter(({ at }) => at > since);
      const ofTopics = own.reduce((sum, { requests }) => sum + requests, 0);
      return Math.max(0, limit.requests - limit.reserve - Math.max(0, used - ofTopics)) / limit.seconds;
    },
  };
}
