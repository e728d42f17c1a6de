import { rowsFieldOf, type TopicName } from '#contract/desk/topics.ts';
import type { AliasKind } from '#contract/desk/aliases.ts';
import type { Payer, Schedule } from '#server/core/ports.ts';
import { createRowReader, type ListStep } from '#server/core/row-list.ts';
import type { Watcher } from '#server/core/topics.ts';
import { createFeed, type Feed, type FeedDeps } from './feed.ts';
import type { Cursor } from './messages.ts';
import { hasParameters, type TopicRequest } from './topic-request.ts';

export interface FollowedTopicDeps extends Pick<FeedDeps, 'now' | 'venueNow'> {
  /** Returns the alias that stands for an owner in public. */
  readonly aliasOf: (kind: AliasKind, code: string) => string;
  readonly schedule: Schedule;
  /** Whether one of several desks reads this topic for all of them. */
  readonly isShared: (name: TopicName) => boolean;
  readonly nextCursor: (name: TopicName) => Cursor;
}

/** One that is notified of changes. */
export interface Follower {
  /** The people it acts for. */
  readonly payers: () => Iterable<Payer>;
  readonly onChange: () => void;
}

/** Adds and removes the followers of topics. */
export interface Following {
  readonly follow: (request: TopicRequest, follower: Follower) => Feed;
  readonly unfollow: (request: TopicRequest, follower: Follower) => void;
}

/** A topic that is followed, or was a moment ago. */
export interface FollowedTopic {
  readonly request: TopicRequest;
  readonly feed: Feed;
  readonly followers: Set<Follower>;
  readonly watchers: Set<Watcher>;
  everySeconds: number;
  /** The number of streams at all desks, as the leader has counted them. */
  sharedBy: number;
  /** Whether the feed has all readings of this topic up to the current cursor. */
  isLoaded: boolean;
  /** Finds the difference between readings of another desk, from which parts are made. */
  readonly readRows: ((texts: readonly string[]) => ListStep) | null;
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
export interface FollowedTopics {
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

export function createFollowedTopics(deps: FollowedTopicDeps): FollowedTopics {
  const followedTopics = new Map<string, FollowedTopic>();
  let isClosed = false;
  return {
    all: () => [...followedTopics.values()],
    find: (address) => followedTopics.get(address),
    open: (request) => {
      const followedTopic = followedTopics.get(request.address) ?? openFollowedTopic(request, deps);
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

function openFollowedTopic(request: TopicRequest, deps: FollowedTopicDeps): FollowedTopic {
  const { address, name, topic } = request;
  const isShared = deps.isShared(name);
  const feed = createFeed({
    ...deps,
    address,
    topic,
    rowsField: rowsFieldOf(topic),
    cadence: () => ({
      everySeconds: followedTopic.everySeconds,
      sharedBy: Math.max(countStreams(followedTopic), followedTopic.sharedBy),
    }),
    nextCursor: () => deps.nextCursor(name),
    isSettled: () => followedTopic.isLoaded,
  });
  const followedTopic: FollowedTopic = {
    request,
    feed,
    followers: new Set(),
    watchers: new Set(),
    everySeconds: topic.everySeconds,
    sharedBy: 0,
    isLoaded: !isShared,
    readRows: isShared && topic.key !== null && topic.account !== null ? createRowReader(topic.key) : null,
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

/** A stream at another desk counts like one of this desk. */
export function countStreams({ followers }: Pick<FollowedTopic, 'followers'>, ofPayer: Payer | null = null): number {
  const payers = [...followers].flatMap((follower) => [...follower.payers()]);
  return ofPayer === null ? payers.length : payers.filter((payer) => payer === ofPayer).length;
}

export function isRead({ followers, watchers }: FollowedTopic): boolean {
  return followers.size > 0 || watchers.size > 0;
}
