import type { Payer, RateLimiter } from '#server/core/ports.ts';

/** What topics may spend of the exchange's budget, for each who has them read: all of their share that they use for nothing else. */
export interface Spending {
  readonly record: (payers: readonly Payer[], requests: number) => void;
  readonly requestsPerSecond: (payer: Payer) => number;
}

const SECOND_MS = 1_000;

interface Spent {
  readonly at: number;
  readonly payers: readonly Payer[];
  readonly requests: number;
}

export function createSpending({ shareOf }: Pick<RateLimiter, 'shareOf'>, elapsed: () => number): Spending {
  let own: readonly Spent[] = [];
  return {
    record: (payers, requests) => {
      if (requests > 0) own = [...own, { at: elapsed(), payers, requests }];
    },
    requestsPerSecond: (payer) => {
      const share = shareOf(payer);
      if (share === null) {
        own = [];
        return Infinity;
      }
      const since = elapsed() - share.seconds * SECOND_MS;
      own = own.filter(({ at }) => at > since);
      const ofTopics = own.reduce(
        (sum, { payers, requests }) => (payers.includes(payer) ? sum + requests / payers.length : sum),
        0,
      );
      return Math.max(0, share.requests - Math.max(0, share.used - ofTopics)) / share.seconds;
    },
  };
}
