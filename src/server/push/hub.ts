import type { ProblemDocument } from '#contract/desk/problems.ts';
import { rowsFieldOf, type TopicName } from '#contract/desk/topics.ts';
import type { AliasKind } from '#contract/desk/aliases.ts';
import type { LiveState } from '#server/readings/status/status.ts';
import {
  DESK_ITSELF,
  type Payer,
  type Payers,
  type RateLimiter,
  type ReadOptions,
  type Schedule,
} from '#server/core/ports.ts';
import type { WatchedReading, Watcher } from '#server/core/topics.ts';
import { createCursors, type Cursors } from './messages.ts';
import { createFeed, type Feed, type FeedDeps, type TopicResponse } from './feed.ts';
import { hasParameters, type TopicRequest, toPublicAddress } from './topic-request.ts';

export interface HubDeps extends FollowedTopicDeps {
  readonly read: (
    request: TopicRequest,
    options: Pick<ReadOptions, 'signal' | 'payers'> & { readonly isFirst: boolean; readonly isFollowed: boolean },
  ) => Promise<TopicResponse>;
  readonly toProblem: (error: unknown) => ProblemDocument;
  readonly rateLimiter: Pick<RateLimiter, 'shareOf'>;
  /** Monotonic. */
  readonly elapsed: () => number;
}

/** Reads each topic once for all followers, as often as the budget allows, and only while there are any. */
export interface Hub {
  readonly cursors: Cursors;
  /** Whether all of these can be followed: each topic keeps a response in memory and uses part of the budget. */
  readonly hasSpaceFor: (requests: readonly TopicRequest[]) => boolean;
  readonly follow: (request: TopicRequest, follower: Follower) => Feed;
  readonly unfollow: (request: TopicRequest, follower: Follower) => void;
  /**
   * Has a topic read at least this often for the server itself, even if no stream follows it, and passes on the last
   * reading. Returns a function that ends it.
   */
  readonly watch: (request: TopicRequest, watcher: Watcher) => () => void;
  /** Notes that the data of a topic have changed: it is read at once if it has followers. */
  readonly noteChange: (name: TopicName) => void;
  readonly plan: () => LiveState['topics'];
  readonly close: () => void;
}

const SECOND_MS = 1_000;
/** The shortest interval for a topic whose readings are always too old. */
const LEAST_MS = 1_000;

export function createHub(deps: HubDeps): Hub {
  const { schedule, elapsed } = deps;
  const cursors = createCursors();
  const followedTopics = createFollowedTopics(deps, cursors);
  const spending = createSpending(deps.rateLimiter, elapsed);
  const closing = new AbortController();

  const planNow = (): void => {
    const followed = followedTopics.all().filter(isRead);
    const intervals = planForAll(followed, spending);
    for (const followedTopic of followed) {
      followedTopic.everySeconds = intervals.get(followedTopic) ?? followedTopic.everySeconds;
      if (!followedTopic.isReading) scheduleReading(followedTopic);
    }
  };
  const replan = onceForAll(planNow);

  const scheduleReading = (followedTopic: FollowedTopic): void => {
    followedTopic.cancel();
    if (closing.signal.aborted) return;
    const due = Math.max(
      followedTopic.isChanged ? -Infinity : followedTopic.readAt + followedTopic.everySeconds * SECOND_MS,
      followedTopic.retryAt,
    );
    followedTopic.cancel = schedule(Math.max(0, due - elapsed()), () => void readNow(followedTopic));
  };

  const readNow = async (followedTopic: FollowedTopic): Promise<void> => {
    followedTopic.isReading = true;
    followedTopic.isChanged = false;
    await readInto(followedTopic, deps, spending, closing.signal);
    followedTopic.isReading = false;
    for (const follower of followedTopic.followers) follower.onChange();
    if (isRead(followedTopic)) replan();
  };

  return {
    cursors,
    hasSpaceFor: followedTopics.makeSpaceFor,
    ...createMembers(followedTopics, (followedTopic) => {
      if (isRead(followedTopic) && !followedTopic.isReading) scheduleReading(followedTopic);
      replan();
    }),
    noteChange: (name) => {
      for (const followedTopic of followedTopics.all().filter(({ request }) => request.name === name)) {
        followedTopic.isChanged = true;
        if (isRead(followedTopic) && !followedTopic.isReading) scheduleReading(followedTopic);
      }
    },
    plan: () => followedTopics.all().map((followedTopic) => describeFollowedTopic(followedTopic, deps)),
    close: () => {
      closing.abort();
      followedTopics.close();
    },
  };
}

/** Combines calls that come together, as when a stream follows many topics, into one. */
function onceForAll(work: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      work();
    });
  };
}

/** Adds and removes the followers of topics. */
function createMembers(
  followedTopics: FollowedTopics,
  onChange: (followedTopic: FollowedTopic) => void,
): Pick<Hub, 'follow' | 'unfollow' | 'watch'> {
  const leave = (address: string, remove: (followedTopic: FollowedTopic) => boolean): void => {
    const followedTopic = followedTopics.find(address);
    if (followedTopic === undefined || !remove(followedTopic)) return;
    if (!isRead(followedTopic)) followedTopics.forgetLater(followedTopic);
    onChange(followedTopic);
  };

  return {
    follow: (request, follower) => {
      const followedTopic = followedTopics.open(request);
      followedTopic.followers.add(follower);
      onChange(followedTopic);
      return followedTopic.feed;
    },
    unfollow: ({ address }, follower) => {
      leave(address, ({ followers }) => followers.delete(follower));
    },
    watch: (request, watcher) => {
      const followedTopic = followedTopics.open(request);
      followedTopic.watchers.add(watcher);
      onChange(followedTopic);
      giveLast(followedTopic, watcher);
      return () => {
        leave(request.address, ({ watchers }) => watchers.delete(watcher));
      };
    },
  };
}

/**
 * Returns the interval of each topic: within the share of everyone who needs it, and as short as the one with the best
 * share can afford. Those who share a topic share its cost.
 */
function planForAll(followedTopics: readonly FollowedTopic[], spending: Spending): ReadonlyMap<FollowedTopic, number> {
  const byPayer = new Map<
    Payer,
    { readonly followedTopic: FollowedTopic; readonly claim: Claim; readonly cost: number }[]
  >();
  for (const followedTopic of followedTopics) {
    const claims = claimsOn(followedTopic);
    for (const [payer, claim] of claims) {
      const known = byPayer.get(payer) ?? [];
      byPayer.set(payer, known);
      known.push({ followedTopic, claim, cost: followedTopic.cost / claims.size });
    }
  }
  const intervals = new Map<FollowedTopic, number>();
  for (const [payer, claimed] of byPayer) {
    const planned = planIntervals(
      claimed.map(({ claim, cost }) => ({ ...claim, cost })),
      spending.requestsPerSecond(payer),
    );
    for (const [index, { followedTopic }] of claimed.entries())
      intervals.set(followedTopic, Math.min(planned[index] ?? Infinity, intervals.get(followedTopic) ?? Infinity));
  }
  return intervals;
}

/**
 * Returns who pays for a reading: all who follow the topic, and those of its watchers whose turn it is, so that
 * readings for others cost them no more.
 */
function payersOf(followedTopic: FollowedTopic, now: number): Payers {
  const claims = [...claimsOn(followedTopic)];
  const due = claims.filter(
    ([payer, { everySeconds, isFollowed }]) =>
      isFollowed || now - (followedTopic.paidAt.get(payer) ?? -Infinity) >= everySeconds * SECOND_MS,
  );
  const [first, ...others] = (due.length > 0 ? due : claims).map(([payer]) => payer);
  return first === undefined ? DESK_ITSELF : [first, ...others];
}

async function readInto(
  followedTopic: FollowedTopic,
  { read, toProblem, now, elapsed }: HubDeps,
  spending: Spending,
  signal: AbortSignal,
): Promise<void> {
  const { request, feed } = followedTopic;
  const beganAt = now();
  const payers = payersOf(followedTopic, elapsed());
  try {
    const response = await read(request, {
      isFirst: feed.tick() === null,
      isFollowed: followedTopic.followers.size > 0,
      payers,
      signal,
    });
    followedTopic.cost = response.cost;
    spending.record(payers, response.sent);
    const respondedAt = response.provenance?.respondedAt ?? now();
    followedTopic.respondedAt = Math.min(respondedAt, now());
    await feed.update(response);
    report(followedTopic, {
      text: response.text,
      step: response.step,
      respondedAt: followedTopic.respondedAt,
      problem: null,
      everySeconds: followedTopic.everySeconds,
    });
    // As with a page that polls, the interval runs from the end of one reading to the start of the next; cached data
    // count from when they were read.
    followedTopic.readAt = respondedAt >= beganAt ? elapsed() : elapsed() - (now() - respondedAt);
    followedTopic.retryAt = elapsed() + LEAST_MS;
    for (const payer of payers) followedTopic.paidAt.set(payer, followedTopic.readAt);
  } catch (error) {
    if (signal.aborted) return;
    const problem = toProblem(error);
    followedTopic.readAt = elapsed();
    followedTopic.retryAt =
      elapsed() + Math.min((problem.retryAfter ?? 0) * SECOND_MS, soonestTurn(followedTopic, elapsed()));
    await feed.fail(problem);
    report(followedTopic, { problem, everySeconds: followedTopic.everySeconds });
  }
}

/**
 * Returns when the next watcher’s turn is: a payer whose share is used up may have to wait for long, but another
 * watcher may still have some of theirs.
 */
function soonestTurn({ watchers, paidAt }: FollowedTopic, now: number): number {
  return Math.min(
    Infinity,
    ...Array.from(watchers, ({ payer, everySeconds }) => {
      const turn = (paidAt.get(payer) ?? -Infinity) + everySeconds * SECOND_MS - now;
      return turn > 0 ? turn : everySeconds * SECOND_MS;
    }),
  );
}

/** Passes on what was already read for others, so that the watcher need not wait. */
function giveLast({ feed, respondedAt, everySeconds }: FollowedTopic, { onReading }: Watcher): void {
  const text = feed.text();
  if (text !== null && respondedAt !== null) onReading({ text, respondedAt, problem: null, everySeconds });
}

function report({ watchers }: FollowedTopic, reading: WatchedReading): void {
  for (const { onReading } of watchers) onReading(reading);
}

/** What each payer may spend on topics: the share of the exchange’s budget that they use for nothing else. */
interface Spending {
  readonly record: (payers: readonly Payer[], requests: number) => void;
  readonly requestsPerSecond: (payer: Payer) => number;
}

interface Spent {
  readonly at: number;
  readonly payers: readonly Payer[];
  readonly requests: number;
}

function createSpending({ shareOf }: Pick<RateLimiter, 'shareOf'>, elapsed: () => number): Spending {
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

interface FollowedTopicDeps extends Pick<FeedDeps, 'now' | 'venueNow'> {
  /** Returns the alias that stands for an owner in public. */
  readonly aliasOf: (kind: AliasKind, code: string) => string;
  readonly schedule: Schedule;
}

/** One that is notified of changes. */
export interface Follower {
  /** The people it acts for. */
  readonly payers: () => Iterable<Payer>;
  readonly onChange: () => void;
}

/** A topic that is followed, or was a moment ago. */
interface FollowedTopic {
  readonly request: TopicRequest;
  readonly feed: Feed;
  readonly followers: Set<Follower>;
  readonly watchers: Set<Watcher>;
  everySeconds: number;
  /** Requests per reading; 1 until it is known. */
  cost: number;
  isReading: boolean;
  /** Something changed, so the next reading is due. */
  isChanged: boolean;
  /** The start of the interval until the next reading, by `elapsed`. */
  readAt: number;
  /** In epoch milliseconds; null if never read. */
  respondedAt: number | null;
  retryAt: number;
  /** When each payer who has it watched last took part in a reading. */
  readonly paidAt: Map<Payer, number>;
  cancel: () => void;
}

/** The topics that are read, and those that were a moment ago. */
interface FollowedTopics {
  readonly all: () => readonly FollowedTopic[];
  readonly find: (address: string) => FollowedTopic | undefined;
  /** Also keeps a topic that was to be forgotten. */
  readonly open: (request: TopicRequest) => FollowedTopic;
  /** Keeps the topic for a while, for a client that soon comes back. */
  readonly forgetLater: (followedTopic: FollowedTopic) => void;
  /** Whether all of these fit beside the others: topics without parameters always do. */
  readonly makeSpaceFor: (requests: readonly TopicRequest[]) => boolean;
  readonly close: () => void;
}

/** How long the changes of a topic are kept after its last follower left. */
const KEEP_MS = 120_000;
/** For topics with parameters. Beyond it, those without followers are forgotten at once. */
const MAX_CHANNELS = 512;

function createFollowedTopics(deps: FollowedTopicDeps, cursors: Cursors): FollowedTopics {
  const followedTopics = new Map<string, FollowedTopic>();
  let isClosed = false;
  return {
    all: () => [...followedTopics.values()],
    find: (address) => followedTopics.get(address),
    open: (request) => {
      const followedTopic = followedTopics.get(request.address) ?? openFollowedTopic(request, deps, cursors);
      followedTopics.set(request.address, followedTopic);
      if (!isRead(followedTopic)) followedTopic.cancel();
      return followedTopic;
    },
    forgetLater: (followedTopic) => {
      followedTopic.cancel();
      // Streams may end after closing, and a timer would keep the process alive.
      if (!isClosed)
        followedTopic.cancel = deps.schedule(KEEP_MS, () => followedTopics.delete(followedTopic.request.address));
    },
    makeSpaceFor: (requests) => makeSpace(followedTopics, requests),
    close: () => {
      isClosed = true;
      for (const { cancel } of followedTopics.values()) cancel();
    },
  };
}

function makeSpace(followedTopics: Map<string, FollowedTopic>, requests: readonly TopicRequest[]): boolean {
  const parameterised = requests.filter(hasParameters).map(({ address }) => address);
  if (parameterised.length === 0) return true;
  const isRoom = (): boolean =>
    new Set([
      ...[...followedTopics.values()]
        .filter(({ request }) => hasParameters(request))
        .map(({ request }) => request.address),
      ...parameterised,
    ]).size <= MAX_CHANNELS;
  for (const [address, followedTopic] of isRoom() ? [] : followedTopics) {
    if (isRead(followedTopic)) continue;
    followedTopic.cancel();
    followedTopics.delete(address);
  }
  return isRoom();
}

function openFollowedTopic(request: TopicRequest, deps: FollowedTopicDeps, { next }: Cursors): FollowedTopic {
  const { address, topic } = request;
  const cadence = () => ({ everySeconds: followedTopic.everySeconds, sharedBy: followedTopic.followers.size });
  const feed = createFeed({ ...deps, address, topic, rowsField: rowsFieldOf(topic), cadence, nextCursor: next });
  const followedTopic: FollowedTopic = {
    request,
    feed,
    followers: new Set(),
    watchers: new Set(),
    everySeconds: topic.everySeconds,
    cost: 1,
    isReading: false,
    isChanged: false,
    readAt: -Infinity,
    respondedAt: null,
    retryAt: -Infinity,
    paidAt: new Map(),
    cancel: () => undefined,
  };
  return followedTopic;
}

function describeFollowedTopic(
  followedTopic: FollowedTopic,
  deps: Pick<FollowedTopicDeps, 'aliasOf'>,
): LiveState['topics'][number] {
  const { request, followers, everySeconds, cost, respondedAt } = followedTopic;
  const { topic } = request;
  return {
    address: toPublicAddress(request, deps),
    followers: followers.size,
    watchedEvery: watchedEvery(followedTopic),
    everySeconds,
    leastSeconds: topic.everySeconds,
    cost: respondedAt === null ? null : cost,
    readAt: respondedAt,
  };
}

function isRead({ followers, watchers }: FollowedTopic): boolean {
  return followers.size > 0 || watchers.size > 0;
}

/** Returns how often the server itself needs a topic; null if it does not. */
function watchedEvery({ watchers }: FollowedTopic): number | null {
  return watchers.size === 0 ? null : Math.min(...Array.from(watchers, ({ everySeconds }) => everySeconds));
}

/** What one payer needs of a topic, for all of their streams and rules together. */
interface Claim extends Pick<Watched, 'everySeconds' | 'weight'> {
  readonly isFollowed: boolean;
}

/**
 * Returns who needs a topic. Streams take precedence over watchers, which count as one stream of the least important
 * topic.
 */
function claimsOn({ request: { topic }, followers, watchers }: FollowedTopic): ReadonlyMap<Payer, Claim> {
  const claims = new Map<Payer, Claim>();
  for (const { payer, everySeconds } of watchers)
    claims.set(payer, {
      everySeconds: Math.min(everySeconds, claims.get(payer)?.everySeconds ?? Infinity),
      weight: 1,
      isFollowed: false,
    });
  for (const payer of [...followers].flatMap(({ payers }) => [...payers()])) {
    const before = claims.get(payer);
    const weight = topic.importance + (before?.isFollowed === true ? before.weight : 0);
    claims.set(payer, { everySeconds: topic.everySeconds, weight, isFollowed: true });
  }
  return claims;
}

/**
 * What decides how often a topic is read.
 *
 * @internal Exported for its test.
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
 *
 * @internal Exported for its test.
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
