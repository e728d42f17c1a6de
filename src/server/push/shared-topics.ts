import { rowsFieldOf, type TopicName } from '#contract/desk/topics.ts';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import { cutAtList } from '#contract/parse/row-texts.ts';
import { createTurns } from '#server/core/in-turn.ts';
import { isPerson, type Payer, type ServerPorts } from '#server/core/ports.ts';
import type { ListStep } from '#server/core/row-list.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import type { LastReading, Place, TopicResponse } from './feed.ts';
import type { Needs } from './followed-elsewhere.ts';
import { countStreams, type FollowedTopic, type FollowedTopics, type Following, isRead } from './followed-topic.ts';
import type { Cursors, SharedCursors, Tick } from './messages.ts';
import type { FoundReading, TopicReading } from './published-readings.ts';
import type { TopicRequest } from './topic-request.ts';

/** Composed from what each desk has, without reads of the exchange. */
const OF_EACH_DESK: ReadonlySet<TopicName> = new Set(['status', 'alerts']);

/** Whether each desk reads the topic for its own streams. */
export function isOfEachDesk(name: TopicName): boolean {
  return OF_EACH_DESK.has(name);
}

type Outcome =
  | { readonly response: TopicResponse; readonly problem: null }
  | { readonly response: null; readonly problem: ProblemDocument };

/** How one of several desks passes on what it has read. */
export interface Publisher extends SharedCursors {
  /** Whether this desk is the one that reads. */
  readonly leads: () => boolean;
  /** Publishes a reading before this desk uses it, if any other desk follows a topic. Rejects if it cannot be stored. */
  readonly publish: (reading: Omit<TopicReading, 'missing'>) => Promise<void>;
  /** Whether other desks would not find this response. */
  readonly isNews: (address: string, readTick: Tick) => boolean;
  /** Looks soon for new readings. */
  readonly wake: () => void;
}

/** The topics that one of several desks reads for all. */
export interface SharedTopics extends Following {
  readonly cursors: Pick<Cursors, 'current'>;
  /** Takes what this desk has read. False if it no longer is the one that reads. */
  readonly deliver: (followedTopic: FollowedTopic, outcome: Outcome) => Promise<boolean>;
  /** What streams of this desk follow, with those who pay and the number of their streams. */
  readonly needs: () => Needs;
  /** Whether readings may be stored that this desk has not taken. */
  readonly isNew: (address: string) => boolean;
  /** Takes a reading of the leader. They come in the order of their ticks. */
  readonly take: (found: FoundReading) => Promise<void>;
  /** Notes that all stored readings of these topics have been taken. */
  readonly settle: (addresses: readonly string[]) => void;
  /** Gives other desks the last response of a topic, unless they have it. */
  readonly repeat: (address: string) => void;
  /** Notes that this desk has become the one that reads, or is so no longer. */
  readonly changeReader: () => void;
  /** The last response of a topic that another desk reads; null if it was read here, or the last reading failed. */
  readonly last: (address: string) => LastReading['data'];
}

interface SharedTopicDeps extends Pick<ServerPorts, 'now' | 'elapsed'>, Following {
  readonly sharing: Publisher | null;
  readonly followedTopics: FollowedTopics;
  readonly cursors: Cursors;
  readonly replan: () => void;
  readonly onTaken?: ((request: TopicRequest, response: TopicResponse) => void) | undefined;
}

export function createSharedTopics(deps: SharedTopicDeps): SharedTopics {
  const { sharing, followedTopics, cursors, now } = deps;
  // A cursor names all readings until then, so they are taken one at a time, in their order.
  const inTurn = createTurns();
  const deliverShared = createDelivery(deps);
  const all = (): readonly FollowedTopic[] => followedTopics.all().filter(({ request }) => !isOfEachDesk(request.name));
  const leads = (): boolean => sharing === null || sharing.leads();

  return {
    ...deps,
    deliver: async (followedTopic, outcome) => {
      if (sharing === null || isOfEachDesk(followedTopic.request.name)) await use(followedTopic, outcome, now);
      else return inTurn(() => deliverShared(sharing, followedTopic, outcome));
      return true;
    },
    needs: () =>
      new Map(
        all().flatMap((each) => {
          const streams = isRead(each) ? toStreams(each) : null;
          return streams === null || streams.size === 0 ? [] : [[each.request.address, streams] as const];
        }),
      ),
    isNew: (address) => followedTopics.find(address)?.isLoaded === false,
    take: ({ address, cursor, reading }) =>
      inTurn(async () => {
        const followedTopic = followedTopics.find(address);
        if (leads()) return;
        if (reading === null || followedTopic === undefined || cursor.tick <= (followedTopic.feed.tick() ?? -1))
          cursors.commit(cursor);
        else await takeInto(followedTopic, reading, cursors, deps);
      }),
    settle: (addresses) => {
      for (const address of leads() ? [] : addresses) {
        const followedTopic = followedTopics.find(address);
        if (followedTopic === undefined || followedTopic.isLoaded) continue;
        followedTopic.isLoaded = true;
        for (const follower of followedTopic.followers) follower.onChange();
      }
    },
    repeat: (address) => {
      const followedTopic = followedTopics.find(address);
      if (sharing === null || followedTopic === undefined) return;
      const last = followedTopic.feed.last();
      if (!isNews(sharing, address, last)) return;
      const outcome = last.problem === null ? toOutcome(last.data) : { response: null, problem: last.problem };
      void inTurn(() => deliverShared(sharing, followedTopic, outcome)).then(() => {
        for (const follower of followedTopic.followers) follower.onChange();
      });
    },
    changeReader: () => {
      for (const followedTopic of all()) {
        followedTopic.sharedBy = 0;
        if (leads()) continue;
        if (isRead(followedTopic)) followedTopic.cancel();
        else followedTopic.isLoaded = false;
      }
      deps.replan();
    },
    last: (address) => {
      const followedTopic = followedTopics.find(address);
      if (leads() || followedTopic?.isLoaded !== true) return null;
      const last = followedTopic.feed.last();
      return last === null || last.problem !== null ? null : last.data;
    },
  };
}

/** Of those who watch, the server itself counts only at the leader. */
function toStreams({ followers, watchers }: FollowedTopic): ReadonlyMap<Payer, number> {
  const streams = new Map<Payer, number>();
  const payers = [
    ...[...followers].flatMap((follower) => [...follower.payers()]),
    ...[...watchers].map(({ payer }) => payer).filter(isPerson),
  ];
  for (const payer of payers) streams.set(payer, (streams.get(payer) ?? 0) + 1);
  return streams;
}

interface KnownReading extends LastReading {
  readonly data: NonNullable<LastReading['data']>;
}

function isNews({ isNews: isUnknown }: Publisher, address: string, last: LastReading | null): last is KnownReading {
  return last !== null && last.data !== null && last.readTick !== null && isUnknown(address, last.readTick);
}

function toOutcome({ text, provenance, readAt }: KnownReading['data']): Outcome {
  return { response: { text, provenance, readAt, cost: 0, sent: 0 }, problem: null };
}

function createDelivery({ cursors, now }: SharedTopicDeps) {
  const deliver = async (sharing: Publisher, followedTopic: FollowedTopic, outcome: Outcome): Promise<boolean> => {
    if (!sharing.leads()) return false;
    const { request, feed, isLoaded, everySeconds, cost } = followedTopic;
    const cursor = cursors.draw();
    const { response, problem } = outcome;
    const reading = {
      ...{ address: request.address, cursor, everySeconds, cost, problem },
      before: isLoaded ? feed.tick() : null,
      sharedBy: countStreams(followedTopic),
      response: response && { text: response.text, provenance: response.provenance, readAt: response.readAt ?? now() },
    };
    try {
      await sharing.publish(reading);
    } catch (error) {
      // The store has reported its failure, and the streams of this desk need not wait for it.
      if (!isProblemOf(error, 'desk-cannot-write')) throw error;
      if (!sharing.leads()) return false;
    }
    await use(followedTopic, outcome, now, { cursor: () => cursors.commit(cursor), isAfterGap: !isLoaded });
    followedTopic.isLoaded = true;
    return true;
  };
  return async (sharing: Publisher, ...given: [FollowedTopic, Outcome]) => {
    const [{ request, feed }, { problem }] = given;
    const last = feed.last();
    // Other desks show a failure with the response before it.
    if (problem !== null && isNews(sharing, request.address, last))
      await deliver(sharing, given[0], toOutcome(last.data));
    return deliver(sharing, ...given);
  };
}

/** Changes the feed, and passes the reading on to those who watch the topic. */
async function use(
  followedTopic: FollowedTopic,
  { response, problem }: Outcome,
  now: () => number,
  place?: Place,
): Promise<void> {
  const { feed, watchers, everySeconds } = followedTopic;
  if (problem !== null) {
    await feed.fail(problem, place);
    for (const { onReading } of watchers) onReading({ problem, everySeconds });
    return;
  }
  const respondedAt = Math.min(response.provenance?.respondedAt ?? response.readAt ?? now(), now());
  followedTopic.respondedAt = respondedAt;
  await feed.update(response, place);
  const { text, step } = response;
  for (const { onReading } of watchers) onReading({ text, step, respondedAt, problem: null, everySeconds });
}

async function takeInto(
  followedTopic: FollowedTopic,
  { response, problem, ...reading }: TopicReading,
  cursors: Cursors,
  { now, elapsed, onTaken }: Pick<SharedTopicDeps, 'now' | 'elapsed' | 'onTaken'>,
): Promise<void> {
  const { request, feed, followers, readRows } = followedTopic;
  followedTopic.everySeconds = reading.everySeconds;
  followedTopic.sharedBy = reading.sharedBy;
  followedTopic.cost = reading.cost;
  const place = { cursor: () => cursors.commit(reading.cursor), isAfterGap: reading.before !== feed.tick() };
  if (problem !== null) await use(followedTopic, { response: null, problem }, now, place);
  else if (response !== null) {
    // If this desk becomes the leader, it goes on with the same interval.
    followedTopic.readAt = elapsed() - (now() - response.readAt);
    const step = readRows === null ? undefined : stepTo(response.text, rowsFieldOf(request.topic), readRows);
    const taken = { ...response, step, cost: 0, sent: 0 };
    onTaken?.(request, taken);
    await use(followedTopic, { response: taken, problem: null }, now, place);
  }
  for (const follower of followers) follower.onChange();
}

function stepTo(text: string, rowsField: string | null, readRows: (texts: readonly string[]) => ListStep) {
  const { list } = rowsField === null ? { list: null } : cutAtList(text, rowsField);
  return list === null ? undefined : readRows([list]);
}
