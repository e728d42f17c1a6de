import type { ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import {
  type Cursors,
  GZIP_HEAD,
  gzipEnd,
  HEARTBEAT,
  type Message,
  type Tick,
  toEvent,
  toSmallMessage,
} from './messages.ts';
import type { Feed } from './feed.ts';
import { randomInt } from 'node:crypto';
import { REQUEST_ID_HEADER } from '#contract/desk/desk.ts';
import { LIVE_PATH } from '#contract/desk/live.ts';
import type { Payer, Schedule } from '#server/core/ports.ts';
import { chooseContentCoding, securityHeaders } from '#server/web/send-response.ts';
import { sendProblem } from '#server/web/error-responses.ts';
import { onClose, type RequestContext, type RouteHandler, type RouteResult } from '#server/web/request-context.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import { findObstacle, type Viewer } from '#server/core/viewer.ts';
import type { Hub } from './hub.ts';
import { type Follow, hasParameters, parseFollows, type TopicRequest } from './topic-request.ts';
import { isOfEachDesk } from './shared-topics.ts';
import { needOfTopic, type ViewedFeeds } from './viewed-feeds.ts';

interface StreamDeps {
  readonly response: ServerResponse;
  readonly isPacked: boolean;
  readonly cursors: Pick<Cursors, 'current'>;
  readonly entitlement: string;
}

/** One client's stream. */
interface Stream {
  /**
   * `held` is the state that the client has; null if none. It is sent nothing before a reading later than `least`, if
   * that is not null.
   */
  readonly add: (feed: Feed, held: Tick | null, least?: Tick | null) => void;
  /** Sends what there is, however old. */
  readonly waitNoMore: () => void;
  /** A topic was just read: sends what the client lacks, as far as the connection takes it. */
  readonly onChange: () => void;
  /** The same at any other time; the age of each reading is then stated as of now. */
  readonly resume: () => void;
  readonly heartbeat: () => void;
  readonly renew: () => void;
  /** Asks the client to open its next stream at another desk, after a delay of its own. */
  readonly move: () => void;
  readonly end: () => void;
}

interface Followed {
  readonly feed: Feed;
  held: Tick | null;
  /**
   * The current tick when the client came back, until it is sent something. It may have received more than its cursor
   * names, but not more than this desk had at that time.
   */
  cameAt: Tick | null;
  /** What the client has may be as late as this, and this desk does not know all of it. */
  least: Tick | null;
}

const heartbeat = toSmallMessage(HEARTBEAT);
const renewal = toSmallMessage(toEvent('renew', '{}'));
/** Many browsers that moved at the same moment could bring down the desk that they move to. */
const MOST_MOVE_DELAY_MS = 10_000;

/**
 * Opens a stream without a queue of its own: a client that takes nothing is sent nothing, and gets what it missed from
 * the logs that all streams share, or as a snapshot.
 *
 * @internal Exported for its test.
 */
export function openStream({ response, isPacked, cursors, entitlement }: StreamDeps): Stream {
  const follows: Followed[] = [];
  let isCatchingUp = false;
  let namedTick: Tick | null = null;

  const { write, writeIfFree, isBlocked, end } = createWriter(response, isPacked);

  const onChange = (): void => {
    if (isCatchingUp || isBlocked()) return;
    const [first, ...others] = follows.filter(isBehind);
    if (first === undefined || others.length > 0 || !sendLatest(first)) resume();
  };

  const resume = (): void => {
    if (isCatchingUp || isBlocked()) return;
    const behind = follows.filter(isBehind);
    if (behind.length === 0) nameTick();
    else void catchUp(behind);
  };

  /** The usual case: one topic was read, and this stream had everything before. */
  const sendLatest = (followed: Followed): boolean => {
    const latest = followed.feed.latest();
    if (latest?.from !== followed.held) return false;
    write(isWhole(follows) ? latest.withCursor(entitlement) : latest.frame);
    Object.assign(followed, { held: followed.feed.tick(), ...SENT });
    if (isWhole(follows)) namedTick = followed.held;
    return true;
  };

  const catchUp = async (behind: readonly Followed[]): Promise<void> => {
    isCatchingUp = true;
    for (const followed of behind) {
      const { tick, frames: messages } = await followed.feed.catchUp(followed.held);
      if (isBlocked()) break;
      messages.forEach(write);
      Object.assign(followed, { held: tick, ...SENT });
    }
    isCatchingUp = false;
    resume();
  };

  /** A cursor means that the client has all readings of its topics until then, at any desk. */
  const nameTick = (): void => {
    const { tick, frameFor } = cursors.current();
    if (tick === namedTick || !isWhole(follows)) return;
    namedTick = tick;
    write(frameFor(entitlement));
  };

  response.on('drain', resume);
  write(heartbeat);
  return {
    add: (feed, held, least = null) => {
      follows.push({ feed, held, cameAt: held === null ? null : cursors.current().tick, least });
    },
    waitNoMore: () => {
      for (const followed of follows) followed.least = null;
      resume();
    },
    onChange,
    resume,
    end,
    heartbeat: () => {
      writeIfFree(heartbeat);
    },
    renew: () => {
      writeIfFree(renewal);
    },
    move: () => {
      writeIfFree(toSmallMessage(toEvent('move', JSON.stringify({ after_ms: randomInt(MOST_MOVE_DELAY_MS) }))));
    },
  };
}

function createWriter(response: ServerResponse, isPacked: boolean) {
  if (isPacked) response.write(GZIP_HEAD);
  const isBlocked = (): boolean => response.writableNeedDrain || response.destroyed || response.writableEnded;
  let [crc, bytes] = [0, 0];
  const write = ({ plain, packed }: Message): void => {
    if (isPacked) {
      crc = crc32(plain, crc);
      bytes += plain.byteLength;
    }
    response.write(isPacked ? packed : plain);
  };
  const writeIfFree = (message: Message): void => {
    if (!isBlocked()) write(message);
  };
  const end = (): void => {
    if (!response.writableEnded) response.end(isPacked ? gzipEnd(crc, bytes) : undefined);
  };
  return { isBlocked, write, writeIfFree, end };
}

/** Of a topic that the client was sent something of. */
const SENT: Pick<Followed, 'cameAt' | 'least'> = { cameAt: null, least: null };

function isBehind({ feed, held, cameAt, least }: Followed): boolean {
  const tick = feed.tick();
  return tick !== null && tick !== held && tick > (least ?? -1) && (cameAt === null || feed.isSettled(cameAt));
}

function isWhole(follows: readonly Followed[]): boolean {
  return follows.every(({ feed, least }) => feed.tick() !== null && least === null && feed.isSettled());
}

/**
 * A screen follows a few such topics, and a stream no more than that. Each keeps a response in memory; the hub’s limit
 * allows for eight people who follow this many.
 *
 * @internal Exported for its test.
 */
export const MOST_OF_PERSON = 64;

export interface LiveRouteDeps {
  readonly cursors: Hub['cursors'];
  /**
   * Takes what other desks have sent to clients until now, and resolves to whether it could; undefined if there is no
   * other desk.
   */
  readonly look?: (() => Promise<boolean>) | undefined;
  readonly feeds: ViewedFeeds;
  /** Whether streams are compressed for clients that accept it. */
  readonly isCompressed: boolean;
  /** Called when a stream is opened. */
  readonly onStream?: ((context: RequestContext, follows: readonly Follow[]) => void) | undefined;
  readonly schedule: Schedule;
}

export interface LiveRoute {
  readonly handle: RouteHandler;
  /** The open streams of all, or of one payer. */
  readonly streams: (payer: Payer | null) => number;
  /**
   * Has all clients open their next stream at another desk. Resolves when none is left, or after a while, but not before
   * a balancer has noticed that this desk stops.
   */
  readonly drain: () => Promise<void>;
  readonly isDraining: () => boolean;
  /** Ends all streams; their clients then open new ones. */
  readonly close: () => void;
}

/** Within this time, a balancer that checks every second has noticed, even if a check takes two seconds. */
const LEAST_DRAIN_MS = 3_000;
/** Clients that are blocked, or too old to know the event, are not waited for any longer. */
const LONGEST_DRAIN_MS = 30_000;

/** Half of what one process was measured to serve with a tenth of a core: see docs/scale.md. */
const MAX_STREAMS = 5_000;
const TOO_MANY: Problem = {
  type: 'too-many-streams',
  detail: `${String(MAX_STREAMS)} streams are open, which is the most at a time: poll, or try again later.`,
  retryAfterSeconds: 60,
};
const TOO_MANY_OF_PERSON: Problem = {
  ...TOO_MANY,
  detail:
    `Your streams together follow at most ${String(MOST_OF_PERSON)} topics with parameters, such ` +
    'as single products or filtered orders: close tabs or programs that follow others, or poll.',
};
const TOO_MANY_TOPICS: Problem = {
  ...TOO_MANY,
  detail: 'The open streams follow as many topics as there is room for: poll, or try again later.',
};
/** Otherwise, the screen of a browser that comes from another desk would go back in time. */
const BEHIND: Problem = {
  type: 'desk-cannot-read',
  detail: 'This desk cannot read what others have sent since, because its database does not respond.',
  retryAfterSeconds: 1,
};
/**
 * How long a client that comes from another desk waits for readings later than those that it has. The leader soon
 * publishes one, unless what other desks sent is lost for good, as when a replica without it is promoted.
 */
const LONGEST_WAIT_MS = 30_000;
const HEARTBEAT_MS = 10_000;
/** A proxy may keep a connection open after the browser has gone, so streams end by themselves, at random times. */
const LIFE_MS = { least: 600_000, most: 900_000 };
/** The time in which a client should open its next stream. */
const GRACE_MS = 10_000;

export function createLiveRoute(deps: LiveRouteDeps): LiveRoute {
  const { feeds, schedule } = deps;
  const open = new Map<ServerResponse, Stream & { readonly payer: Payer }>();
  const followed = createFollowedTopics();
  let cancelHeartbeat: (() => void) | null = null;
  let onEmpty: (() => void) | null = null;

  const beat = (): void => {
    for (const stream of open.values()) stream.heartbeat();
    cancelHeartbeat = open.size === 0 ? null : schedule(HEARTBEAT_MS, beat);
  };

  const handle = async (context: RequestContext): Promise<Omit<RouteResult, 'endpoint'>> => {
    const { request, response, requestId, rawQuery, viewer } = context;
    const { held, least, isBehind } = await findHeld(deps, context);
    const follows =
      open.size >= MAX_STREAMS ? TOO_MANY : isBehind ? BEHIND : toFollows(feeds, followed, viewer, rawQuery);
    if ('type' in follows) return { status: sendProblem(response, follows, requestId), outcome: follows.type };
    const isPacked =
      deps.isCompressed && chooseContentCoding(request.headers['accept-encoding'], ['gzip', 'identity']) === 'gzip';
    // A chunk would take four writes per client and change instead of one. Without chunks, the end of the connection is
    // the end of the stream.
    response.removeHeader('transfer-encoding');
    response.writeHead(200, headersOf(requestId, isPacked));
    if (request.method === 'HEAD') {
      response.end();
      return { status: 200, outcome: 'streamed' };
    }
    deps.onStream?.(context, follows);
    const stream = openStream({ response, isPacked, cursors: deps.cursors, entitlement: viewer.entitlement });
    open.set(response, { ...stream, payer: viewer.payer });
    cancelHeartbeat ??= schedule(HEARTBEAT_MS, beat);
    if (onEmpty !== null) stream.move();
    const leave = followed.add(viewer.payer, follows);
    await follow(deps, context, { stream, held, least }, follows);
    leave();
    open.delete(response);
    if (open.size === 0) onEmpty?.();
    return { status: 200, outcome: 'streamed' };
  };

  return {
    handle: async (context) => ({ endpoint: LIVE_PATH, ...(await handle(context)) }),
    streams: (payer) =>
      payer === null ? open.size : [...open.values()].filter((stream) => stream.payer === payer).length,
    drain: async () => {
      const isNoticed = new Promise<void>((resolve) => void schedule(LEAST_DRAIN_MS, resolve));
      await new Promise<void>((resolve) => {
        const cancel = schedule(LONGEST_DRAIN_MS, resolve);
        onEmpty = () => {
          cancel();
          resolve();
        };
        for (const { move } of open.values()) move();
        if (open.size === 0) onEmpty();
      });
      await isNoticed;
    },
    isDraining: () => onEmpty !== null,
    close: () => {
      cancelHeartbeat?.();
      for (const { end } of open.values()) end();
    },
  };
}

function toFollows(
  feeds: ViewedFeeds,
  followed: FollowedTopics,
  viewer: Viewer,
  rawQuery: string,
): readonly Follow[] | Problem {
  const follows = parseFollows(rawQuery);
  if ('type' in follows) return follows;
  const [obstacle] = follows.flatMap(({ topic }) => findObstacle(viewer, needOfTopic(topic)) ?? []);
  if (obstacle !== undefined) return obstacle;
  if (!followed.mayFollow(viewer.payer, follows)) return TOO_MANY_OF_PERSON;
  return feeds.hasSpaceFor(follows, viewer) ? follows : TOO_MANY_TOPICS;
}

/**
 * Follows the topics until either side ends the stream. It ends at once when the viewer may no longer see this; the
 * next one is rejected.
 */
function follow(
  { feeds, cursors, schedule }: LiveRouteDeps,
  { response, viewer }: RequestContext,
  { stream, held, least }: Pick<Arrival, 'held' | 'least'> & { readonly stream: Stream },
  follows: readonly Follow[],
): Promise<void> {
  const follower = { payers: () => [viewer.payer], onChange: stream.onChange };
  for (const each of follows) {
    const isResumed = !each.isFresh && !(cursors.isShared && isOfEachDesk(each.name));
    stream.add(feeds.follow(each, viewer, follower), isResumed ? held : null, isResumed ? least : null);
  }
  stream.resume();
  const cancelWait = schedule(LONGEST_WAIT_MS, stream.waitNoMore);
  const cancelRenewal = schedule(randomInt(LIFE_MS.least, LIFE_MS.most), stream.renew);
  const cancelEnd = schedule(LIFE_MS.most + GRACE_MS, stream.end);
  viewer.ended.addEventListener('abort', stream.end);
  if (viewer.ended.aborted) stream.end();
  return new Promise((resolve) => {
    onClose(response, () => {
      viewer.ended.removeEventListener('abort', stream.end);
      cancelWait();
      cancelRenewal();
      cancelEnd();
      for (const each of follows) feeds.unfollow(each, viewer, follower);
      resolve();
    });
  });
}

interface Arrival {
  /** The tick that a returning client has, maybe from another desk; null if it has nothing of use. */
  readonly held: Tick | null;
  /** The tick that it has, if another desk may have sent it readings that this desk was never passed. */
  readonly least: Tick | null;
  /** Whether it may have what this desk has not. */
  readonly isBehind: boolean;
}

async function findHeld({ cursors, look }: LiveRouteDeps, { request, viewer }: RequestContext): Promise<Arrival> {
  const lastId = String(request.headers['last-event-id'] ?? '');
  const isCurrent = lastId === '' || (await look?.()) !== false;
  const found = cursors.find(lastId, viewer.entitlement);
  const isKnown = found?.isKnown === true;
  return {
    held: isKnown ? found.tick : null,
    least: isKnown ? null : (found?.tick ?? null),
    isBehind: !isKnown && !isCurrent,
  };
}

function headersOf(requestId: string, isPacked: boolean): Record<string, string> {
  return {
    ...securityHeaders,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'connection': 'close',
    'vary': 'accept-encoding',
    // Some proxies otherwise buffer the whole response.
    'x-accel-buffering': 'no',
    [REQUEST_ID_HEADER]: requestId,
    ...(isPacked && { 'content-encoding': 'gzip' }),
  };
}

/** The topics with parameters that each person follows, in all of their streams together. */
interface FollowedTopics {
  readonly mayFollow: (payer: Payer, requests: readonly TopicRequest[]) => boolean;
  /** Returns a function that removes them again. */
  readonly add: (payer: Payer, requests: readonly TopicRequest[]) => () => void;
}

/** @internal Exported for its test. */
export function createFollowedTopics(): FollowedTopics {
  /** The number of streams by payer and address. */
  const byPayer = new Map<Payer, Map<string, number>>();
  const change = (payer: Payer, requests: readonly TopicRequest[], by: number): void => {
    const own = byPayer.get(payer) ?? new Map<string, number>();
    for (const { address } of requests.filter(hasParameters)) {
      const streams = (own.get(address) ?? 0) + by;
      if (streams > 0) own.set(address, streams);
      else own.delete(address);
    }
    if (own.size > 0) byPayer.set(payer, own);
    else byPayer.delete(payer);
  };
  return {
    mayFollow: (payer, requests) => {
      const asked = requests.filter(hasParameters).map(({ address }) => address);
      return asked.length === 0 || new Set([...(byPayer.get(payer)?.keys() ?? []), ...asked]).size <= MOST_OF_PERSON;
    },
    add: (payer, requests) => {
      change(payer, requests, 1);
      return () => {
        change(payer, requests, -1);
      };
    },
  };
}
