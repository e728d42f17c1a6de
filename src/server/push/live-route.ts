import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '#contract/desk/desk.ts';
import { LIVE_PATH } from '#contract/desk/live.ts';
import { chooseContentCoding } from '#server/web/representations.ts';
import { sendProblem } from '#server/web/problem-document.ts';
import { onClose, type RequestContext, type RouteHandler, type RouteResult } from '#server/web/request-context.ts';
import { securityHeaders } from '#server/web/security-headers.ts';
import type { Schedule } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import { findObstacle, type Viewer } from '#server/core/viewer.ts';
import { createFollowedTopics, MOST_OF_PERSON, type FollowedTopics } from './followed-topics.ts';
import type { Hub } from './hub.ts';
import { needOfTopic, type ViewedFeeds } from './viewed-feeds.ts';
import { openStream, type Stream } from './stream.ts';
import { parseFollows, type Follow } from './topic-request.ts';
import { setBounded } from '#server/core/bounded-map.ts';
import type { Cursors, Tick } from './cursors.ts';

export interface LiveRouteParts {
  readonly cursors: Hub['cursors'];
  readonly feeds: ViewedFeeds;
  /** Whether streams are compressed for clients that accept it. */
  readonly isCompressed: boolean;
  /** Learns who opens a stream of what. */
  readonly onStream?: ((context: RequestContext, follows: readonly Follow[]) => void) | undefined;
  readonly schedule: Schedule;
}

export interface LiveRoute {
  readonly handle: RouteHandler;
  readonly streams: () => number;
  /** Ends all streams, whose clients then open new ones. */
  readonly close: () => void;
}

const MAX_STREAMS = 2_000;
const TOO_MANY: Problem = {
  type: 'too-many-streams',
  detail: `${String(MAX_STREAMS)} streams are open, which is the most at a time: poll, or try again later.`,
  retryAfterSeconds: 60,
};
const TOO_MANY_OF_PERSON: Problem = {
  ...TOO_MANY,
  detail: `Your streams together follow at most ${String(MOST_OF_PERSON)} topics with parameters, such as single products or filtered orders: close tabs or programs that follow others, or poll.`,
};
const TOO_MANY_TOPICS: Problem = {
  ...TOO_MANY,
  detail: 'The open streams follow as many topics as there is room for: poll, or try again later.',
};
const HEARTBEAT_MS = 10_000;
/** A proxy may go on acknowledging for a browser that has gone. Not all streams end at the same time. */
const LIFE_MS = { least: 600_000, most: 900_000 };
/** For the client to open the next stream, before this one ends. */
const GRACE_MS = 10_000;

export function createLiveRoute(parts: LiveRouteParts): LiveRoute {
  const { feeds, schedule } = parts;
  const open = new Map<ServerResponse, Stream>();
  const findHeld = createFindHeld(parts.cursors);
  const followed = createFollowedTopics();
  let cancelHeartbeat: (() => void) | null = null;

  const beat = (): void => {
    for (const stream of open.values()) stream.heartbeat();
    cancelHeartbeat = open.size === 0 ? null : schedule(HEARTBEAT_MS, beat);
  };

  const handle = async (context: RequestContext): Promise<Omit<RouteResult, 'endpoint'>> => {
    const { request, response, requestId, rawQuery, viewer } = context;
    const follows = open.size >= MAX_STREAMS ? TOO_MANY : toFollows(feeds, followed, viewer, rawQuery);
    if ('type' in follows) return { status: sendProblem(response, follows, requestId), outcome: follows.type };
    const isPacked =
      parts.isCompressed && chooseContentCoding(request.headers['accept-encoding'], ['gzip', 'identity']) === 'gzip';
    // A chunk would be four writes for each client and each change, where a frame is one: the end of the connection is that of the stream.
    response.removeHeader('transfer-encoding');
    response.writeHead(200, headersOf(requestId, isPacked));
    if (request.method === 'HEAD') {
      response.end();
      return { status: 200, outcome: 'streamed' };
    }
    parts.onStream?.(context, follows);
    const stream = openStream({ response, isPacked, cursors: parts.cursors });
    open.set(response, stream);
    cancelHeartbeat ??= schedule(HEARTBEAT_MS, beat);
    const leave = followed.add(viewer.payer, follows);
    await follow({ ...parts, findHeld }, context, stream, follows);
    leave();
    open.delete(response);
    return { status: 200, outcome: 'streamed' };
  };

  return {
    handle: async (context) => ({ endpoint: LIVE_PATH, ...(await handle(context)) }),
    streams: () => open.size,
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
  return feeds.hasRoomFor(follows, viewer) ? follows : TOO_MANY_TOPICS;
}

/** Until the stream ends, from whichever side. One whose viewer may no longer see this ends at once; the next one is refused. */
function follow(
  { feeds, findHeld, schedule }: LiveRouteParts & { readonly findHeld: FindHeld },
  { request, response, viewer }: RequestContext,
  stream: Stream,
  follows: readonly Follow[],
): Promise<void> {
  const held = findHeld(String(request.headers['last-event-id'] ?? ''), viewer);
  const follower = { payers: () => [viewer.payer], onChange: stream.onChange };
  for (const each of follows) stream.add(feeds.follow(each, viewer, follower), each.isFresh ? null : held);
  stream.resume();
  const cancelRenewal = schedule(randomInt(LIFE_MS.least, LIFE_MS.most), stream.renew);
  const cancelEnd = schedule(LIFE_MS.most + GRACE_MS, stream.end);
  viewer.ended.addEventListener('abort', stream.end);
  if (viewer.ended.aborted) stream.end();
  return new Promise((resolve) => {
    onClose(response, () => {
      viewer.ended.removeEventListener('abort', stream.end);
      cancelRenewal();
      cancelEnd();
      for (const each of follows) feeds.unfollow(each, viewer, follower);
      resolve();
    });
  });
}

function headersOf(requestId: string, isPacked: boolean): Record<string, string> {
  return {
    ...securityHeaders,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'connection': 'close',
    'vary': 'accept-encoding',
    // Some proxies otherwise wait for a response to be whole.
    'x-accel-buffering': 'no',
    [REQUEST_ID_HEADER]: requestId,
    ...(isPacked && { 'content-encoding': 'gzip' }),
  };
}

/** What a client that comes back with this id has; null: nothing of use. */
type FindHeld = (cursorId: string, viewer: Pick<Viewer, 'id' | 'entitlement'>) => Tick | null;

const MAX_VIEWERS = 4_096;

/** Ticks count for all viewers alike, but what one was sent before their roles or scope changed is no part of what they are sent now. */
function createFindHeld({ next, toTick }: Cursors): FindHeld {
  const seen = new Map<string, { readonly entitlement: string; readonly since: Tick }>();
  return (cursorId, { id, entitlement }) => {
    const known = seen.get(id);
    const since = known?.entitlement === entitlement ? known.since : next().tick;
    setBounded(seen, id, { entitlement, since }, MAX_VIEWERS);
    const tick = toTick(cursorId);
    return tick !== null && tick >= since ? tick : null;
  };
}
