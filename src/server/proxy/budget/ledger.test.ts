import { array, assert, asyncProperty, constantFrom, integer, oneof, constant, record } from 'fast-check';
import { expect, test } from 'vitest';
import { toPayer, type Permit, type Purpose } from '#server/core/ports.ts';
import { VoidPermit } from '#server/core/venue-failure.ts';
import { budgetLedgers, budgetPermits } from '#server/store/tables.ts';
import { type LedgerDesk, openLedgerWorld } from '#testing/server-store/ledger-world.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';

const SECONDS = 20;
const DESKS = [0, 1, 2] as const;
/** While a desk that is idle has not looked, a new one cannot know what the database has lost. */
const IDLE_LOOK_MS = 10_500;

/** A moment at which the exchange may count a request: it does so at one of them. */
interface Sent {
  readonly at: number;
  respondedAt: number;
}

type Read = Readonly<{
  desk: number;
  purpose: Purpose;
  person: string;
  afterMs: number;
  /** How long the desk stands still before it sends. */
  stopMs: number;
  takesMs: number;
  event: 'none' | 'crash' | 'loss' | 'clock set';
}>;

const reads = array(
  record<Read>({
    desk: constantFrom(...DESKS),
    purpose: constantFrom('interactive', 'working', 'prefetch'),
    person: constantFrom('a', 'b', 'c'),
    afterMs: oneof(constant(0), integer({ min: 0, max: 10_000 })),
    stopMs: oneof(
      { weight: 6, arbitrary: constant(0) },
      { weight: 2, arbitrary: integer({ min: 0, max: 6_000 }) },
      { weight: 1, arbitrary: integer({ min: 60_000, max: 130_000 }) },
    ),
    takesMs: oneof(integer({ min: 0, max: 1_000 }), integer({ min: 0, max: 30_000 })),
    event: oneof(
      { weight: 20, arbitrary: constant<Read['event']>('none') },
      { weight: 1, arbitrary: constantFrom<Read['event'][]>('crash', 'loss', 'clock set') },
    ),
  }),
  { minLength: 20, maxLength: 60 },
);

/** Reads at three desks, and returns what the exchange has seen, and how many permits the database has lost. */
async function run(all: readonly Read[], requests: number) {
  const world = openLedgerWorld(await openTestStore());
  const clock = { now: 0 };
  const due: { readonly at: number; readonly call: () => void }[] = [];
  const pass = async (milliseconds: number): Promise<void> => {
    for (const end = clock.now + milliseconds; clock.now < end;) {
      const step = Math.min(500, end - clock.now);
      await world.pass(step);
      clock.now += step;
      for (const entry of due.filter(({ at }) => at <= clock.now)) {
        due.splice(due.indexOf(entry), 1);
        entry.call();
      }
      await world.settle();
    }
  };
  const later = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void due.push({ at: clock.now + milliseconds, call: resolve }));
  const openDesk = (): Promise<LedgerDesk> => world.openDesk({ requests, seconds: SECONDS });
  const desks = await Promise.all(DESKS.map(openDesk));
  const dead = new Set<LedgerDesk>();
  const sent: Sent[] = [];
  const begin = (permit: Permit): boolean => {
    try {
      permit.begin();
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(VoidPermit);
      return false;
    }
  };
  const send = async (desk: LedgerDesk, read: Read): Promise<void> => {
    const { purpose, person, stopMs, takesMs } = read;
    const permit = await desk.acquire({ purpose, payers: [toPayer(person)] }, new AbortController().signal);
    await later(stopMs);
    if (dead.has(desk)) return;
    const hasBegun = begin(permit);
    if (hasBegun) {
      const request: Sent = { at: clock.now, respondedAt: clock.now + takesMs };
      sent.push(request);
      await later(takesMs);
      request.respondedAt = clock.now;
    }
    if (dead.has(desk)) return;
    permit.settle();
    if (!hasBegun) await send(desk, { ...read, stopMs: 0 });
  };
  const tables = [budgetPermits, budgetLedgers];
  const copy = () => Promise.all(tables.map(({ name }) => world.store.query(`SELECT * FROM ${name}`)));
  let before = await copy();
  let lost = 0;
  const happens: Readonly<Record<Read['event'], (read: Read) => Promise<void>>> = {
    'none': () => Promise.resolve(),
    'crash': async ({ desk: index }) => {
      await pass(IDLE_LOOK_MS);
      const desk = desks[index];
      if (desk === undefined) return;
      dead.add(desk);
      desk.close();
      desks[index] = await openDesk();
    },
    'loss': async () => {
      const held = new Set(before[0]?.map(([desk, number]) => `${String(desk)} ${String(number)}`));
      const [permits = []] = await copy();
      lost += permits.filter(([desk, number]) => !held.has(`${String(desk)} ${String(number)}`)).length;
      await world.store.driver.write([
        ...tables.map(({ name }) => ({ name: 'lose', sql: `DELETE FROM ${name}`, values: [] })),
        ...tables.map((table, index) => ({ table, rows: before[index] ?? [] })),
      ]);
    },
    'clock set': ({ takesMs, stopMs }) => {
      world.correct((takesMs - 15_000) * (1 + stopMs));
      return Promise.resolve();
    },
  };
  for (const read of all) {
    before = await copy();
    const desk = desks[read.desk];
    if (desk !== undefined) void send(desk, read).catch(() => undefined);
    await pass(read.afterMs);
    await happens[read.event](read);
  }
  await pass(180_000);
  for (const desk of desks) desk.close();
  return { sent, lost };
}

function mostInAnyWindow(moments: readonly number[]): number {
  const windowMs = SECONDS * 1_000;
  return Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + windowMs).length));
}

test('the exchange never sees more than the budget from all desks together, whatever they and the database suffer', async () => {
  let granted = 0;
  await assert(
    asyncProperty(
      reads,
      integer({ min: 1, max: 4 }),
      array(integer({ min: 0, max: 100 })),
      async (all, requests, parts) => {
        const { sent, lost } = await run(all, requests);
        granted += sent.length;
        const within = sent.map(({ at, respondedAt }, index) => at + ((respondedAt - at) * (parts[index] ?? 0)) / 100);
        for (const moments of [sent.map(({ at }) => at), sent.map(({ respondedAt }) => respondedAt), within])
          expect(mostInAnyWindow(moments)).toBeLessThanOrEqual(requests + lost);
      },
    ),
    // To find a shorter list of reads that fails would take minutes.
    { numRuns: 150, endOnFailure: true },
  );
  expect(granted).toBeGreaterThan(300);
});
