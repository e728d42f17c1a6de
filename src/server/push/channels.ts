import { OWNER_FILTERS, type AliasKind } from '#contract/desk/aliases.ts';
import { rowsFieldOf } from '#contract/desk/topics.ts';
import type { LiveState } from '#server/readings/status/status.ts';
import type { Payer, Schedule } from '#server/core/ports.ts';
import type { Cursors } from './cursors.ts';
import type { Watcher } from '#server/core/watch-topic.ts';
import { createFeed, type Feed, type FeedParts } from './feed.ts';
import type { Watched } from './plan.ts';
import { toAddress, type TopicRequest } from './topic-request.ts';

export interface ChannelParts extends Pick<FeedParts, 'now' | 'venueNow'> {
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
export interface Channel {
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
export interface Channels {
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

export function createChannels(parts: ChannelParts, cursors: Cursors): Channels {
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

export function describeChannel(channel: Channel, parts: Pick<ChannelParts, 'aliasOf'>): LiveState['topics'][number] {
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

export function isRead({ followers, watchers }: Channel): boolean {
  return followers.size > 0 || watchers.size > 0;
}

/** How often the desk itself needs a topic; null: it does not. */
function watchedEvery({ watchers }: Channel): number | null {
  return watchers.size === 0 ? null : Math.min(...Array.from(watchers, ({ everySeconds }) => everySeconds));
}

/** What somebody needs of a topic, all of their streams and rules together. */
export interface Claim extends Pick<Watched, 'everySeconds' | 'weight'> {
  readonly isFollowed: boolean;
}

/**
 * Who needs a topic. Whoever follows it needs it more often than those for whom it is only watched, for whom it is as
 * important as to one stream of the least important topic.
 */
export function claimsOn({ request: { topic }, followers, watchers }: Channel): ReadonlyMap<Payer, Claim> {
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
