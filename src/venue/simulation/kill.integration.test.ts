import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { howMany } from '#testing/how-many.ts';
import { seesAll, sign } from '#testing/http/open-venue-api.ts';
import {
  micros,
  openRecords,
  openTestSimulation,
  type TestSimulation,
} from '#testing/simulation/open-test-simulation.ts';
import { createRandom } from '../core/random.ts';

const KILLS_PER_LANE = howMany(4, 26);
const LANES = [1, 2];
const START = '2026-08-19T17:00:00Z';
const SPEED = 4_000;
const DAY = 86_400_000_000;
const PROGRAM = join(import.meta.dirname, '..', 'main.ts');

interface Row {
  readonly id: string;
  readonly status: string;
  readonly side: string;
  readonly price: number;
  readonly product_id: number;
  readonly quantity_filled: number;
}

/** The latest published state of an order. */
interface Seen {
  readonly filled: number;
  readonly closed: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'venue-kill-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

type Moment = { readonly after: 'start' | 'published'; readonly milliseconds: number };

/** Starts the exchange, reads its orders continuously, and kills it after a while. */
async function liveAndDie(file: string, { after, milliseconds }: Moment, seen: Map<string, Seen>): Promise<void> {
  const { connectionId, token } = seesAll;
  const small = [
    '--orders',
    '200',
    '--working',
    '150',
    '--history-days',
    '3',
    '--budget',
    '0',
    '--port',
    '0',
    '--persist-lag',
    '600000',
  ];
  const args = [PROGRAM, '--store', file, '--clock', START, '--speed', String(SPEED), ...small];
  const env = { ...process.env, VENUE_CREDENTIAL: `${connectionId}:${token}` };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  // Something was published before the wait begins, however slow the machine is.
  const published = addressOf(child.stdout).then(async (address) => {
    await lookOnce(address, seen);
    void look(address, seen);
  });
  published.catch(() => undefined);
  if (after === 'published') await Promise.race([published, exit]);
  await sleep(milliseconds);
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await exit;
}

function addressOf(output: Readable): Promise<string> {
  return new Promise((resolve) => {
    createInterface(output).on('line', (line) => {
      const address = /ready at (\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

async function look(address: string, seen: Map<string, Seen>): Promise<void> {
  try {
    for (;;) await lookOnce(address, seen);
  } catch {
    // The process was killed while it responded: an incomplete response does not count.
  }
}

async function lookOnce(address: string, seen: Map<string, Seen>): Promise<void> {
  for (const path of ['/v1/prod/orders/working', '/v1/prod/orders?limit=200']) {
    for (const row of await read(address, path)) note(seen, row);
  }
}

async function read(address: string, path: string): Promise<readonly Row[]> {
  const clock = await fetch(`${address}/web/market/stats/trailing/5614`);
  const now = Date.parse(clock.headers.get('date') ?? '') * 1000;
  const reply = await fetch(address + path, { headers: sign(path, seesAll, 'GET', now) });
  expect(reply.status).toBe(200);
  const body = (await reply.json()) as readonly Row[] | { readonly data: readonly Row[] };
  return 'data' in body ? body.data : body;
}

function note(seen: Map<string, Seen>, { id, quantity_filled, status }: Row): void {
  const before = seen.get(id);
  seen.set(id, {
    filled: Math.max(before?.filled ?? 0, quantity_filled),
    closed: before?.closed === true || status === 'Closed',
  });
}

async function check(file: string, seen: ReadonlyMap<string, Seen>): Promise<void> {
  const records = await openRecords(file);
  try {
    const world = await openTestSimulation({ start: START, records, frozen: true });
    const orders = await allOrders(world);
    for (const [id, { filled, closed }] of seen) {
      const order = orders.get(id);
      expect(order?.quantity_filled ?? -1, `order ${id}`).toBeGreaterThanOrEqual(filled);
      if (closed) expect(order).toMatchObject({ status: 'Closed', quantity_filled: filled });
    }
    const resting = world.exchange.workingOrders({}).map((text) => JSON.parse(text) as Row);
    const working = [...orders.values()].filter(({ status }) => status === 'Working');
    expect(new Map(resting.map((row) => [row.id, row]))).toEqual(new Map(working.map((row) => [row.id, row])));
    expectUncrossed(resting);
    await expectWholeSessions(world);
  } finally {
    await records.store.close();
  }
}

async function allOrders({ exchange }: TestSimulation): Promise<ReadonlyMap<string, Row>> {
  const all = new Map<string, Row>();
  let after: Parameters<typeof exchange.ordersPage>[0]['after'];
  do {
    const query = { filter: {}, direction: 'asc', limit: 1000, ...(after && { after }) } as const;
    const { rows, last } = await exchange.ordersPage(query);
    for (const row of JSON.parse(`[${rows}]`) as readonly Row[]) {
      expect(all.has(row.id)).toBe(false);
      all.set(row.id, row);
    }
    after = last ?? undefined;
  } while (after);
  return all;
}

function expectUncrossed(resting: readonly Row[]): void {
  for (const own of Map.groupBy(resting, ({ product_id }) => product_id).values()) {
    const prices = (side: string): number[] => own.filter((row) => row.side === side).map(({ price }) => price);
    expect(Math.max(-Infinity, ...prices('Bid'))).toBeLessThan(Math.min(Infinity, ...prices('Ask')));
  }
}

/** Checks that no trade is lost or duplicated. */
async function expectWholeSessions({ store, exchange }: TestSimulation): Promise<void> {
  const { trades = [] } = (await store.load(0)) ?? {};
  for (const session of await exchange.sessions({ from: micros(START), until: exchange.now() + 1 })) {
    const { productId, settledAt, volume } = session;
    const own = trades.filter(
      (trade) => trade.productId === productId && trade.time < settledAt && trade.time >= settledAt - DAY,
    );
    if (settledAt > exchange.now() - 2 * DAY)
      expect(own.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(volume ?? 0);
  }
}

async function runLane(lane: number): Promise<number> {
  const random = createRandom(lane, 'kills');
  const file = join(folder, `${lane}.sqlite`);
  const seen = new Map<string, Seen>();
  for (let kill = 1; kill <= KILLS_PER_LANE; kill++) {
    // Some processes are killed while they start: while history is generated, or while the last one's store is loaded.
    const early = kill % 4 === 1;
    const moment: Moment = early
      ? { after: 'start', milliseconds: random.between(100, 1_500) }
      : { after: 'published', milliseconds: random.between(0, 500) };
    await liveAndDie(file, moment, seen);
    // Every other time, the program itself recovers the store of the killed one.
    if (kill % 2 === 0) await check(file, seen);
  }
  return seen.size;
}

describe('an exchange that is killed', () => {
  it(`comes back after each of ${KILLS_PER_LANE * LANES.length} kills with everything that it had published`, async () => {
    const published = (await Promise.all(LANES.map(runLane))).reduce((all, seen) => all + seen, 0);
    const kills = LANES.length * KILLS_PER_LANE;
    console.log(`survived ${kills} kills; ${published} orders had been published, none was lost`);
    expect(published).toBeGreaterThan(20 * kills);
  }, 600_000);
});
