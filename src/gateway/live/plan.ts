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
  const shortest = topics.map(({ everySeconds }) => everySeconds);
  const isStretched = topics.map(() => false);
  // The sum of weight × interval / shortest is least where each interval is in proportion to this root.
  const need = ({ cost, weight, everySeconds }: Watched): number => Math.sqrt((cost * everySeconds) / weight);
  const rest = (): number => requestsPerSecond - sumOf(topics, ({ cost, everySeconds }, index) => (isStretched[index] === true ? 0 : cost / everySeconds));
  const factor = (): number => sumOf(topics, (topic, index) => (isStretched[index] === true ? topic.cost / need(topic) : 0)) / Math.max(rest(), LEAST_RATE);
  if (rest() >= 0) return shortest;
  // Stretched first is what gains least from a request; each further one leaves less to stretch for the others.
  const order = [...topics.keys()].filter((index) => costs(topics[index])).sort((a, b) => urgency(topics[a], need) - urgency(topics[b], need));
  for (const [place, index] of order.entries()) {
    isStretched[index] = true;
    const next = topics[order[place + 1] ?? -1];
    if (rest() > 0 && (next === undefined || factor() * need(next) <= next.everySeconds)) break;
  }
  const stretch = factor();
  return topics.map((topic, index) => (isStretched[index] === true ? Math.max(topic.everySeconds, stretch * need(topic)) : topic.everySeconds));
}

/** Even without any budget left, a topic is read again some day: the rate limiter decides whether it may. */
const LEAST_RATE = 1 / 300;

function costs(topic: Watched | undefined): boolean {
  return topic !== undefined && topic.cost > 0;
}

/** The larger, the longer its interval would be beside the shortest one. */
function urgency(topic: Watched | undefined, need: (topic: Watched) => number): number {
  return topic === undefined ? 0 : topic.everySeconds / need(topic);
}

function sumOf(topics: readonly Watched[], valueOf: (topic: Watched, index: number) => number): number {
  return topics.reduce((sum, topic, index) => sum + valueOf(topic, index), 0);
}
