import { compareOrderIds } from '#contract/exchange/ids.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type {
  DeskJournal,
  DeskJournalActivity,
  DeskJournalBook,
  DeskJournalChanges,
  DeskJournalPrices,
} from '#contract/desk/journal.ts';
import { createParser } from '#contract/parse/parse.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { createDatabase } from '#testing/shared-postgres.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';

const SECONDS = 5;

let venue: StartedProcess;

beforeAll(async () => {
  venue = await startVenue(['--live', 'on', '--speed', '100']);
});

afterAll(() => venue.stop());

async function startDesk(databaseUrl: string): Promise<StartedProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-two-'));
  const environment = { DESK_DATABASE_URL: databaseUrl, DESK_JOURNAL_SECONDS: String(SECONDS) };
  const desk = await startServer(venue.address, folder, environment);
  onTestFinished(async () => {
    await desk.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return desk;
}

type JournalName = 'journal' | 'journalChanges' | 'journalBook' | 'journalActivity' | 'journalPrices';

async function read<Value>({ address }: StartedProcess, name: JournalName, query = ''): Promise<Value> {
  const { path, response: schema, rows } = DESK_ENDPOINTS[name];
  const response = await fetch(`${address}${path.slice(1)}${query}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return createParser(schema, rows).strict(text) as Value;
}

const readTo = async (desk: StartedProcess): Promise<number> =>
  Date.parse((await read<DeskJournal>(desk, 'journal')).read_to ?? '');

/** Waits for a reading after an instant, and returns its time. */
async function nextReading(desk: StartedProcess, after: number): Promise<number> {
  await expect.poll(() => readTo(desk), { timeout: 60_000, interval: 200 }).toBeGreaterThan(after);
  return readTo(desk);
}

/** Reads what a desk knows of the time before an instant. */
async function readPast(desk: StartedProcess, instant: number) {
  const at = new Date(instant).toISOString();
  const changes = await read<DeskJournalChanges>(desk, 'journalChanges', `?order=asc&limit=1000&end_time=${at}`);
  const { orders, ...book } = await read<DeskJournalBook>(desk, 'journalBook', `?at=${at}`);
  // Whole minutes are counted, so these also have what is newer.
  const { total, groups } = await read<DeskJournalActivity>(desk, 'journalActivity', `?end_time=${at}&by=account_id`);
  const prices = await read<DeskJournalPrices>(desk, 'journalPrices', `?at=${at}`);
  return { changes, book, prices, orders: orders.toSorted((a, b) => compareOrderIds(a.id, b.id)), total, groups };
}

it(
  'two desks on one database record one journal, which both show, and which goes on when the recording one is killed',
  { timeout: 240_000 },
  async () => {
    const databaseUrl = await createDatabase();
    const leader = await startDesk(databaseUrl);
    const follower = await startDesk(databaseUrl);
    const first = await nextReading(leader, 0);
    let second = await nextReading(follower, first);
    let before = await readPast(leader, second);
    // A quiet stretch of the market has no changes, and prices are read at times of their own.
    while (before.changes.changes.length === 0 || before.prices.prices.length === 0) {
      second = await nextReading(follower, second);
      before = await readPast(leader, second);
    }
    expect(await readPast(follower, second)).toEqual(before);

    await leader.kill();
    const killedAt = Date.now();
    const stored = await readTo(follower);
    const next = await nextReading(follower, stored);
    // The lease expires within 15 s, and is looked at every 4 s.
    expect(Date.now() - killedAt).toBeLessThan(1_000 * (15 + 4 + SECONDS + 5));
    const { changes: stillKnown, orders, prices } = await readPast(follower, second);
    expect([stillKnown, orders, prices]).toEqual([before.changes, before.orders, before.prices]);

    const third = await startDesk(databaseUrl);
    const last = await nextReading(third, next);
    expect(await readPast(third, last)).toEqual(await readPast(follower, last));
    const { changes } = (await readPast(third, last)).changes;
    expect(changes.map(({ kind }) => kind)).toContain('passed');
    expect(changes.map(({ read_by: at }) => at)).toEqual(changes.map(({ read_by: at }) => at).toSorted());
    const keys = changes.map(({ kind, order_id: id, read_by: at }) => `${kind} ${id} ${at}`);
    expect(keys).toHaveLength(new Set(keys).size);
  },
);
