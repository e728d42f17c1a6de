/** What decides how often a topic is read. */
export interface Watched {
  /** The shortest interval that makes sense. */
  readonly everySeconds: number;
  /** How much it matters, for all who follow it together, that it is read as often as makes sense. */
  readonly weight: number;
  /** Requests to the exchange that one reading costs. */
  readonly cost: number;
}

/**
 * The interval of each topic, in seconds: within the requests per second that may be spent, those that stretch the
 * shortest ones least, weighted. A topic that costs nothing is read as often as makes sense.
 */
export function planIntervals(topics: readonly Watched[], requestsPerSecond: number): readonly number[] {
  let rest = requestsPerSecond - topics.reduce((sum, { cost, everySeconds }) => sum + cost / everySeconds, 0);
  if (rest >= 0) return topics.map(({ everySeconds }) => everySeconds);
  // Stretched first is what gains least from a request; each further one leaves less to stretch for the others. Sums are kept, since there may be hundreds of topics.
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

/** The sum of weight × interval / shortest is least where each interval is in proportion to this root. */
function needOf({ cost, weight, everySeconds }: Watched): number {
  return Math.sqrt((cost * everySeconds) / weight);
}

/** Even without any budget left, a topic is read again some day: the rate limiter decides whether it may. */
const LEAST_RATE = 1 / 300;

/** The larger, the longer its interval would be beside the shortest one. */
function urgency(topic: Watched | undefined): number {
  return topic === undefined ? 0 : topic.everySeconds / needOf(topic);
}
