import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESK_ENDPOINTS, type DeskWorking } from '#contract/desk/desk.ts';
import type {
  DeskJournal,
  DeskJournalActivity,
  DeskJournalBook,
  DeskJournalChanges,
  DeskJournalOrder,
  OrderChange,
} from '#contract/desk/journal.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import { createParser } from '#contract/parse/parse.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
let venue: StartedProcess;
let server: StartedProcess;

beforeAll(async () => {
  venue = await startVenue(['--live', 'on', '--speed', '100']);
  server = await startServer(venue.address, folder);
}, 60_000);

afterAll(async () => {
  await server.stop();
  await venue.stop();
  rmSync(folder, { recursive: true, force: true });
});

type JournalName = 'working' | 'journal' | 'journalChanges' | 'journalOrder' | 'journalBook' | 'journalActivity';

async function request(name: JournalName, query = ''): Promise<Response> {
  return fetch(`${server.address}${DESK_ENDPOINTS[name].path.slice(1)}${query}`);
}

async function read<Value>(name: JournalName, query = ''): Promise<Value> {
  const response = await request(name, query);
  const { response: schema, rows } = DESK_ENDPOINTS[name];
  const text = await response.text();
  expect(response.status, text).toBe(200);
  expect(response.headers.get('cache-control')).toContain('no-store');
  return createParser(schema, rows).strict(text) as Value;
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

async function readChanges(query: string): Promise<readonly OrderChange[]> {
  const found: OrderChange[] = [];
  for (let cursor = ''; ;) {
    const page = await read<DeskJournalChanges>('journalChanges', `?${query}${cursor && `&cursor=${cursor}`}`);
    found.push(...page.changes);
    const { cursor: next } = page.pagination;
    if (next === undefined || next === null) return found;
    cursor = next;
  }
}

/** Reads the working set repeatedly, as a screen does, until orders have changed. */
async function readUntilChanged(): Promise<readonly DeskWorking[]> {
  const sets = [await read<DeskWorking>('working')];
  while (!(await readChanges('kind=changed&kind=gone')).length) {
    await wait(1_000);
    sets.push(await read<DeskWorking>('working'));
  }
  return sets;
}

test(
  'the journal has each working set that was read, the life of its orders and their changes, also after a restart',
  { timeout: 120_000 },
  async () => {
    expect(await read<DeskJournal>('journal')).toMatchObject({ kept_from: null, read_to: null, changes: 0, gaps: [] });
    expect((await request('journalBook', '?at=2026-01-01T00:00:00Z')).status).toBe(404);
    const sets = await readUntilChanged();
    const expectAll = async (): Promise<void> => {
      for (const { orders, read_to: at } of sets) {
        const book = await read<DeskJournalBook>('journalBook', `?at=${String(at)}`);
        expect(book).toMatchObject({ complete: true, in_gap: false, read_to: at });
        expect(book.orders.toSorted(byId)).toEqual(orders.toSorted(byId));
      }
      const all = await readChanges('order=asc&limit=1000');
      expect(all.filter(({ kind }) => kind === 'seen').length).toBeGreaterThanOrEqual(sets[0]?.orders.length ?? NaN);
      const [changed] = await readChanges('kind=changed&kind=gone&limit=1');
      const life = await read<DeskJournalOrder>('journalOrder', `?order_id=${String(changed?.order_id)}`);
      expect(life.changes).toEqual(all.filter(({ order_id: id }) => id === changed?.order_id));
      expect(await readChanges(`order=desc&order_id=${String(changed?.order_id)}`)).toEqual(life.changes.toReversed());
    };
    await expectAll();
    await server.stop();
    server = await startServer(venue.address, folder);
    await expectAll();
  },
);

test('changes are filtered as orders are', { timeout: 60_000 }, async () => {
  await read<DeskWorking>('working');
  const all = await readChanges('limit=1000');
  const [first] = all;
  if (first === undefined) throw new Error('no change');
  const { account_id: account, symbol, connection_id: connection } = first.order;
  const matching = all.filter(({ order }) => order.account_id === account && order.symbol === symbol);
  expect(await readChanges(`account_id=${encodeURIComponent(account)}&symbol=${encodeURIComponent(symbol)}`)).toEqual(
    matching,
  );
  const ofConnection = await readChanges(`connection_id=${connection.toUpperCase()}&limit=1000`);
  expect(ofConnection).toEqual(all.filter(({ order }) => order.connection_id === connection));
  const { read_by: time } = first;
  expect(await readChanges(`begin_time=${time}&limit=1000`)).toEqual(
    all.filter(({ read_by: by }) => compareInstants(by, time) >= 0),
  );
  expect(await readChanges(`end_time=${time}&limit=1000`)).toEqual(
    all.filter(({ read_by: by }) => compareInstants(by, time) < 0),
  );
});

test('activity counts the changes by what they are grouped and filtered by', { timeout: 60_000 }, async () => {
  await read<DeskWorking>('working');
  const { to } = await read<DeskJournalActivity>('journalActivity');
  const activity = await read<DeskJournalActivity>(
    'journalActivity',
    `?by=account_id&by=product_id&end_time=${String(to)}`,
  );
  const all = await readChanges(
    `limit=1000&end_time=${new Date(Math.ceil(Date.parse(String(to)) / 60_000) * 60_000).toISOString()}`,
  );
  const isOf = (kind: string) => (change: OrderChange) => change.kind === kind;
  expect(activity.total).toMatchObject({
    changed: all.filter(isOf('changed')).length,
    gone: all.filter(isOf('gone')).length + all.filter(isOf('passed')).length,
    passed: all.filter(isOf('passed')).length,
  });
  expect(activity.total.found + activity.total.placed - activity.total.passed).toBe(all.filter(isOf('seen')).length);
  expect(activity.readings).toBeGreaterThan(0);
  expect(activity.buckets.reduce((sum, { found, seen }) => sum + found + seen, 0)).toBe(
    all.filter(isOf('seen')).length,
  );
  for (const { account_id: account, product_id: product, changed, symbol } of activity.groups) {
    const own = all.filter(({ order }) => order.account_id === account && order.product_id === product);
    expect({ changed, symbol }).toEqual({ changed: own.filter(isOf('changed')).length, symbol: null });
  }
  const [group] = activity.groups;
  const filtered = await read<DeskJournalActivity>(
    'journalActivity',
    `?account_id=${encodeURIComponent(String(group?.account_id))}&product_id=${String(group?.product_id)}&end_time=${String(to)}`,
  );
  expect(filtered.total).toMatchObject({
    found: group?.found,
    changed: group?.changed,
    median_life_seconds: group?.median_life_seconds,
  });
  const later = await read<DeskJournalActivity>('journalActivity', '?begin_time=2100-01-01T00:00:00Z');
  expect(later).toMatchObject({ from: null, readings: 0, groups: [], buckets: [] });
});

test.each([
  ['journalActivity', '?by=price', 'by'],
  ['journalActivity', '?bucket_seconds=90', 'bucket_seconds'],
  ['journalActivity', '?kind=gone', 'kind'],
  ['journalActivity', '?order_id=7', 'order_id'],
  ['journalBook', '', 'at'],
  ['journalOrder', '', 'order_id'],
  ['journalOrder', '?order_id=x', 'order_id'],
  ['journalChanges', '?kind=cancelled', 'kind'],
  ['journalChanges', '?limit=10001', 'limit'],
  ['journalChanges', '?cursor=bm9uZQ', 'cursor'],
] as const)('%s%s is refused for its %s', async (name, query, parameter) => {
  const response = await request(name, query);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ type: 'urn:perpdesk:problem:bad-parameter', parameter });
});
