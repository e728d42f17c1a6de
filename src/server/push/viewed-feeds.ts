import { isOfDesk, rowsFieldOf, toDeskName, type Topic } from '#contract/desk/topics.ts';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import { needOf, READ_NEEDS } from '#contract/desk/needs.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { Need } from '#contract/desk/roles.ts';
import type { Responders } from '#server/readings/desk-api.ts';
import { ANYBODY, type Payers, type Schedule } from '#server/core/ports.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import type { FindOwn, WorkingText } from '#server/readings/working-orders/describe-working-set.ts';
import type { Follower } from './followed-topic.ts';
import type { Hub } from './hub.ts';
import { createFeed, type Feed, type FeedDeps, type LastReading } from './feed.ts';
import { hasParameters, toTopicRequest, type TopicRequest } from './topic-request.ts';

/** The feeds of all topics, scoped to their viewers. */
export interface ViewedFeeds {
  readonly hasSpaceFor: (requests: readonly TopicRequest[], viewer: Viewer) => boolean;
  readonly follow: (request: TopicRequest, viewer: Viewer, follower: Follower) => Feed;
  readonly unfollow: (request: TopicRequest, viewer: Viewer, follower: Follower) => void;
  /** Discards feeds at once instead of keeping them for returning clients: a timer would keep the process alive. */
  readonly close: () => void;
}

export interface ViewedFeedDeps extends ScopedDeps, Pick<FeedDeps, 'now' | 'venueNow'> {
  readonly hub: Pick<Hub, 'hasSpaceFor' | 'follow' | 'unfollow' | 'cursors'>;
  readonly toProblem: (error: unknown) => ProblemDocument;
  readonly schedule: Schedule;
}

/**
 * The feed of a scoped topic, shared by viewers who may see the same part, so that nothing in it depends on the rest.
 */
interface ScopedFeed extends ScopedTopic, Follower {
  readonly feed: Feed;
  readonly isFiltered: boolean;
  readonly followers: Set<Follower>;
  whole: Feed | null;
  cancel: () => void;
}

/** How long a feed without followers is kept for a client that soon comes back. */
const KEEP_MS = 120_000;
/** For topics with parameters; there are few others. */
const MAX_PARTS = 512;

export function createViewedFeeds(deps: ViewedFeedDeps): ViewedFeeds {
  const { hub, schedule } = deps;
  const open = new Map<string, ScopedFeed>();
  let isClosed = false;

  const openScoped = (key: string, request: TopicRequest, part: ScopedTopic, follower: Follower): ScopedFeed => {
    const known = open.get(key) ?? createPartFeed(request, part, deps);
    open.set(key, known);
    known.cancel();
    known.followers.add(follower);
    if (known.whole === null) {
      known.whole = hub.follow(part.source, known);
      known.onChange();
    }
    return known;
  };

  const forgetLater = (key: string, part: ScopedFeed): void => {
    hub.unfollow(part.source, part);
    part.whole = null;
    if (!isClosed) part.cancel = schedule(KEEP_MS, () => open.delete(key));
  };

  const makeSpace = (keys: readonly string[]): boolean => {
    if (keys.length === 0) return true;
    const isRoom = (): boolean =>
      new Set([...[...open].flatMap(([key, { isFiltered }]) => (isFiltered ? [key] : [])), ...keys]).size <= MAX_PARTS;
    for (const [key, { followers, cancel }] of isRoom() ? [] : open) {
      if (followers.size > 0) continue;
      cancel();
      open.delete(key);
    }
    return isRoom();
  };

  return {
    hasSpaceFor: (requests, viewer) => {
      const found = requests.map((request) => ({ request, part: findScoped(request, viewer, deps) }));
      const keys = found.flatMap(({ request, part }) =>
        part === null || !hasParameters(request) ? [] : [keyOf(request, viewer)],
      );
      return makeSpace(keys) && hub.hasSpaceFor(found.map(({ request, part }) => part?.source ?? request));
    },
    follow: (request, viewer, follower) => {
      const part = findScoped(request, viewer, deps);
      if (part === null) return hub.follow(request, follower);
      return openScoped(keyOf(request, viewer), request, part, follower).feed;
    },
    unfollow: (request, viewer, follower) => {
      const key = keyOf(request, viewer);
      const part = open.get(key);
      if (part?.followers.delete(follower) !== true) hub.unfollow(request, follower);
      else if (part.followers.size === 0) forgetLater(key, part);
    },
    close: () => {
      isClosed = true;
      for (const { cancel } of open.values()) cancel();
    },
  };
}

/** What the status says of topics and streams is only about those of its viewer. */
function keyOf({ name, address }: TopicRequest, { entitlement, payer }: Viewer): string {
  return JSON.stringify([entitlement, address, ...(name === 'status' ? [payer] : [])]);
}

function createPartFeed(
  request: TopicRequest,
  part: ScopedTopic,
  { hub, toProblem, now, venueNow }: ViewedFeedDeps,
): ScopedFeed {
  const { address, topic } = request;
  const followers = new Set<Follower>();
  const cadence = () => ({
    everySeconds: self.whole?.cadence().everySeconds ?? topic.everySeconds,
    sharedBy: followers.size,
  });
  const feed = createFeed({
    address,
    topic,
    rowsField: rowsFieldOf(topic),
    cadence,
    nextCursor: hub.cursors.next,
    isSettled: (earlier = Infinity) => {
      const [whole, tick] = [self.whole, feed.tick()];
      return whole !== null && whole.isSettled() && tick !== null && (tick === whole.tick() || tick > earlier);
    },
    now,
    venueNow,
  });
  let takenTick: number | null = null;
  let isTaking = false;

  const takeAll = async (): Promise<void> => {
    isTaking = true;
    for (let tick = nextTick(); tick !== null; tick = nextTick()) {
      takenTick = tick;
      await takeInto(self, self.whole?.last() ?? null, { toProblem, isShared: hub.cursors.isShared });
      for (const follower of followers) follower.onChange();
    }
    isTaking = false;
  };
  const nextTick = (): number | null => {
    const tick = self.whole?.tick() ?? null;
    return tick === takenTick ? null : tick;
  };

  const self: ScopedFeed = {
    ...part,
    feed,
    isFiltered: hasParameters(request),
    followers,
    payers: () => payersOf(followers),
    whole: null,
    cancel: () => undefined,
    onChange: () => {
      if (!isTaking) void takeAll();
    },
  };
  return self;
}

function payersOf(followers: ReadonlySet<Follower>): Payers {
  const [first = ANYBODY, ...others] = new Set([...followers].flatMap(({ payers }) => [...payers()]));
  return [first, ...others];
}

/**
 * Takes a reading of the source at the tick of that reading, so that a cursor means the same for all parts and at all
 * desks.
 */
async function takeInto(
  { feed, compose, followers }: ScopedFeed,
  last: LastReading | null,
  { toProblem, isShared }: { readonly toProblem: ViewedFeedDeps['toProblem']; readonly isShared: boolean },
): Promise<void> {
  if (last === null) return;
  const { cursor, before, data, readTick, problem } = last;
  const takenTick = feed.tick();
  const isAfterGap = isShared && takenTick !== null && takenTick !== before;
  try {
    // A failure comes after the data read before it.
    if (data !== null && readTick !== null && readTick > (takenTick ?? -1))
      await feed.update(
        {
          ...{ provenance: data.provenance, readAt: data.readAt },
          ...(await compose(data, payersOf(followers))),
          ...{ cost: 0, sent: 0 },
        },
        { cursor: () => ({ ...cursor, tick: readTick }), isAfterGap },
      );
    if (problem !== null) await feed.fail(problem, { cursor: () => cursor, isAfterGap });
  } catch (error) {
    await feed.fail(toProblem(error), { cursor: () => cursor, isAfterGap });
  }
}

/** Returns the need for following a topic, which is the same as for reading it. */
export function needOfTopic({ endpoint }: Topic): Need {
  return isOfDesk(endpoint) ? READ_NEEDS[toDeskName(endpoint)] : needOf(ENDPOINTS[endpoint]);
}

/** The part of a topic that a viewer with a limited scope is sent. */
interface ScopedTopic {
  /** The topic that is read for all. */
  readonly source: TopicRequest;
  /** Called after each reading of the source. */
  readonly compose: (data: NonNullable<LastReading['data']>, payers: Payers) => WorkingText | Promise<WorkingText>;
}

interface ScopedDeps {
  readonly responders: Pick<Responders, 'status' | 'working'> & { readonly alerts: Responders['status'] };
  readonly findOwn: FindOwn;
}

/** Returns null if the viewer may see all of it, or it is the same for everyone. */
function findScoped(request: TopicRequest, viewer: Viewer, { responders, findOwn }: ScopedDeps): ScopedTopic | null {
  const { name, pairs } = request;
  // Not the viewer’s signal: others who may see the same follow it too.
  const { signal } = new AbortController();
  const respond = async (respondTo: typeof responders.status, payers: Payers): Promise<WorkingText> =>
    respondTo({ query: pairs, purpose: undefined, payers, signal, viewer });
  if (name === 'status')
    return viewer.roles.has('admin')
      ? null
      : { source: request, compose: (_, payers) => respond(responders.status, payers) };
  const { scope, entitlement } = viewer;
  if (needOfTopic(request.topic) === 'markets' || scope === 'all') return null;
  if (name === 'alerts') return { source: request, compose: (_, payers) => respond(responders.alerts, payers) };
  if (name !== 'working-orders') throw new Error(`nothing says what of the topic ${name} a viewer may see`);
  // Filtered from the whole set: whether others follow the orders of an account must not show in the content or timing
  // of messages.
  return {
    source: toTopicRequest(name),
    compose: (whole, payers) =>
      findOwn(whole, { scope, entitlement }, pairs, async (filter) =>
        responders.working({ query: filter, purpose: undefined, payers, signal, viewer: LOCAL_VIEWER }),
      ),
  };
}
