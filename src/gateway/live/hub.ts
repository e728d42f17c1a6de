import { OWNER_FILTERS, type AliasKind } from '#contract/desk-aliases.ts';
import type { ProblemDocument } from '#contract/problems.ts';
import { rowsFieldOf } from '#contract/topics.ts';
import type { LiveState } from '../desk-api/introspection/status.ts';
import type { RateLimiter, ReadOptions, Schedule } from '../ports.ts';
import { createCursors, type Cursors } from './cursors.ts';
import { createFeed, type Feed } from './feed.ts';
import { planIntervals } from './plan.ts';
import { createSpending, type Spending } from './spending.ts';
import type { TopicResponse } from './reading.ts';
import { toAddress, type TopicRequest } from './topic-request.ts';

export interface HubParts {
  readonly read: (request: TopicRequest, options: Pick<ReadOptions, 'signal'> & { readonly isFirst: boolean }) => Promise<TopicResponse>;
  readonly toProblem: (error: unknown) => ProblemDocument;
  readonly rateLimiter: Pick<RateLimiter, 'state'>;
  readonly aliasOf: (kind: AliasKind, code: string) => string;
  readonly now: () => number;
  /** Monotonic. */
  readonly elapsed: () => number;
  /** The exchange's time; null while it is unknown. */
  readonly venueNow: () => number | null;
  readonly schedule: Schedule;
}

/** Who is sent what changes. */
interface Follower {
  readonly onChange: () => void;
}

/** Reads each topic once for all who follow it, as often as the budget allows, and only while somebody does. */
export interface Hub {
  readonly cursors: Pick<Cursors, 'current' | 'toTick'>;
  /** Whether all of these can be followed: each topic keeps a response in memory and takes its part of the budget. */
  readonly hasRoomFor: (requests: readonly TopicRequest[]) => boolean;
  readonly follow: (request: TopicRequest, follower: Follower) => Feed;
  readonly unfollow: (request: TopicRequest, follower: Follower) => void;
  readonly plan: () => LiveState['topics'];
  readonly close: () => void;
}

/** A topic that somebody follows, or did a moment ago. */
interface Channel {
  readonly request: TopicRequest;
  readonly feed: Feed;
  readonly followers: Set<Follower>;
  everySeconds: number;
  cost: number;
  isReading: boolean;
  /** From when the time to its next reading counts, by `elapsed`. */
  readAt: number;
  /** In epoch milliseconds; null: never read. */
  answeredAt: number | null;
  retryAt: number;
  cancel: () => void;
}

/** For how long the changes of a topic that nobody follows are kept: a reader that comes back finds its place. */
const KEEP_MS = 120_000;
/** Beyond it, topics that nobody follows are forgotten at once. */
const MAX_CHANNELS = 512;
const SECOND_MS = 1_000;
/** Bounds how often a topic is read whose readings are always too old. */
const LEAST_MS = 1_000;

export function createHub(parts: HubParts): Hub {
  const { schedule, elapsed } = parts;
  const cursors = createCursors();
  const channels = new Map<string, Channel>();
  const spending = createSpending(parts.rateLimiter, elapsed);
  const closing = new AbortController();

  const replan = (): void => {
    const followed = [...channels.values()].filter(({ followers }) => followers.size > 0);
    const intervals = planIntervals(followed.map(toWatched), spending.requestsPerSecond());
    for (const [index, channel] of followed.entries()) {
      channel.everySeconds = intervals[index] ?? channel.everySeconds;
      if (!channel.isReading) scheduleReading(channel);
    }
  };

  const scheduleReading = (channel: Channel): void => {
    channel.cancel();
    if (closing.signal.aborted) return;
    const due = Math.max(channel.readAt + channel.everySeconds * SECOND_MS, channel.retryAt);
    channel.cancel = schedule(Math.max(0, due - elapsed()), () => void readNow(channel));
  };

  const readNow = async (channel: Channel): Promise<void> => {
    channel.isReading = true;
    await readInto(channel, parts, spending, closing.signal);
    channel.isReading = false;
    for (const follower of channel.followers) follower.onChange();
    if (channel.followers.size > 0) replan();
  };

  return {
    cursors,
    hasRoomFor: (requests) => makeRoom(channels, requests),
    follow: (request, follower) => {
      const channel = channels.get(request.address) ?? openChannel(request, parts, cursors);
      channels.set(request.address, channel);
      // It is not to be forgotten after all.
      if (channel.followers.size === 0) channel.cancel();
      channel.followers.add(follower);
      replan();
      return channel.feed;
    },
    unfollow: ({ address }, follower) => {
      const channel = channels.get(address);
      if (channel?.followers.delete(follower) !== true) return;
      if (channel.followers.size === 0) {
        channel.cancel();
        channel.cancel = schedule(KEEP_MS, () => channels.delete(address));
      }
      replan();
    },
    plan: () => Array.from(channels.values(), (channel) => describeChannel(channel, parts)),
    close: () => {
      closing.abort();
      for (const { cancel } of channels.values()) cancel();
    },
  };
}

function makeRoom(channels: Map<string, Channel>, requests: readonly TopicRequest[]): boolean {
  const isRoom = (): boolean => new Set([...channels.keys(), ...requests.map(({ address }) => address)]).size <= MAX_CHANNELS;
  for (const [address, { followers, cancel }] of isRoom() ? [] : channels) {
    if (followers.size > 0) continue;
    cancel();
    channels.delete(address);
  }
  return isRoom();
}

function openChannel(request: TopicRequest, parts: HubParts, { next }: Cursors): Channel {
  const { address, topic } = request;
  const cadence = () => ({ everySeconds: channel.everySeconds, sharedBy: channel.followers.size });
  const feed = createFeed({ ...parts, address, topic, rowsField: rowsFieldOf(topic), cadence, nextCursor: next });
  const channel: Channel = { request, feed, followers: new Set(), everySeconds: topic.everySeconds, cost: 1, isReading: false, readAt: -Infinity, answeredAt: null, retryAt: -Infinity, cancel: () => undefined };
  return channel;
}

async function readInto(channel: Channel, { read, toProblem, now, elapsed }: HubParts, spending: Spending, signal: AbortSignal): Promise<void> {
  const { request, feed } = channel;
  const beganAt = now();
  try {
    const response = await read(request, { isFirst: feed.tick() === null, signal });
    channel.cost = response.cost;
    spending.record(response.sent);
    const answeredAt = response.provenance?.answeredAt ?? now();
    channel.answeredAt = Math.min(answeredAt, now());
    await feed.update(response);
    // As pages do that poll: from the end of one reading to the start of the next; what was cached counts as old as it is.
    channel.readAt = answeredAt >= beganAt ? elapsed() : elapsed() - (now() - answeredAt);
    channel.retryAt = elapsed() + LEAST_MS;
  } catch (error) {
    if (signal.aborted) return;
    const problem = toProblem(error);
    channel.readAt = elapsed();
    channel.retryAt = elapsed() + (problem.retryAfter ?? 0) * SECOND_MS;
    await feed.fail(problem);
  }
}

function describeChannel({ request, followers, everySeconds, cost, answeredAt }: Channel, parts: Pick<HubParts, 'aliasOf'>): LiveState['topics'][number] {
  const { topic } = request;
  return { address: toPublicAddress(request, parts), followers: followers.size, everySeconds, leastSeconds: topic.everySeconds, cost, readAt: answeredAt };
}

/** Names no owner, and still tells topics apart. */
function toPublicAddress({ name, pairs }: TopicRequest, { aliasOf }: Pick<HubParts, 'aliasOf'>): string {
  const publicPairs = pairs.map(([parameter, value]) => {
    const kind = OWNER_FILTERS[parameter];
    return [parameter, kind === undefined ? value : aliasOf(kind, value)] as const;
  });
  return toAddress(name, publicPairs);
}

function toWatched({ request: { topic }, followers, cost }: Channel) {
  return { everySeconds: topic.everySeconds, weight: topic.importance * followers.size, cost };
}
