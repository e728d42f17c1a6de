import { createHmac } from 'node:crypto';
import type { Dialect, Read, ReadPlan, Row, Step, WritePlan } from '#sql/driver.ts';
import { USABLE_FROM } from '#sql/migrate.ts';
import type { Store } from './store.ts';
import { deskMembers, deskSets } from './tables.ts';

/** A desk on a database, as the others see it. */
export interface Member {
  /** Unique among all desks and all of their starts. */
  readonly id: string;
  /** What people call it, the same when it starts again. */
  readonly name: string;
  readonly version: string;
  /** The number of steps of the store that its version knows. */
  readonly schema: number;
  /** In epoch milliseconds, by the clock of the database. */
  readonly startedAt: number;
  /** Digests of the secrets that it accepts; the first is of the one that it uses. */
  readonly secrets: readonly string[];
  /** What it does, as of its last beat. */
  readonly activity: MemberActivity;
}

export interface MemberActivity {
  /** Whether it is the leader. */
  readonly leads: boolean;
  /** The live streams that it serves. */
  readonly streams: number;
}

/** Of a desk that has just started. */
export const NO_ACTIVITY: MemberActivity = { leads: false, streams: 0 };

export interface Joining extends Pick<Member, 'id' | 'name' | 'version' | 'schema'> {
  /** What all desks on a database must have in common, by the settings that decide it. */
  readonly common: Readonly<Record<string, string>>;
  /** The secrets of the settings, the one to use first; empty for one that the database keeps. */
  readonly given: readonly string[];
  /** Returns a secret for the database to keep if it has none. */
  readonly offer: () => string;
}

/** What the database keeps for all desks. */
interface DeskSet {
  readonly common: Joining['common'];
  /** Null if the settings have it. */
  readonly secret: string | null;
  /** The one that those of the settings have replaced. `until` is by the clock of the database. */
  readonly earlier: { readonly secret: string; readonly until: number } | null;
}

interface Joined {
  readonly own: Member;
  readonly others: readonly Member[];
  readonly secret: string;
  /** Other secrets that the settings accept. */
  readonly alsoGiven: readonly string[];
  /** The one that those of the settings have replaced, and for how much longer it is accepted. */
  readonly earlier: { readonly secret: string; readonly leftMs: number } | null;
}

/** A desk counts as alive for this long after its last beat. */
const ALIVE_MS = 15_000;
const DAY_MS = 86_400_000;

/**
 * Joins the desks on a database. Throws a sentence that names the settings in which this desk differs from others that
 * are alive; if no other is, its own apply from now on. A desk of the same name does not count as another: it is most
 * likely the same one, which has died a moment ago.
 */
export async function joinDesks({ mustWrite }: Pick<Store, 'mustWrite'>, joining: Joining): Promise<Joined> {
  const offered = joining.offer();
  const joined = await mustWrite(({ dialect, transact }) => transact(() => planJoining(dialect, joining, offered)));
  if ('problem' in joined) throw new Error(joined.problem);
  return joined;
}

function* planJoining(
  dialect: Dialect,
  joining: Joining,
  offered: string,
): WritePlan<Joined | { readonly problem: string }> {
  const { id, name, version, schema, common, given } = joining;
  const [stored] = yield { name: 'lock desk set', sql: LOCK, values: [] };
  const before = stored?.[0] === NONE ? null : (JSON.parse(String(stored?.[0])) as DeskSet);
  const others = (yield readSeen(dialect)).map(toMember).filter((one) => one.name !== name);
  const [time] = yield { name: 'database time', sql: `SELECT ${dialect.now}`, values: [] };
  const now = Number(time?.[0]);
  // What only another version knows stays as it is while desks of that version may be alive.
  const set = {
    common: { ...(others.length > 0 && before?.common), ...common },
    ...toSecrets(given, before, { offered, now }),
  };
  const [secret = offered, ...alsoGiven] = set.secret === null ? given : [set.secret];
  const accepted = [secret, ...alsoGiven, ...(set.earlier === null ? [] : [set.earlier.secret])];
  const own: Member = {
    ...{ id, name, version, schema, startedAt: now },
    secrets: accepted.map(toDigest),
    activity: NO_ACTIVITY,
  };
  const problem = others.length === 0 ? null : findDifference({ own, common }, { others, set: before });
  if (problem !== null) return { problem };
  yield { table: deskSets, rows: [[1, JSON.stringify(set)]] };
  const outdated = [name, now - DAY_MS];
  yield { name: 'drop former desks', sql: 'DELETE FROM desk_member WHERE name = $1 OR beat < $2', values: outdated };
  yield toBeat(own, dialect);
  return {
    own,
    others,
    secret,
    alsoGiven,
    earlier: set.earlier && { secret: set.earlier.secret, leftMs: set.earlier.until - now },
  };
}

const NONE = '';
/** Creates the row if there is none, so that of two desks that start together one waits for the other. */
const LOCK = `INSERT INTO ${deskSets.name} (id, body) VALUES (1, '${NONE}')
  ON CONFLICT (id) DO UPDATE SET body = ${deskSets.name}.body RETURNING body`;

/** Keeps the first secret that any desk has offered, unless the settings have one, and accepts it for another day. */
function toSecrets(
  given: readonly string[],
  before: DeskSet | null,
  { offered, now }: { readonly offered: string; readonly now: number },
): Pick<DeskSet, 'secret' | 'earlier'> {
  const replaced = before?.earlier ?? null;
  const earlier = replaced !== null && replaced.until > now ? replaced : null;
  const kept = before?.secret ?? null;
  if (given.length > 0)
    return { secret: null, earlier: kept === null ? earlier : { secret: kept, until: now + DAY_MS } };
  return kept === null ? { secret: earlier?.secret ?? offered, earlier: null } : { secret: kept, earlier };
}

function toDigest(secret: string): string {
  return createHmac('sha256', secret).update('desk secret').digest('base64url');
}

/** Returns a sentence about what this desk does not have in common with the others; null if there is nothing. */
function findDifference(
  { own, common }: { readonly own: Member; readonly common: Joining['common'] },
  { others, set }: { readonly others: readonly Member[]; readonly set: DeskSet | null },
): string | null {
  const advice =
    `the desks that share this database, of which ${others.map(({ name }) => `"${name}"`).join(', ')} ` +
    `${others.length === 1 ? 'runs' : 'run'}. Set it to the same at all of them, or stop the others first. A desk ` +
    'that has died still counts for 15 seconds.';
  // One that the others do not know is of a later version.
  const differing = Object.keys(common).find((name) => (set?.common[name] ?? common[name]) !== common[name]);
  if (differing !== undefined)
    return (
      `${differing} cannot differ: it says "${common[differing] ?? ''}" here, but "${set?.common[differing] ?? ''}" at ` +
      advice
    );
  return others.every((other) => understands(own, other) && understands(other, own))
    ? null
    : `DESK_SECRET cannot differ: what one desk has sealed, another must open. It is not the same here as at ${advice}`;
}

function understands(reader: Member, writer: Member): boolean {
  return reader.secrets.some((digest) => digest === writer.secrets[0]);
}

/**
 * Reads the desks that beat within this time, those that are alive, and with each the number of steps that a version must
 * know to use the store.
 */
export function readSeen({ now }: Dialect, withinMs = ALIVE_MS): Read {
  const sql = `SELECT body, ${USABLE_FROM} FROM desk_member WHERE beat > ${now} - $1`;
  return { name: 'desks seen', sql, values: [withinMs] };
}

/** Returns a sentence if desks are alive that know fewer steps of the store than this. */
export function* findOlder(usableFrom: number, dialect: Dialect): ReadPlan<string | null> {
  const tables = yield { name: 'tables', sql: dialect.listTables, values: [] };
  // Earlier versions had no desks beside one another.
  if (!tables.some(([table]) => table === deskMembers.name)) return null;
  const older = (yield readSeen(dialect)).map(toMember).filter(({ schema }) => schema < usableFrom);
  if (older.length === 0) return null;
  return (
    'This version of Perpdesk needs a store that desks of an earlier version cannot use, and these still run: ' +
    `${older.map(({ name, version }) => `"${name}" (${version})`).join(', ')}. Stop them first, or update them to ` +
    'each version in between. A desk that has died still counts for 15 seconds.'
  );
}

export function toMember([body]: Row): Member {
  // The first version with several desks did not say how many steps it knew.
  return { schema: 0, ...(JSON.parse(String(body)) as Omit<Member, 'schema'>) };
}

/** Says that a desk is alive, and what it does, also if another has dropped its row. */
export function toBeat(own: Member, { now }: Dialect): Step {
  const sql = `INSERT INTO ${deskMembers.name} (id, name, body, beat) VALUES ($1, $2, $3, ${now})
    ON CONFLICT (id) DO UPDATE SET body = excluded.body, beat = excluded.beat`;
  return { name: 'beat', sql, values: [own.id, own.name, JSON.stringify(own)] };
}
