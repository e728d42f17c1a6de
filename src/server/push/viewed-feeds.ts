import { isOfDesk, rowsFieldOf, toDeskName, type Topic } from '#contract/desk/topics.ts';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import { ANYBODY, type Payers, type Schedule } from '#server/core/ports.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import { hasParameters, type Follower, type Hub } from './hub.ts';
import { createFeed, type Feed, type FeedParts, type LastReading } from './feed.ts';
import { toTopicRequest, type TopicRequest } from './topic-request.ts';
import { needOf, READ_NEEDS } from '#contract/desk/needs.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { Need } from '#contract/desk/roles.ts';
import type { FindOwn, WorkingText } from '#server/readings/working-orders/part-of-working-set.ts';
import type { TopicReaderParts } from './topic-reader.ts';

/** The feeds of all topics, each as its viewer may see it. */
export interface ViewedFeeds {
  readonly hasRoomFor: (requests: readonly TopicRequest[], viewer: Viewer) => boolean;
  readonly follow: (request: TopicRequest, viewer: Viewer, follower: Follower) => Feed;
  readonly unfollow: (request: TopicRequest, viewer: Viewer, follower: Follower) => void;
  /** Keeps nothing for readers that come back: a timer would keep the process. */
  readonly close: () => void;
}

export interface ViewedFeedParts extends PartParts, Pick<FeedParts, 'now' | 'venueNow'> {
  readonly hub: Pick<Hub, 'hasRoomFor' | 'follow' | 'unfollow' | 'cursors'>;
  readonly toProblem: (error: unknown) => ProblemDocument;
  readonly schedule: Schedule;
}

/** A feed of its own for those who may see the same part of a topic, so that nothing in it depends on the rest. */
interface PartFeed extends PartOfTopic, Follower {
  readonly feed: Feed;
  readonly isFiltered: boolean;
  readonly followers: Set<Follower>;
  whole: Feed | null;
  cancel: () => void;
}

/** For how long one that nobody follows is kept: a reader that comes back soon finds its place. */
const KEEP_MS = 120_000;
/** Of topics with parameters: there are few others. */
const MAX_PARTS = 512;

export function createViewedFeeds(parts: ViewedFeedParts): ViewedFeeds {
  const { hub, schedule } = parts;
  const open = new Map<string, PartFeed>();
  let isClosed = false;

  const openPart = (key: string, request: TopicRequest, part: PartOfTopic, follower: Follower): PartFeed => {
    const known = open.get(key) ?? createPartFeed(request, part, parts);
    open.set(key, known);
    known.cancel();
    known.followers.add(follower);
    if (known.whole === null) {
      known.whole = hub.follow(part.source, known);
      known.onChange();
    }
    return known;
  };

  const forgetLater = (key: string, part: PartFeed): void => {
    hub.unfollow(part.source, part);
    part.whole = null;
    if (!isClosed) part.cancel = schedule(KEEP_MS, () => open.delete(key));
  };

  const makeRoom = (keys: readonly string[]): boolean => {
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
    hasRoomFor: (requests, viewer) => {
      const found = requests.map((request) => ({ request, part: findPart(request, viewer, parts) }));
      const keys = found.flatMap(({ request, part }) =>
        part === null || !hasParameters(request) ? [] : [keyOf(request, viewer)],
      );
      return makeRoom(keys) && hub.hasRoomFor(found.map(({ request, part }) => part?.source ?? request));
    },
    follow: (request, viewer, follower) => {
      const part = findPart(request, viewer, parts);
      if (part === null) return hub.follow(request, follower);
      return openPart(keyOf(request, viewer), request, part, follower).feed;
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

function keyOf({ address }: TopicRequest, { entitlement }: Viewer): string {
  return JSON.stringify([entitlement, address]);
}

function createPartFeed(
  request: TopicRequest,
  part: PartOfTopic,
  { hub, toProblem, now, venueNow }: ViewedFeedParts,
): PartFeed {
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
    now,
    venueNow,
  });
  let takenTick: number | null = null;
  let isTaking = false;

  const takeAll = async (): Promise<void> => {
    isTaking = true;
    for (let tick = nextTick(); tick !== null; tick = nextTick()) {
      takenTick = tick;
      await takeInto(self, self.whole?.last() ?? null, toProblem);
      for (const follower of followers) follower.onChange();
    }
    isTaking = false;
  };
  const nextTick = (): number | null => {
    const tick = self.whole?.tick() ?? null;
    return tick === takenTick ? null : tick;
  };

  const self: PartFeed = {
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

async function takeInto(
  { feed, compose, followers }: PartFeed,
  last: ReturnType<Feed['last']>,
  toProblem: (error: unknown) => ProblemDocument,
): Promise<void> {
  if (last === null) return;
  try {
    if (last.problem !== null || last.data === null)
      await feed.fail(last.problem ?? toProblem(new Error('a reading without data or problem')));
    else
      await feed.update({
        provenance: last.data.provenance,
        ...(await compose(last.data, payersOf(followers))),
        cost: 0,
        sent: 0,
      });
  } catch (error) {
    await feed.fail(toProblem(error));
  }
}

/** What one needs to follow a topic: as much as to read it. */
export function needOfTopic({ endpoint }: Topic): Need {
  return isOfDesk(endpoint) ? READ_NEEDS[toDeskName(endpoint)] : needOf(ENDPOINTS[endpoint]);
}

/** What a viewer who may not see all of a topic is sent of it. */
interface PartOfTopic {
  /** The topic that is read for all. */
  readonly source: TopicRequest;
  /** Made anew whenever that was read. */
  readonly compose: (data: NonNullable<LastReading['data']>, payers: Payers) => WorkingText | Promise<WorkingText>;
}

interface PartParts {
  readonly responders: Pick<TopicReaderParts['responders'], 'status' | 'alerts' | 'working'>;
  readonly findOwn: FindOwn;
}

/** Null: the viewer may see all of it, or it is the same for everybody. */
function findPart(request: TopicRequest, viewer: Viewer, { responders, findOwn }: PartParts): PartOfTopic | null {
  const { name, pairs } = request;
  // Not that of the viewer: others who may see the same follow it as well.
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
  // Filtered here: whether others follow the orders of an account must not show in what is sent of it, or when.
  return {
    source: toTopicRequest(name),
    compose: (whole, payers) =>
      findOwn(whole, { scope, entitlement }, pairs, async (filter) =>
        responders.working({ query: filter, purpose: undefined, payers, signal, viewer: LOCAL_VIEWER }),
      ),
  };
}
