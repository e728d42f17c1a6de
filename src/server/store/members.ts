import type { ServerPorts } from '#server/core/ports.ts';
import {
  type Joining,
  joinDesks,
  type Member,
  type MemberActivity,
  NO_ACTIVITY,
  readSeen,
  toBeat,
  toMember,
} from './join-desks.ts';
import type { Store } from './store.ts';

/** The desks that serve together on one database. */
export interface Members {
  readonly own: Member;
  /** The desks that were alive when this was last read, this one among them, in the order in which they started. */
  readonly alive: () => readonly Member[];
  /** Reads the names of desks that beat within the last ten minutes, and have not stopped since. */
  readonly seenLately: () => Promise<readonly string[]>;
  /** What aliases are computed and texts are sealed with. */
  readonly secret: string;
  /** Other secrets that this was done with before, and that are still accepted. */
  readonly earlierSecrets: () => readonly string[];
  /** Shows the others from time to time that this desk is alive, and what it does. */
  readonly start: (activity: () => MemberActivity) => void;
  /** The others no longer count this desk. */
  readonly close: () => Promise<void>;
}

interface MembersDeps extends Pick<ServerPorts, 'elapsed' | 'schedule' | 'log' | 'now' | 'end'> {
  readonly store: Store;
}

const BEAT_MS = 2_000;
/** A beat that takes longer waits for a database that is away. */
const SLOW_MS = 1_000;
/** Longer than a database is usually away. */
const SEEN_MS = 600_000;

/** Joins the desks on the store; on one that is not shared, this desk is alone. */
export async function openMembers(joining: Joining, deps: MembersDeps): Promise<Members> {
  const { store, elapsed, schedule, log, end } = deps;
  if (!store.isShared) return openAlone(joining, deps);
  const joinedAt = elapsed();
  const { own, others, secret, alsoGiven, earlier } = await joinDesks(store, joining);
  let alive = inOrder([own, ...others]);
  let cancel = (): void => undefined;
  let isOpen = true;
  /** When the beat in progress began, and whether the one before it reached the database. */
  let beganAt: number | null = null;
  let isReached = true;
  let hasNamesake = false;
  let activity = (): MemberActivity => NO_ACTIVITY;

  const beat = async (): Promise<void> => {
    const now = { ...own, activity: activity() };
    await store.tryToWrite(({ write, dialect }) => write([toBeat(now, dialect)]));
    const rows = await store.tryToRead(({ read, dialect }) => read(readSeen(dialect)));
    isReached = rows !== undefined;
    // A database that is away does not say who else is.
    if (rows === undefined) return;
    if (Number(rows[0]?.[1] ?? 0) > own.schema) {
      isOpen = false;
      end(OUTDATED);
      return;
    }
    const found = rows.map(toMember);
    alive = inOrder(found.some(({ id }) => id === own.id) ? found : [now, ...found]);
    const namesakes = alive.filter(({ name }) => name === own.name).length > 1;
    if (namesakes && !hasNamesake)
      log('warn', 'desk name not unique', {
        name: own.name,
        reason: 'Another desk on this database has the same name. Set DESK_NAME to a different one at each.',
      });
    hasNamesake = namesakes;
  };
  const run = (): void => {
    beganAt = elapsed();
    void beat().then(() => {
      beganAt = null;
      if (isOpen) cancel = schedule(BEAT_MS, run);
    });
  };
  return {
    own,
    alive: () => alive,
    seenLately: () =>
      store.read(async ({ read, dialect }) =>
        (await read(readSeen(dialect, SEEN_MS))).map(toMember).map(({ name }) => name),
      ),
    secret,
    earlierSecrets: () => [
      ...alsoGiven,
      ...(earlier !== null && elapsed() - joinedAt < earlier.leftMs ? [earlier.secret] : []),
    ],
    start: (given) => {
      activity = given;
      run();
    },
    close: async () => {
      isOpen = false;
      cancel();
      // Stopping does not wait for a database that is away: there, the desk stops counting after a while by itself.
      if (!isReached || (beganAt !== null && elapsed() - beganAt > SLOW_MS)) return;
      const gone = { name: 'desk gone', sql: 'DELETE FROM desk_member WHERE id = $1', values: [own.id] };
      await store.tryToWrite(({ write }) => write([gone]));
    },
  };
}

const OUTDATED =
  'A later version of Perpdesk has changed the store so that this version can no longer use it. Update Perpdesk.';

function inOrder(members: readonly Member[]): readonly Member[] {
  return members.toSorted((one, other) => one.startedAt - other.startedAt || (one.id < other.id ? -1 : 1));
}

function openAlone({ id, name, version, schema, offer }: Joining, { now }: Pick<ServerPorts, 'now'>): Members {
  const own = { id, name, version, schema, startedAt: now(), secrets: [], activity: NO_ACTIVITY };
  return {
    own,
    alive: () => [own],
    seenLately: () => Promise.resolve([own.name]),
    secret: offer(),
    earlierSecrets: () => [],
    start: () => undefined,
    close: () => Promise.resolve(),
  };
}
