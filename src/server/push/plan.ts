import type { Payer, RateLimiter } from '#server/core/ports.ts';

/**
 * What decides how often a topic is read.
 */
export interface Watched {
  /** The shortest useful interval. */
  readonly everySeconds: number;
  /** How important it is to all followers together that the topic is read at the shortest interval. */
  readonly weight: number;
  /** Requests to the exchange per reading. */
  readonly cost: number;
}

/**
 * Returns the interval of each topic in seconds. Within the requests per second that may be spent, it minimises the
 * weighted stretching of the shortest intervals. A topic that costs nothing is read at its shortest interval.
 */
export function planIntervals(topics: readonly Watched[], requestsPerSecond: number): readonly number[] {
  let rest = requestsPerSecond - topics.reduce((sum, { cost, everySeconds }) => sum + cost / everySeconds, 0);
  if (rest >= 0) return topics.map(({ everySeconds }) => everySeconds);
  // The topics that gain least from a request are stretched first; each further one leaves less stretching to the
  // others. The sums are updated as it goes, because there may be hundreds of topics.
  const order = [...topics.keys()]
    .filter((index) => (topics[index]?.cost ?? 0) > 0)
    .sort((a, b) => urgency(topics[a]) - urgency(topics[b]));
  const stretched = new Set<number>();
  let needed = 0;
  for (const [place, index] of order.entries()) {
    const topic = topics[index];
    if (topic === undefined) continue;
    stretched.add(index);
    rest += topic.cost / topic.everySeconds;
    needed += topic.cost / needOf(topic);
    const next = topics[order[place + 1] ?? -1];
    if (rest > 0 && (next === undefined || (needed / Math.max(rest, LEAST_RATE)) * needOf(next) <= next.everySeconds))
      break;
  }
  const stretch = needed / Math.max(rest, LEAST_RATE);
  return topics.map((topic, index) =>
    stretched.has(index) ? Math.max(topic.everySeconds, stretch * needOf(topic)) : topic.everySeconds,
  );
}

/**
 * Returns a root to which each interval must be proportional, so that the sum of weight × interval / shortest is
 * smallest.
 */
function needOf({ cost, weight, everySeconds }: Watched): number {
  return Math.sqrt((cost * everySeconds) / weight);
}

/** Without any budget left, a topic is still due eventually: the rate limiter decides whether it may be read. */
const LEAST_RATE = 1 / 300;

/** Returns the stretch up to which a topic keeps its shortest interval. */
function urgency(topic: Watched | undefined): number {
  return topic === undefined ? 0 : topic.everySeconds / needOf(topic);
}

/** What each payer may spend on topics: the share of the exchange’s budget that they use for nothing else. */
export interface Spending {
  readonly record: (payers: readonly Payer[], requests: number) => void;
  readonly requestsPerSecond: (payer: Payer) => number;
}

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
      const since = elapsed() - share.seconds * 1_000;
      own = own.filter(({ at }) => at > since);
      const ofTopics = own.reduce(
        (sum, { payers, requests }) => (payers.includes(payer) ? sum + requests / payers.length : sum),
        0,
      );
      return Math.max(0, share.requests - Math.max(0, share.used - ofTopics)) / share.seconds;
    },
  };
}
