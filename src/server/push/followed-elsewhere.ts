import type { Payer } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { followedTopics } from '#server/store/tables.ts';
import type { Follower, Following } from './followed-topic.ts';
import { parseAddress, type TopicRequest } from './topic-request.ts';

/** Those who pay for each followed topic, by its address, with their streams. */
export type Needs = ReadonlyMap<string, ReadonlyMap<Payer, number>>;

/** A desk that says no more for this long no longer counts, by the time of the database. */
const VALID_MS = 15_000;
const REPEATED_MS = 5_000;
const FORGOTTEN_MS = 600_000;

/** Announces to the leader what the streams of this desk follow. */
export interface Announcement {
  /** Stores it if it has changed, and from time to time; nothing if nothing is followed. */
  readonly announce: (needs: Needs) => Promise<void>;
}

interface AnnouncementDeps {
  readonly store: Store;
  /** Unique among all desks and all of their starts. */
  readonly desk: string;
  readonly elapsed: () => number;
}

export function createAnnouncement({ store, desk, elapsed }: AnnouncementDeps): Announcement {
  let announced: { readonly text: string; readonly at: number } | null = null;
  let version = 0;
  return {
    announce: async (needs) => {
      if (needs.size === 0) {
        if (announced === null) return;
        announced = null;
        const sql = `DELETE FROM ${followedTopics.name} WHERE desk = $1`;
        await store.tryToWrite(({ write }) => write([{ name: 'follow no topics', sql, values: [desk] }]));
        return;
      }
      const text = toText(needs);
      const isSame = announced?.text === text;
      if (isSame && elapsed() - (announced?.at ?? 0) < REPEATED_MS) return;
      version += isSame ? 0 : 1;
      announced = { text, at: elapsed() };
      await store.tryToWrite(({ dialect: { now }, write }) =>
        write([
          {
            name: 'follow topics',
            sql: `INSERT INTO ${followedTopics.name} (desk, version, topics, at) VALUES ($1, $2, $3, ${now})
              ON CONFLICT (desk) DO UPDATE SET version = excluded.version, topics = excluded.topics, at = excluded.at`,
            values: [desk, version, text],
          },
          {
            name: 'forget desks',
            sql: `DELETE FROM ${followedTopics.name} WHERE at < ${now} - ${String(FORGOTTEN_MS)}`,
            values: [],
          },
        ]),
      );
    },
  };
}

function toText(needs: Needs): string {
  return JSON.stringify(Array.from(needs, ([address, payers]) => [address, [...payers]]));
}

function fromText(text: string): Needs {
  return new Map(
    (JSON.parse(text) as readonly [string, readonly [Payer, number][]][]).map(([address, payers]) => [
      address,
      new Map(payers),
    ]),
  );
}

/** Follows what the streams of other desks follow, on behalf of their people, as if those streams were its own. */
export interface FollowedElsewhere {
  /** Whether any desk follows any topic. */
  readonly isAny: () => boolean;
  /** Reads what the others follow now. `onFollow` is called with each topic that one of them begins to follow. */
  readonly update: (topics: Following, onFollow: (address: string) => void) => Promise<void>;
  readonly end: (topics: Pick<Following, 'unfollow'>) => void;
}

interface OtherDesk {
  readonly version: number;
  readonly follows: ReadonlyMap<string, DeskFollower>;
}

interface DeskFollower extends Follower {
  readonly request: TopicRequest;
  streams: ReadonlyMap<Payer, number>;
}

export function createFollowedElsewhere({ store, desk }: Pick<AnnouncementDeps, 'store' | 'desk'>): FollowedElsewhere {
  const others = new Map<string, OtherDesk>();

  /** Follows what the desk needs from now on, and nothing else. */
  const follow = (topics: Following, name: string, version: number, needs: Needs): string[] => {
    const before = others.get(name)?.follows ?? new Map<string, DeskFollower>();
    for (const [address, follower] of before) if (!needs.has(address)) topics.unfollow(follower.request, follower);
    const follows = new Map<string, DeskFollower>();
    for (const [address, streams] of needs) {
      const follower = before.get(address) ?? toFollower(address);
      if (follower === null) continue;
      follower.streams = streams;
      follows.set(address, follower);
    }
    others.set(name, { version, follows });
    const added = [...follows.values()].filter(({ request }) => !before.has(request.address));
    for (const follower of added) topics.follow(follower.request, follower);
    return added.map(({ request }) => request.address);
  };

  const leave = (topics: Pick<Following, 'unfollow'>, name: string): void => {
    for (const follower of others.get(name)?.follows.values() ?? []) topics.unfollow(follower.request, follower);
    others.delete(name);
  };

  return {
    isAny: () => others.size > 0,
    update: async (topics, onFollow) => {
      const rows = await store.tryToRead(({ dialect: { now }, read }) => read(toVersions(now, desk)));
      if (rows === undefined) return;
      const versions = new Map(rows.map(([name, version]) => [String(name), Number(version)]));
      for (const name of others.keys()) if (!versions.has(name)) leave(topics, name);
      for (const [name, version] of versions) {
        const needs = others.get(name)?.version === version ? undefined : await readNeeds(store, name);
        if (needs !== undefined) follow(topics, name, version, needs).forEach(onFollow);
      }
    },
    end: (topics) => {
      for (const name of others.keys()) leave(topics, name);
    },
  };
}

function toFollower(address: string): DeskFollower | null {
  const request = parseAddress(address);
  if (request === null) return null;
  const self: DeskFollower = {
    request,
    streams: new Map(),
    payers: () => [...self.streams].flatMap(([payer, streams]) => Array<Payer>(streams).fill(payer)),
    onChange: () => undefined,
  };
  return self;
}

function toVersions(now: string, desk: string) {
  return {
    name: 'find desks that follow topics',
    sql: `SELECT desk, version FROM ${followedTopics.name} WHERE at > ${now} - ${String(VALID_MS)} AND desk <> $1`,
    values: [desk],
  };
}

/** Returns undefined if the desk follows nothing any more, or the store cannot be read. */
async function readNeeds(store: Store, desk: string): Promise<Needs | undefined> {
  const sql = `SELECT topics FROM ${followedTopics.name} WHERE desk = $1`;
  const rows = await store.tryToRead(({ read }) => read({ name: 'find followed topics', sql, values: [desk] }));
  return rows?.[0] && fromText(String(rows[0][0]));
}
