import type { ProblemDocument } from '#contract/desk/problems.ts';
import { rowsFieldOf, type TopicName } from '#contract/desk/topics.ts';
import type { LiveState } from '#server/readings/status/status.ts';
import {
  DESK_ITSELF,
  type Payer,
  type Payers,
  type RateLimiter,
  type ReadOptions,
  type Schedule,
} from '#server/core/ports.ts';
import type { WatchedReading, Watcher } from '#server/core/watch-topic.ts';
import { createCursors, type Cursors } from './cursors.ts';
import { createFeed, type Feed, type FeedParts, type TopicResponse } from './feed.ts';
import { planIntervals, type Watched } from './plan.ts';
import { toAddress, type TopicRequest } from './topic-request.ts';
import { OWNER_FILTERS, type AliasKind } from '#contract/desk/aliases.ts';

export interface HubParts extends ChannelParts {
  readonly read: (
    request: TopicRequest,
    options: Pick<ReadOptions, 'signal' | 'payers'> & { readonly isFirst: boolean; readonly isFollowed: boolean },
  ) => Promise<TopicResponse>;
  readonly toProblem: (error: unknown) => ProblemDocument;
  readonly rateLimiter: Pick<RateLimiter, 'shareOf'>;
  /** Monotonic. */
  readonly elapsed: () => number;
}

/** Reads each topic once for all who follow it, as often as the budget allows, and only while somebody does. */
export interface Hub {
  readonly cursors: Cursors;
  /** Whether all of these can be followed: each topic keeps a response in memory and takes its part of the budget. */
  readonly hasRoomFor: (requests: readonly TopicRequest[]) => boolean;
  readonly follow: (request: TopicRequest, follower: Follower) => Feed;
  readonly unfollow: (request: TopicRequest, follower: Follower) => void;
  /** Reads a topic at least this often while no stream follows it, for the desk itself, and gives what was read last; returns a function that ends it. */
  readonly watch: (request: TopicRequest, watcher: Watcher) => () => void;
  /** What a topic is read from has changed: it is read at once if anybody follows it. */
  readonly noteChange: (name: TopicName) => void;
  readonly plan: () => LiveState['topics'];
  readonly close: () => void;
}

const SECOND_MS = 1_000;
/** Bounds how often a topic is read whose readings are always too old. */
const LEAST_MS = 1_000;

export function createHub(parts: HubParts): Hub {
  const { schedule, elapsed } = parts;
  const cursors = createCursors();
  const channels = createChannels(parts, cursors);
  const spending = createSpending(parts.rateLimiter, elapsed);
  const closing = new AbortController();

  const planNow = (): void => {
    const followed = channels.all().filter(isRead);
    const intervals = planForAll(followed, spending);
    for (const channel of followed) {
      channel.everySeconds = intervals.get(channel) ?? channel.everySeconds;
      if (!channel.isReading) scheduleReading(channel);
    }
  };
  const replan = onceForAll(planNow);

  const scheduleReading = (channel: Channel): void => {
    channel.cancel();
    if (closing.signal.aborted) return;
    const due = Math.max(
      channel.isChanged ? -Infinity : channel.readAt + channel.everySeconds * SECOND_MS,
      channel.retryAt,
    );
    channel.cancel = schedule(Math.max(0, due - elapsed()), () => void readNow(channel));
  };

  const readNow = async (channel: Channel): Promise<void> => {
    channel.isReading = true;
    channel.isChanged = false;
    await readInto(channel, parts, spending, closing.signal);
    channel.isReading = false;
    for (const follower of channel.followers) follower.onChange();
    if (isRead(channel)) replan();
  };

  return {
    cursors,
    hasRoomFor: channels.makeRoomFor,
    ...createMembers(channels, (channel) => {
      if (isRead(channel) && !channel.isReading) scheduleReading(channel);
      replan();
    }),
    noteChange: (name) => {
      for (const channel of channels.all().filter(({ request }) => request.name === name)) {
        channel.isChanged = true;
        if (isRead(channel) && !channel.isReading) scheduleReading(channel);
      }
    },
    plan: () => channels.all().map((channel) => describeChannel(channel, parts)),
    close: () => {
      closing.abort();
      channels.close();
    },
  };
}

/** Does once what many ask for who change together, as where a stream follows many topics. */
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

/** Who has topics read. */
function createMembers(
  channels: Channels,
  onChange: (channel: Channel) => void,
): Pick<Hub, 'follow' | 'unfollow' | 'watch'> {
  const leave = (address: string, remove: (channel: Channel) => boolean): void => {
    const channel = channels.find(address);
    if (channel === undefined || !remove(channel)) return;
    if (!isRead(channel)) channels.forgetLater(channel);
    onChange(channel);
  };

  return {
    follow: (request, follower) => {
      const channel = channels.open(request);
      channel.followers.add(follower);
      onChange(channel);
      return channel.feed;
    },
    unfollow: ({ address }, follower) => {
      leave(address, ({ followers }) => followers.delete(follower));
    },
    watch: (request, watcher) => {
      const channel = channels.open(request);
      channel.watchers.add(watcher);
      onChange(channel);
      giveLast(channel, watcher);
      return () => {
        leave(request.address, ({ watchers }) => watchers.delete(watcher));
      };
    },
  };
}

/**
 * The interval of each topic: within the share of each who has it read, and as often as the one needs it who can have it most
 * often. Those who have it read together share what it costs.
 */
function planForAll(channels: readonly Channel[], spending: Spending): ReadonlyMap<Channel, number> {
  const byPayer = new Map<Payer, { readonly channel: Channel; readonly claim: Claim; readonly cost: number }[]>();
  for (const channel of channels) {
    const claims = claimsOn(channel);
    for (const [payer, claim] of claims) {
      const known = byPayer.get(payer) ?? [];
      byPayer.set(payer, known);
      known.push({ channel, claim, cost: channel.cost / claims.size });
    }
  }
  const intervals = new Map<Channel, number>();
  for (const [payer, claimed] of byPayer) {
    const planned = planIntervals(
      claimed.map(({ claim, cost }) => ({ ...claim, cost })),
      spending.requestsPerSecond(payer),
    );
    for (const [index, { channel }] of claimed.entries())
      intervals.set(channel, Math.min(planned[index] ?? Infinity, intervals.get(channel) ?? Infinity));
  }
  return intervals;
}

/** Who has a reading: all who follow it, and those it is watched for whose turn it is, so that what others read costs them no more. */
function payersOf(channel: Channel, now: number): Payers {
  const claims = [...claimsOn(channel)];
  const due = claims.filter(
    ([payer, { everySeconds, isFollowed }]) =>
      isFollowed || now - (channel.paidAt.get(payer) ?? -Infinity) >= everySeconds * SECOND_MS,
  );
  const [first, ...others] = (due.length > 0 ? due : claims).map(([payer]) => payer);
  return first === undefined ? DESK_ITSELF : [first, ...others];
}

async function readInto(
  channel: Channel,
  { read, toProblem, now, elapsed }: HubParts,
  spending: Spending,
  signal: AbortSignal,
): Promise<void> {
  const { request, feed } = channel;
  const beganAt = now();
  const payers = payersOf(channel, elapsed());
  try {
    const response = await read(request, {
      isFirst: feed.tick() === null,
      isFollowed: channel.followers.size > 0,
      payers,
      signal,
    });
    channel.cost = response.cost;
    spending.record(payers, response.sent);
    const answeredAt = response.provenance?.answeredAt ?? now();
    channel.answeredAt = Math.min(answeredAt, now());
    await feed.update(response);
    report(channel, {
      text: response.text,
      step: response.step,
      answeredAt: channel.answeredAt,
      problem: null,
      everySeconds: channel.everySeconds,
    });
    // As pages do that poll: from the end of one reading to the start of the next; what was cached counts as old as it is.
    channel.readAt = answeredAt >= beganAt ? elapsed() : elapsed() - (now() - answeredAt);
    channel.retryAt = elapsed() + LEAST_MS;
    for (const payer of payers) channel.paidAt.set(payer, channel.readAt);
  } catch (error) {
    if (signal.aborted) return;
    const problem = toProblem(error);
    channel.readAt = elapsed();
    channel.retryAt = elapsed() + Math.min((problem.retryAfter ?? 0) * SECOND_MS, soonestTurn(channel, elapsed()));
    await feed.fail(problem);
    report(channel, { problem, everySeconds: channel.everySeconds });
  }
}

/** Whose share is used up may have to wait for long, but those for whom a topic is watched may have some of theirs. */
function soonestTurn({ watchers, paidAt }: Channel, now: number): number {
  return Math.min(
    Infinity,
    ...Array.from(watchers, ({ payer, everySeconds }) => {
      const turn = (paidAt.get(payer) ?? -Infinity) + everySeconds * SECOND_MS - now;
      return turn > 0 ? turn : everySeconds * SECOND_MS;
    }),
  );
}

/** What was read for others need not be waited for. */
function giveLast({ feed, answeredAt, everySeconds }: Channel, { onReading }: Watcher): void {
  const text = feed.text();
  if (text !== null && answeredAt !== null) onReading({ text, answeredAt, problem: null, everySeconds });
}

function report({ watchers }: Channel, reading: WatchedReading): void {
  for (const { onReading } of watchers) onReading(reading);
}

/** What topics may spend of the exchange's budget, for each who has them read: all of their share that they use for nothing else. */
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

interface ChannelParts extends Pick<FeedParts, 'now' | 'venueNow'> {
  /** What stands for an owner in public. */
  readonly aliasOf: (kind: AliasKind, code: string) => string;
  readonly schedule: Schedule;
}

/** Who is sent what changes. */
export interface Follower {
  /** The people that it is for. */
  readonly payers: () => Iterable<Payer>;
  readonly onChange: () => void;
}

/** A topic that somebody follows, or did a moment ago. */
interface Channel {
  readonly request: TopicRequest;
  readonly feed: Feed;
  readonly followers: Set<Follower>;
  readonly watchers: Set<Watcher>;
  everySeconds: number;
  /** Requests that a reading takes: one, until it is known. */
  cost: number;
  isReading: boolean;
  /** Something changed: its next reading is due. */
  isChanged: boolean;
  /** From when the time to its next reading counts, by `elapsed`. */
  readAt: number;
  /** In epoch milliseconds; null: never read. */
  answeredAt: number | null;
  retryAt: number;
  /** When each who has it watched took part in a reading. */
  readonly paidAt: Map<Payer, number>;
  cancel: () => void;
}

/** The topics that are read, and those that were a moment ago. */
interface Channels {
  readonly all: () => readonly Channel[];
  readonly find: (address: string) => Channel | undefined;
  /** One that was to be forgotten is kept after all. */
  readonly open: (request: TopicRequest) => Channel;
  /** A reader that comes back soon finds its place. */
  readonly forgetLater: (channel: Channel) => void;
  /** Whether all of these fit beside the others: those without parameters always do. */
  readonly makeRoomFor: (requests: readonly TopicRequest[]) => boolean;
  readonly close: () => void;
}

/** For how long the changes of a topic that nobody follows are kept. */
const KEEP_MS = 120_000;
/** Of topics with parameters. Beyond it, those that nobody follows are forgotten at once. */
const MAX_CHANNELS = 512;

function createChannels(parts: ChannelParts, cursors: Cursors): Channels {
  const channels = new Map<string, Channel>();
  let isClosed = false;
  return {
    all: () => [...channels.values()],
    find: (address) => channels.get(address),
    open: (request) => {
      const channel = channels.get(request.address) ?? openChannel(request, parts, cursors);
      channels.set(request.address, channel);
      if (!isRead(channel)) channel.cancel();
      return channel;
    },
    forgetLater: (channel) => {
      channel.cancel();
      // Streams may end after it is closed, and a timer would hold the process.
      if (!isClosed) channel.cancel = parts.schedule(KEEP_MS, () => channels.delete(channel.request.address));
    },
    makeRoomFor: (requests) => makeRoom(channels, requests),
    close: () => {
      isClosed = true;
      for (const { cancel } of channels.values()) cancel();
    },
  };
}

function makeRoom(channels: Map<string, Channel>, requests: readonly TopicRequest[]): boolean {
  const parameterised = requests.filter(hasParameters).map(({ address }) => address);
  if (parameterised.length === 0) return true;
  const isRoom = (): boolean =>
    new Set([
      ...[...channels.values()].filter(({ request }) => hasParameters(request)).map(({ request }) => request.address),
      ...parameterised,
    ]).size <= MAX_CHANNELS;
  for (const [address, channel] of isRoom() ? [] : channels) {
    if (isRead(channel)) continue;
    channel.cancel();
    channels.delete(address);
  }
  return isRoom();
}

function openChannel(request: TopicRequest, parts: ChannelParts, { next }: Cursors): Channel {
  const { address, topic } = request;
  const cadence = () => ({ everySeconds: channel.everySeconds, sharedBy: channel.followers.size });
  const feed = createFeed({ ...parts, address, topic, rowsField: rowsFieldOf(topic), cadence, nextCursor: next });
  const channel: Channel = {
    request,
    feed,
    followers: new Set(),
    watchers: new Set(),
    everySeconds: topic.everySeconds,
    cost: 1,
    isReading: false,
    isChanged: false,
    readAt: -Infinity,
    answeredAt: null,
    retryAt: -Infinity,
    paidAt: new Map(),
    cancel: () => undefined,
  };
  return channel;
}

function describeChannel(channel: Channel, parts: Pick<ChannelParts, 'aliasOf'>): LiveState['topics'][number] {
  const { request, followers, everySeconds, cost, answeredAt } = channel;
  const { topic } = request;
  return {
    address: toPublicAddress(request, parts),
    followers: followers.size,
    watchedEvery: watchedEvery(channel),
    everySeconds,
    leastSeconds: topic.everySeconds,
    cost: answeredAt === null ? null : cost,
    readAt: answeredAt,
  };
}

/** Names no owner, and still tells topics apart. */
function toPublicAddress({ name, pairs }: TopicRequest, { aliasOf }: Pick<ChannelParts, 'aliasOf'>): string {
  const publicPairs = pairs.map(([parameter, value]) => {
    const kind = OWNER_FILTERS[parameter];
    return [parameter, kind === undefined ? value : aliasOf(kind, value)] as const;
  });
  return toAddress(name, publicPairs);
}

export function hasParameters({ pairs }: TopicRequest): boolean {
  return pairs.length > 0;
}

function isRead({ followers, watchers }: Channel): boolean {
  return followers.size > 0 || watchers.size > 0;
}

/** How often the desk itself needs a topic; null: it does not. */
function watchedEvery({ watchers }: Channel): number | null {
  return watchers.size === 0 ? null : Math.min(...Array.from(watchers, ({ everySeconds }) => everySeconds));
}

/** What somebody needs of a topic, all of their streams and rules together. */
interface Claim extends Pick<Watched, 'everySeconds' | 'weight'> {
  readonly isFollowed: boolean;
}

/**
 * Who needs a topic. Whoever follows it needs it more often than those for whom it is only watched, for whom it is as
 * important as to one stream of the least important topic.
 */
function claimsOn({ request: { topic }, followers, watchers }: Channel): ReadonlyMap<Payer, Claim> {
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
