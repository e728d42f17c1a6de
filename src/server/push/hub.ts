import type { ProblemDocument } from '#contract/desk/problems.ts';
import type { TopicName } from '#contract/desk/topics.ts';
import type { LiveState } from '#server/readings/status/status.ts';
import { DESK_ITSELF, type Payer, type Payers, type RateLimiter, type ReadOptions } from '#server/core/ports.ts';
import type { Watcher } from '#server/core/topics.ts';
import { createCursors, createNamelessCursors, type Cursors } from './messages.ts';
import { createSharedTopics, isOfEachDesk, type Publisher, type SharedTopics } from './shared-topics.ts';
import type { TopicResponse } from './feed.ts';
import {
  countStreams,
  createFollowedTopics,
  type FollowedTopic,
  type FollowedTopicDeps,
  type FollowedTopics,
  type Following,
  isRead,
} from './followed-topic.ts';
import { createSpending, planIntervals, type Spending, type Watched } from './plan.ts';
import { type TopicRequest, toPublicAddress } from './topic-request.ts';

export interface HubDeps extends Omit<FollowedTopicDeps, 'isShared' | 'nextCursor'> {
  readonly read: (
    request: TopicRequest,
    options: Pick<ReadOptions, 'signal' | 'payers'> & { readonly isFirst: boolean; readonly isFollowed: boolean },
  ) => Promise<TopicResponse>;
  readonly toProblem: (error: unknown) => ProblemDocument;
  readonly rateLimiter: Pick<RateLimiter, 'shareOf'>;
  /** Monotonic. */
  readonly elapsed: () => number;
  /** Null, as by default, if no other desk can have the store open. */
  readonly sharing?: Publisher | null;
  /** Called with each response that another desk has read. */
  readonly onTaken?: (request: TopicRequest, response: TopicResponse) => void;
}

/** Reads each topic once for all followers, as often as the budget allows, and only while there are any. */
export interface Hub extends Following {
  readonly cursors: Cursors;
  /** Whether all of these can be followed: each topic keeps a response in memory and uses part of the budget. */
  readonly hasSpaceFor: (requests: readonly TopicRequest[]) => boolean;
  /**
   * Has a topic read at least this often for the server itself, even if no stream follows it, and passes on the last
   * reading. Returns a function that ends it.
   */
  readonly watch: (request: TopicRequest, watcher: Watcher) => () => void;
  /** Notes that the data of a topic have changed: it is read at once if it has followers. */
  readonly noteChange: (name: TopicName) => void;
  /** All topics, or those that one payer follows, with their own streams alone. */
  readonly plan: (payer?: Payer | null) => LiveState['topics'];
  readonly shared: SharedTopics;
  readonly close: () => void;
}

const SECOND_MS = 1_000;
/** The shortest interval for a topic whose readings are always too old. */
const LEAST_MS = 1_000;

export function createHub(deps: HubDeps): Hub {
  const { schedule, elapsed, sharing = null } = deps;
  const cursors = createCursors(sharing);
  const ownCursors = sharing === null ? cursors : createNamelessCursors();
  const followedTopics = createFollowedTopics({
    ...deps,
    isShared: (name) => sharing !== null && !isOfEachDesk(name),
    nextCursor: (name) => (isOfEachDesk(name) ? ownCursors : cursors).next(),
  });
  const readsHere = ({ request }: FollowedTopic): boolean =>
    sharing === null || isOfEachDesk(request.name) || sharing.leads();
  const spending = createSpending(deps.rateLimiter, elapsed);
  const closing = new AbortController();

  const planNow = (): void => {
    const followed = followedTopics.all().filter((each) => isRead(each) && readsHere(each));
    const intervals = planForAll(followed, spending);
    for (const followedTopic of followed) {
      followedTopic.everySeconds = intervals.get(followedTopic) ?? followedTopic.everySeconds;
      if (!followedTopic.isReading) scheduleReading(followedTopic);
    }
  };
  const replan = onceForAll(planNow);

  const scheduleReading = (followedTopic: FollowedTopic): void => {
    followedTopic.cancel();
    if (closing.signal.aborted || !readsHere(followedTopic)) return;
    const due = Math.max(
      followedTopic.isChanged ? -Infinity : followedTopic.readAt + followedTopic.everySeconds * SECOND_MS,
      followedTopic.retryAt,
    );
    followedTopic.cancel = schedule(Math.max(0, due - elapsed()), () => void readNow(followedTopic));
  };

  const readNow = async (followedTopic: FollowedTopic): Promise<void> => {
    if (!readsHere(followedTopic)) return;
    followedTopic.isReading = true;
    followedTopic.isChanged = false;
    await readInto(followedTopic, { ...deps, deliver: shared.deliver }, spending, closing.signal);
    followedTopic.isReading = false;
    for (const follower of followedTopic.followers) follower.onChange();
    if (isRead(followedTopic)) replan();
  };

  const members = createMembers(followedTopics, (followedTopic) => {
    if (!readsHere(followedTopic)) {
      // From now on, readings are no longer taken.
      if (!isRead(followedTopic)) followedTopic.isLoaded = false;
      sharing?.wake();
      return;
    }
    if (isRead(followedTopic) && !followedTopic.isReading) scheduleReading(followedTopic);
    replan();
  });
  const shared = createSharedTopics({ ...deps, ...members, sharing, followedTopics, cursors, replan });

  return {
    cursors,
    shared,
    hasSpaceFor: followedTopics.makeSpaceFor,
    ...members,
    noteChange: (name) => {
      for (const followedTopic of followedTopics.all().filter(({ request }) => request.name === name)) {
        if (!readsHere(followedTopic)) continue;
        followedTopic.isChanged = true;
        if (isRead(followedTopic) && !followedTopic.isReading) scheduleReading(followedTopic);
      }
    },
    plan: (payer = null) =>
      followedTopics
        .all()
        .map((followedTopic) => describeFollowedTopic(followedTopic, payer, deps))
        .filter(({ followers }) => payer === null || followers > 0),
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
): Following & Pick<Hub, 'watch'> {
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
  { read, toProblem, now, elapsed, deliver }: HubDeps & Pick<SharedTopics, 'deliver'>,
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
    if (!(await deliver(followedTopic, { response, problem: null }))) return;
    // As with a page that polls, the interval runs from the end of one reading to the start of the next; cached data
    // count from when they were read.
    followedTopic.readAt = respondedAt >= beganAt ? elapsed() : elapsed() - (now() - respondedAt);
    followedTopic.retryAt = elapsed() + LEAST_MS;
    for (const payer of payers) followedTopic.paidAt.set(payer, followedTopic.readAt);
  } catch (error) {
    if (signal.aborted) return;
    const problem = toProblem(error);
    if (!(await deliver(followedTopic, { response: null, problem }))) return;
    followedTopic.readAt = elapsed();
    followedTopic.retryAt =
      elapsed() + Math.min((problem.retryAfter ?? 0) * SECOND_MS, soonestTurn(followedTopic, elapsed()));
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

function describeFollowedTopic(
  followedTopic: FollowedTopic,
  payer: Payer | null,
  deps: Pick<FollowedTopicDeps, 'aliasOf'>,
): LiveState['topics'][number] {
  const { request, everySeconds, cost, respondedAt } = followedTopic;
  const { topic } = request;
  return {
    address: toPublicAddress(request, deps),
    followers: countStreams(followedTopic, payer),
    watchedEvery: watchedEvery(followedTopic),
    everySeconds,
    leastSeconds: topic.everySeconds,
    cost: respondedAt === null ? null : cost,
    readAt: respondedAt,
  };
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
