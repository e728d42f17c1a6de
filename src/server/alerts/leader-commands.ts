import { randomUUID } from 'node:crypto';
import type { Read, Row, Step } from '#sql/driver.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import { isProblemOf, type Problem, VenueFailure } from '#server/core/venue-failure.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Store } from '#server/store/store.ts';
import { deskCommands } from '#server/store/tables.ts';

/** Performs a command by its name; input and result can be written as JSON. */
type Performers = Readonly<Record<string, (input: never) => Promise<object>>>;
type ResultOf<Perform> = Perform extends (input: never) => Promise<infer Result> ? Result : never;

/** Has the leader do what only it can: another desk leaves a command in the store, and waits for its result there. */
export interface LeaderCommands<All extends Performers> {
  readonly perform: <Name extends string & keyof All>(
    name: Name,
    input: Parameters<All[Name]>[0],
  ) => Promise<ResultOf<All[Name]>>;
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

export interface CommandDeps extends Pick<ServerPorts, 'elapsed' | 'schedule' | 'log'> {
  readonly store: Store;
  readonly leaderStore: Store;
  readonly lease: Pick<Lease, 'isHeld' | 'epoch'>;
  /** Whether no other desk is alive that could leave a command. */
  readonly isAlone: () => boolean;
}

const LOOK_MS = 300;
/** Ample for a leader that runs. */
const TAKEN_WITHIN_MS = 5_000;
/** Longer than a message to a channel may take. */
const DONE_WITHIN_MS = 30_000;
const KEPT_MS = 3_600_000;

/** The result of a command. Any other failure is described in the leader’s log only. */
type Outcome = { readonly done: object } | { readonly problem: Problem };

export function createLeaderCommands<All extends Performers>(deps: CommandDeps, performers: All): LeaderCommands<All> {
  const { store, lease, isAlone, schedule, log } = deps;
  const running = new Set<Promise<void>>();
  let isOpen = false;
  let cancel = (): void => undefined;
  let looking: Promise<void> = Promise.resolve();

  const report = (error: unknown): void => {
    // The store has reported its own failure; and a command that is taken is never performed twice.
    if (!isProblemOf(error, 'desk-cannot-read') && !isProblemOf(error, 'desk-cannot-write'))
      log('error', 'command failed', { reason: error instanceof Error ? error.stack : String(error) });
  };
  const performOwn = async (name: string, input: unknown): Promise<object> => {
    const perform = performers[name];
    if (perform === undefined) throw new Error(`There is no command ${name}.`);
    return perform(input as never);
  };
  const attempt = async (name: string, input: unknown): Promise<Outcome> => {
    try {
      return { done: await performOwn(name, input) };
    } catch (error) {
      if (error instanceof VenueFailure) return { problem: error.problem };
      report(error);
      return { problem: { type: 'desk-fault', detail: 'The leading Perpdesk failed. Its log gives the reason.' } };
    }
  };
  const handle = async (id: string): Promise<void> => {
    const epoch = lease.epoch();
    const [name, body] = (await takeCommand(deps, id, epoch)) ?? [];
    if (name === undefined) return;
    const outcome = await attempt(String(name), JSON.parse(String(body)));
    await finishCommand(deps, id, epoch, outcome);
  };
  const look = async (): Promise<void> => {
    if (!lease.isHeld() || isAlone()) return;
    for (const [id] of await store.read(({ read }) => read(WAITING))) {
      const one = handle(String(id))
        .catch(report)
        .finally(() => running.delete(one));
      running.add(one);
    }
  };
  const run = (): void => {
    looking = look()
      .catch(report)
      .then(() => {
        if (isOpen) cancel = schedule(LOOK_MS, run);
      });
  };

  return {
    perform: async <Name extends string & keyof All>(name: Name, input: Parameters<All[Name]>[0]) => {
      const outcome = lease.isHeld() ? { done: await performOwn(name, input) } : await send(deps, name, input);
      if ('problem' in outcome) throw new VenueFailure(outcome.problem);
      return outcome.done as ResultOf<All[Name]>;
    },
    start: () => {
      isOpen = store.isShared;
      if (isOpen) run();
    },
    close: async () => {
      isOpen = false;
      cancel();
      await looking;
      await Promise.all(running);
    },
  };
}

async function send(deps: CommandDeps, name: string, input: unknown): Promise<Outcome> {
  const { store, elapsed, schedule } = deps;
  const id = randomUUID();
  const body = JSON.stringify(input);
  await store.mustWrite(({ write, dialect }) =>
    write([{ name: 'add command', sql: addSql(dialect.now), values: [id, name, body] }]),
  );
  const begunAt = elapsed();
  for (;;) {
    await new Promise<void>((resolve) => schedule(LOOK_MS, resolve));
    const [row] = await store.read(({ read }) => read(findCommand(id)));
    const [state, result] = row ?? [];
    if (state === 'done') return JSON.parse(String(result)) as Outcome;
    const waited = elapsed() - begunAt;
    if (state === 'waiting' && waited > TAKEN_WITHIN_MS && (await withdraw(store, id))) return { problem: NOT_DONE };
    if (waited > DONE_WITHIN_MS) return { problem: UNKNOWN };
  }
}

const NOT_DONE: Problem = {
  type: 'leader-silent',
  detail:
    'The leading Perpdesk on this database does not respond, so nothing was done. Another one takes over within a ' +
    'minute: try again then.',
};
const UNKNOWN: Problem = {
  type: 'leader-silent',
  detail:
    'The leading Perpdesk on this database began this, but has not responded since, so it is not known whether it ' +
    'was done.',
};

const WAITING: Read = {
  name: 'waiting commands',
  sql: `SELECT id FROM ${deskCommands.name} WHERE state = 'waiting' ORDER BY added_at`,
  values: [],
};
const findCommand = (id: string): Read => ({
  name: 'find command',
  sql: `SELECT state, result FROM ${deskCommands.name} WHERE id = $1`,
  values: [id],
});

function addSql(now: string): string {
  return `INSERT INTO ${deskCommands.name} (id, name, body, added_at, epoch, state, result)
    VALUES ($1, $2, $3, ${now}, 0, 'waiting', '')`;
}

/** Returns whether no leader had taken it. */
function withdraw({ mustWrite }: Store, id: string): Promise<boolean> {
  const sql = `DELETE FROM ${deskCommands.name} WHERE id = $1 AND state = 'waiting' RETURNING id`;
  return mustWrite(({ transact }) =>
    transact(function* () {
      const rows = yield { name: 'withdraw command', sql, values: [id] };
      return rows.length > 0;
    }),
  );
}

/** Marks a command as taken before it is performed: if this desk then dies, no later leader performs it again. */
function takeCommand({ leaderStore }: CommandDeps, id: string, epoch: number): Promise<Row | undefined> {
  const sql = `UPDATE ${deskCommands.name} SET state = 'taken', epoch = $2
    WHERE id = $1 AND state = 'waiting' RETURNING name, body`;
  return leaderStore.mustWrite(({ transact, dialect }) =>
    transact(function* () {
      const old = `DELETE FROM ${deskCommands.name} WHERE added_at < ${dialect.now} - $1`;
      yield { name: 'drop old commands', sql: old, values: [KEPT_MS] };
      const [row] = yield { name: 'take command', sql, values: [id, epoch] };
      return row;
    }),
  );
}

function finishCommand({ leaderStore }: CommandDeps, id: string, epoch: number, outcome: Outcome): Promise<void> {
  const step: Step = {
    name: 'finish command',
    sql: `UPDATE ${deskCommands.name} SET state = 'done', result = $3 WHERE id = $1 AND epoch = $2`,
    values: [id, epoch, JSON.stringify(outcome)],
  };
  return leaderStore.mustWrite(({ write }) => write([step]));
}
