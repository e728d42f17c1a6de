import { type Change, columnsOf, type Dialect, type Read, type Row, type Step, type WritePlan } from '#sql/driver.ts';
import { DESK_ITSELF, type Payer, type Purpose, type ServerPorts } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { budgetLedgers, budgetPermits, leaderEpochs, spentPermits } from '#server/store/tables.ts';
import { createBatch } from './batch.ts';
import { toPurpose } from './permit-log.ts';
import { freeAt, isCounted, type OpenPermits, type Pay, type SpentPermit } from './permits.ts';
import type { Counted } from './shares.ts';

/**
 * How long a permit can be used. It is measured from a moment before the permit was granted, by both clocks of this
 * machine: one may stop while the machine sleeps, the other may be set.
 */
const VALID_MS = 5_000;
/** The longest time from the beginning of a request to its end, including that of a connection which is cut. */
const LONGEST_REQUEST_MS = 40_000;
const MARGIN_MS = 10_000;
/**
 * How long a permit may be in use, by the time of the database. After that it counts for one more window, even if its
 * desk has died and will never settle it.
 *
 * Two things can still make a request later than that. A process may be stopped for as long in the instant between the
 * check of its permit and the write, which follow each other in one turn of JavaScript: this concerns one request. And a
 * virtual machine may be stopped together with its clocks: this concerns what it was granted in the last `VALID_MS`.
 * Both are counted again as soon as the desk goes on, and settles them. No part of the budget is kept for them, because
 * they also need a budget that others have spent to the last request in the meantime.
 */
const LONGEST_USE_MS = VALID_MS + LONGEST_REQUEST_MS + MARGIN_MS;
/** How far the database’s clock may move against the monotonic clock of a desk between two looks. */
const CLOCK_TOLERANCE_MS = 1_000;
/** How much faster or slower one of the two may run. */
const CLOCK_DRIFT = 0.001;
/** Permits count for so much longer than a window that a clock which moves unnoticed frees none of them early. */
const CLOCK_MARGIN_MS = 2 * CLOCK_TOLERANCE_MS;
/** Permits stay in the ledger for so much longer that no desk misses one which counts by its own clock. */
const KEPT_MS = 60_000;
/** The time between two looks while anyone waits, or a permit is so recent that a failing database may lose it. */
const LOOK_MS = 900;
const RECENT_MS = 10_000;
const IDLE_LOOK_MS = 10_000;

interface LedgerDeps extends Pick<ServerPorts, 'now' | 'elapsed' | 'log'> {
  /** The ID of this desk, unique among all starts. */
  readonly desk: string;
  readonly store: Store;
}

/**
 * The permits of all desks on one database. The desks decide one after another: each locks the ledger, reads what
 * counts, and stores what it grants. All times in the ledger are the database’s.
 *
 * A database that fails over may lose its last transactions, and its new machine may have another time. A desk notices
 * that a number has become lower, that one of its own permits is missing, or that the time has moved against its
 * monotonic clock. It then withholds the budget: no desk grants a permit until nothing sent before can still count.
 * Until a desk has looked that knew of a lost permit, others may grant as many more as were lost. If no desk is left
 * that knew of them, nobody notices. Only a database that replicates synchronously has neither problem.
 */
export function ofAllDesks(deps: LedgerDeps): OpenPermits {
  return async (windowMs) => {
    const ledger = createLedger(deps, windowMs + CLOCK_MARGIN_MS);
    await ledger.open();
    return ledger;
  };
}

/** What the database holds, and when this desk looked. Other times are by this desk’s monotonic clock. */
interface Look {
  readonly sentAt: number;
  readonly receivedAt: number;
  /** By the wall clock. */
  readonly sentNow: number;
  readonly databaseAt: number;
  /** Numbers that only grow, unless the database has lost transactions. */
  readonly marks: readonly number[];
  readonly withheldUntil: number;
  readonly entries: readonly LedgerEntry[];
}

interface LedgerEntry extends SpentPermit {
  readonly desk: string;
}

/** A permit that this desk needs. */
interface Claim {
  readonly purpose: Purpose;
  readonly pay: Pay;
  /** Counts until the ledger has decided. */
  readonly expected: SpentPermit;
  granted: SpentPermit | null;
}

/** A permit of this desk, by its own clocks. */
interface OwnPermit {
  readonly validUntil: number;
  readonly validUntilNow: number;
  readonly endsBy: number;
  endedAt: number | null;
}

interface Decided {
  readonly look: Look;
  readonly granted: readonly LedgerEntry[];
  readonly problem: string | null;
}

function createLedger({ desk, store, now, elapsed, log }: LedgerDeps, windowMs: number) {
  const statements = createStatements(store.dialect);
  const own = new Map<number, OwnPermit>();
  let last: Look | null = null;
  let known: readonly LedgerEntry[] = [];
  let expected: readonly SpentPermit[] = [];
  let nextNumber = 1;
  let decisions = 0;
  let grantedAt = -Infinity;

  const all = (): readonly SpentPermit[] => {
    const at = elapsed();
    return [...known, ...expected].filter((entry) => isCounted(entry, windowMs, at));
  };

  /** Returns a function that makes a look of the rows which the statement that is sent next returns. */
  const beginLook = (): ((rows: readonly Row[]) => Look) => {
    const [sentAt, sentNow] = [elapsed(), now()];
    return (rows) => toLook(rows, { sentAt, sentNow, receivedAt: elapsed() });
  };
  const look = function* (): WritePlan<Look> {
    const end = beginLook();
    return end(yield statements.look);
  };
  /** Returns why what this look shows cannot be all that counts. `leastMarks` are the lowest marks that it may have. */
  const findProblem = (seen: Look, leastMarks = last?.marks): string | null => {
    const before = last;
    if (before === null) return null;
    const found = new Set(seen.entries.filter((entry) => entry.desk === desk).map(({ id }) => id));
    const isLost =
      seen.marks.some((mark, index) => mark < (leastMarks?.[index] ?? 0)) ||
      Array.from(own).some(([id, permit]) => isCounted(permit, windowMs, seen.receivedAt) && !found.has(id));
    if (isLost) return 'The database has lost what was stored last.';
    const moved = seen.databaseAt - before.databaseAt;
    const [least, most] = [seen.sentAt - before.receivedAt, seen.receivedAt - before.sentAt];
    const tolerance = CLOCK_TOLERANCE_MS + most * CLOCK_DRIFT;
    return moved < least - tolerance || moved > most + tolerance ? 'The clock of the database was set.' : null;
  };
  const decide = function* (claims: readonly Claim[]): WritePlan<Decided> {
    for (const claim of claims) claim.granted = null;
    yield statements.lock;
    const seen = yield* look();
    const [number = 0, ...marks] = last?.marks ?? [];
    // This decision has its number already.
    const problem = findProblem(seen, [number + 1, ...marks]);
    if (problem !== null) {
      yield* statements.withhold(windowMs + LONGEST_USE_MS);
      return { look: yield* look(), granted: [], problem };
    }
    const counted: LedgerEntry[] = seen.entries.filter((entry) => isCounted(entry, windowMs, seen.receivedAt));
    const granted: LedgerEntry[] = [];
    for (const claim of claims) {
      const payment = seen.withheldUntil > seen.receivedAt ? null : claim.pay([...counted, ...granted]);
      claim.granted = payment && toGranted(claim.purpose, payment, seen);
      if (claim.granted !== null) granted.push({ ...claim.granted, desk });
    }
    if (granted.length > 0) yield { table: budgetPermits, rows: granted.map((each) => toRow(each, seen.databaseAt)) };
    if (seen.entries.some((entry) => !isCounted(entry, windowMs + KEPT_MS, seen.receivedAt)))
      yield statements.forget(seen.databaseAt - windowMs - KEPT_MS);
    return { look: { ...seen, entries: counted }, granted, problem };
  };
  const toGranted = (purpose: Purpose, payment: Counted, { sentAt }: Look): SpentPermit => ({
    ...{ id: nextNumber++, purpose, payers: payment.payers, isOfReserve: payment.isOfReserve },
    ...{ endedAt: null, endsBy: sentAt + LONGEST_USE_MS },
  });
  const note = ({ look: seen, granted, problem }: Decided): void => {
    if (problem !== null) log('warn', 'budget withheld', { reason: problem });
    // The desk that withheld it has removed all permits from before.
    if (seen.withheldUntil > seen.receivedAt) own.clear();
    for (const [id, permit] of own) if (!isCounted(permit, windowMs, seen.receivedAt)) own.delete(id);
    for (const { id, endsBy } of granted)
      own.set(id, {
        ...{ validUntil: seen.sentAt + VALID_MS, validUntilNow: seen.sentNow + VALID_MS },
        ...{ endsBy, endedAt: null },
      });
    if (granted.length > 0) grantedAt = seen.receivedAt;
    known = [...seen.entries, ...granted];
    last = seen;
    decisions += 1;
  };
  const noLongerExpect = (claims: readonly Claim[]): void => {
    expected = expected.filter((entry) => !claims.some((claim) => claim.expected === entry));
  };
  // Claims that come while the ledger is locked share the next transaction.
  const ask = createBatch<Claim>((take) =>
    store.mustWrite(async ({ transact }) => {
      const claims = take();
      note(await transact(() => decide(claims)));
      noLongerExpect(claims);
    }),
  );
  const settleAll = createBatch<Step>((take) => store.tryToWrite(({ write }) => write(take())));

  return {
    all,
    open: (): Promise<void> =>
      store.mustWrite(async ({ transact }) => {
        note(
          await transact(function* () {
            yield* statements.takeOver;
            return yield* decide([]);
          }),
        );
      }),
    freeAt: (entry: SpentPermit): number => freeAt(entry, windowMs, elapsed()),
    withheldUntil: (): number => last?.withheldUntil ?? -Infinity,
    add: async (purpose: Purpose, pay: Pay): Promise<SpentPermit | null> => {
      const payment = pay(all());
      if (payment === null) return null;
      const claim: Claim = {
        ...{ purpose, pay, granted: null },
        expected: { id: 0, purpose, ...payment, endedAt: null, endsBy: Infinity },
      };
      expected = [...expected, claim.expected];
      try {
        await ask(claim);
      } finally {
        noLongerExpect([claim]);
      }
      return claim.granted;
    },
    isVoid: ({ id }: SpentPermit): boolean => {
      const permit = own.get(id);
      return permit === undefined || elapsed() > permit.validUntil || now() > permit.validUntilNow;
    },
    giveBack: ({ id }: SpentPermit): void => {
      own.delete(id);
      known = known.filter((entry) => entry.desk !== desk || entry.id !== id);
      void store.tryToWrite(({ write }) => write([statements.remove(desk, id)]));
    },
    settle: (entry: SpentPermit): void => {
      if (entry.endedAt !== null) return;
      const at = elapsed();
      const copies = known.filter(({ id, ...each }) => each.desk === desk && id === entry.id);
      for (const each of [entry, ...copies, own.get(entry.id)]) if (each !== undefined) each.endedAt = at;
      void settleAll(statements.settle({ ...entry, desk }));
    },
    refresh: async (isAnyoneWaiting: boolean): Promise<void> => {
      const everyMs = isAnyoneWaiting || elapsed() < grantedAt + RECENT_MS ? LOOK_MS : IDLE_LOOK_MS;
      if (last !== null && elapsed() < last.receivedAt + everyMs) return;
      const decisionsBefore = decisions;
      const end = beginLook();
      const seen = await store.tryToRead(async ({ read }) => end(await read(statements.look)));
      // A decision that was made meanwhile knows more.
      if (seen === undefined || decisions !== decisionsBefore) return;
      if (findProblem(seen) === null) note({ look: seen, granted: [], problem: null });
      else
        await store.tryToWrite(async ({ transact }) => {
          note(await transact(() => decide([])));
        });
    },
  };
}

function createStatements({ now }: Dialect) {
  const permits = budgetPermits.name;
  const ledger = budgetLedgers.name;
  const columns = columnsOf(budgetPermits);
  const sentBefore = `SELECT 'before', id, purpose, '${JSON.stringify(DESK_ITSELF)}', 0, ${now}, NULL FROM ${spentPermits.name}`;
  const takeOver: readonly Change[] = [
    {
      name: 'take over permits',
      sql: `INSERT INTO ${permits} (${columns}) ${sentBefore} WHERE 1 = 1 ON CONFLICT (desk, number) DO NOTHING`,
      values: [],
    },
    { name: 'forget permits taken over', sql: `DELETE FROM ${spentPermits.name}`, values: [] },
  ];
  const lock: Change = {
    name: 'lock ledger',
    sql: `INSERT INTO ${ledger} (id, number, withheld_until) VALUES (1, 1, 0)
      ON CONFLICT (id) DO UPDATE SET number = ${ledger}.number + 1`,
    values: [],
  };
  const look: Read = {
    name: 'look at ledger',
    sql: `SELECT ${now}, ledger.number, COALESCE((SELECT epoch FROM ${leaderEpochs.name} WHERE id = 1), 0),
        ledger.withheld_until, permit.desk, permit.number, purpose, payers, is_of_reserve, granted_at, settled_at
      FROM ${ledger} ledger LEFT JOIN ${permits} permit ON 1 = 1 WHERE ledger.id = 1`,
    values: [],
  };
  return {
    /** Permits that earlier versions granted, each of which may still be in use. */
    takeOver,
    lock,
    look,
    forget: (before: number): Change => ({
      name: 'forget old permits',
      sql: `DELETE FROM ${permits} WHERE COALESCE(settled_at, granted_at + ${String(LONGEST_USE_MS)}) <= $1`,
      values: [before],
    }),
    /** What was sent before no longer counts when this is over, so it need not be known. */
    withhold: (milliseconds: number): readonly Change[] => [
      { name: 'forget all permits', sql: `DELETE FROM ${permits}`, values: [] },
      {
        name: 'withhold budget',
        sql: `UPDATE ${ledger} SET withheld_until = ${now} + $1 WHERE id = 1`,
        values: [milliseconds],
      },
    ],
    /** Stores it again if it is missing. */
    settle: ({ desk, id, purpose, payers, isOfReserve }: LedgerEntry): Change => ({
      name: 'settle permit in ledger',
      sql: `INSERT INTO ${permits} (${columns}) VALUES ($1, $2, $3, $4, $5, ${now}, ${now})
        ON CONFLICT (desk, number) DO UPDATE SET settled_at = excluded.settled_at`,
      values: [desk, id, purpose, JSON.stringify(payers), isOfReserve ? 1 : 0],
    }),
    remove: (desk: string, id: number): Change => ({
      name: 'give permit back',
      sql: `DELETE FROM ${permits} WHERE desk = $1 AND number = $2`,
      values: [desk, id],
    }),
  };
}

/** Turns times of the database into times of this desk, none of them earlier than it was. */
function toLook(rows: readonly Row[], times: Pick<Look, 'sentAt' | 'sentNow' | 'receivedAt'>): Look {
  const [databaseAt = 0, number = 0, epoch = 0, withheldUntil = 0] = rows[0]?.slice(0, 4).map(Number) ?? [];
  const toOwnTime = (at: number): number => times.receivedAt + at - databaseAt;
  return {
    ...times,
    databaseAt,
    marks: [number, epoch, withheldUntil],
    withheldUntil: toOwnTime(withheldUntil),
    entries: rows
      .map((row) => row.slice(4))
      .filter(([desk]) => desk !== null)
      .map(([desk, id, purpose, payers, isOfReserve, grantedAt, settledAt]) => ({
        desk: String(desk),
        id: Number(id),
        purpose: toPurpose(purpose),
        payers: JSON.parse(String(payers)) as readonly Payer[],
        isOfReserve: Number(isOfReserve) === 1,
        endedAt: settledAt === null ? null : toOwnTime(Number(settledAt)),
        endsBy: toOwnTime(Number(grantedAt) + LONGEST_USE_MS),
      })),
  };
}

function toRow({ desk, id, purpose, payers, isOfReserve }: LedgerEntry, databaseAt: number): Row {
  return [desk, id, purpose, JSON.stringify(payers), isOfReserve ? 1 : 0, databaseAt, null];
}
