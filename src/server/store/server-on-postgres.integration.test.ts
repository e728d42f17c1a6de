import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { DeskStatus } from '#contract/desk/status.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { createParser } from '#contract/parse/parse.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startPostgres, type PostgresServer } from '#testing/postgres-server.ts';
import { startServer } from '#testing/start-desk.ts';
import { runProgram } from '#testing/run-program.ts';
import type { StartedProcess } from '#testing/start-process.ts';

/** Whole servers with a store in PostgreSQL, in front of the reference exchange. */

let server: PostgresServer;
let venue: StartedProcess;

beforeAll(async () => {
  [server, venue] = await Promise.all([startPostgres(), startVenue(['--orders', '100', '--working', '10'])]);
});

afterAll(async () => {
  await venue.stop();
  await server.stop();
});

const PASSWORD = 's3cret';

/** An empty database, and the servers on it, each with its own data folder. */
async function newDatabase(environment: Readonly<Record<string, string>> = {}) {
  const databaseUrl = (await server.createDatabase()).replace('perpdesk@', `perpdesk:${PASSWORD}@`);
  const open = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
    const server = await startServer(venue.address, folder, {
      DESK_BUDGET: '200/300',
      DESK_DATABASE_URL: databaseUrl,
      ...environment,
    });
    onTestFinished(async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    return { desk: server, folder };
  };
  return { open, databaseUrl };
}

async function read(server: StartedProcess, path: string) {
  const response = await fetch(server.address + path);
  return { status: response.status, cacheStatus: response.headers.get('cache-status'), text: await response.text() };
}

async function statusOf(server: StartedProcess): Promise<DeskStatus> {
  const { status, text } = await read(server, 'api/desk/status');
  expect({ status, hasPassword: text.includes(PASSWORD) }).toEqual({ status: 200, hasPassword: false });
  return createParser(DESK_ENDPOINTS.status.response).strict(text);
}

const days = (ago: number): string =>
  new Date(Date.now() - ago * 86_400_000).toISOString().replace(/T.*/, 'T00:00:00Z');

async function readPrints(server: StartedProcess): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const { perpetuals } = JSON.parse((await read(server, 'api/desk/funding')).text) as DeskFunding;
  return new Map(perpetuals.map(({ base_symbol, prints }) => [base_symbol, prints]));
}

/** The path of a range of settled rates for the exchange’s first perpetual. */
async function settledPath(server: StartedProcess): Promise<string> {
  const { perpetuals } = JSON.parse((await read(server, 'api/desk/funding')).text) as DeskFunding;
  return `api/funding-rates/?product_id=${String(perpetuals[0]?.product_id)}&begin_time=${days(60)}&end_time=${days(30)}&limit=1000`;
}

test('after a kill, nothing settled is read again, and spent permits still count', { timeout: 120_000 }, async () => {
  const { open } = await newDatabase();
  const { desk: before, folder } = await open();
  const path = await settledPath(before);
  const first = await read(before, path);
  expect(first.cacheStatus).toContain('fwd=miss');
  const prints = await readPrints(before);
  const { budget, store } = await statusOf(before);
  expect(store).toEqual({
    kind: 'PostgreSQL',
    place: expect.stringMatching(/^postgres:\/\/perpdesk@[^?]*\/postgres$/) as string,
    failed_writes: 0,
    last_failure: null,
  });
  expect(readdirSync(folder).toSorted()).toEqual(['control.sock', 'store-address']);
  await before.kill();

  const { desk: after } = await open();
  const second = await read(after, path);
  expect(second).toEqual({ ...first, cacheStatus: 'perpdesk; hit; detail=disk' });
  // A newer rate may have settled since.
  const again = [...(await readPrints(after))].map(
    ([symbol, list]) => [symbol, list.slice(-(prints.get(symbol)?.length ?? 0))] as const,
  );
  expect(new Map(again)).toEqual(prints);
  const status = await statusOf(after);
  expect(status.funding?.map(({ base_symbol }) => base_symbol).toSorted()).toEqual([...prints.keys()].toSorted());
  expect(status.budget.used).toBeGreaterThanOrEqual(budget.used);
});

test('two servers on one database share the budget', { timeout: 120_000 }, async () => {
  const { open } = await newDatabase({ DESK_BUDGET: '40/300' });
  const { desk: first } = await open();
  const { desk: second } = await open();
  const readUntilRefused = async (server: StartedProcess): Promise<number> => {
    for (let limit = 1; limit <= 60; limit++) {
      const { status, text } = await read(server, `api/orders?limit=${String(limit)}`);
      if (status === 200) continue;
      expect([status, text]).toEqual([429, expect.stringContaining('budget-spent')]);
      return limit - 1;
    }
    throw new Error('The budget is not limited.');
  };
  const byFirst = await readUntilRefused(first);
  expect(byFirst).toBeGreaterThan(5);
  // The servers’ own reads change what is left for a person.
  expect(await readUntilRefused(second)).toBeLessThanOrEqual(2);
  const [{ budget: ofFirst }, { budget: ofSecond }] = [await statusOf(first), await statusOf(second)];
  expect(ofSecond.used).toBeGreaterThanOrEqual(byFirst);
  expect(Math.max(ofFirst.used, ofSecond.used)).toBeLessThanOrEqual(40);
  for (const server of [first, second]) await expect.poll(async () => (await read(server, 'readyz')).status).toBe(200);
});

/** Collects what a stream receives, resuming after this ID. */
async function follow(server: StartedProcess, lastId?: string) {
  const stopping = new AbortController();
  onTestFinished(() => {
    stopping.abort();
  });
  const { body } = await fetch(`${server.address}api/desk/live?topic=working-orders`, {
    signal: stopping.signal,
    headers: lastId === undefined ? {} : { 'last-event-id': lastId },
  });
  let received = '';
  const readAll = async (): Promise<void> => {
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) received += text;
  };
  void readAll().catch(() => undefined);
  return () => received;
}

/** The ids by which a stream that received this can be resumed, the newest last. */
const idsOf = (received: string): readonly string[] =>
  Array.from(received.matchAll(/^id: (.+)$/gm), ([, id = '']) => id);
const checksumsOf = (received: string): readonly string[] =>
  Array.from(received.matchAll(/"checksum":"(.+?)"/g), ([, checksum = '']) => checksum);

test(
  'two desks on one database send the same readings, and a stream goes on at the other one without a snapshot',
  { timeout: 120_000 },
  async () => {
    const { open } = await newDatabase();
    const { desk: first } = await open();
    const { desk: second } = await open();
    const [one, other] = [await follow(first), await follow(second)];
    const common = (): readonly string[] => idsOf(one()).filter((id) => idsOf(other()).includes(id));
    await expect.poll(() => common().length, { timeout: 30_000 }).toBeGreaterThan(1);
    const [checksum] = checksumsOf(one());
    expect(checksumsOf(other())).toContain(checksum);
    for (const desk of [first, second]) {
      const resumed = await follow(desk, common().at(-1));
      await expect.poll(() => idsOf(resumed()).length, { timeout: 30_000 }).toBeGreaterThan(0);
      await expect.poll(resumed, { timeout: 30_000 }).toMatch(/^event: read$/m);
      expect(resumed()).not.toContain('event: snapshot');
    }
    const { live } = await statusOf(second);
    expect(live.topics).toMatchObject([{ topic: 'working-orders', requests: 1 }]);
  },
);

test('when the desk that reads ends, the other one reads, and its streams go on', { timeout: 120_000 }, async () => {
  const { open } = await newDatabase();
  const { desk: first } = await open();
  const { desk: second } = await open();
  const [one, other] = [await follow(first), await follow(second)];
  await expect.poll(() => idsOf(one()).some((id) => idsOf(other()).includes(id)), { timeout: 30_000 }).toBe(true);
  await first.stop();
  const moved = await follow(second, idsOf(one()).at(-1));
  const [readings, movedReadings] = [idsOf(other()).length, idsOf(moved()).length];
  await expect.poll(() => idsOf(other()).length, { timeout: 40_000 }).toBeGreaterThan(readings + 1);
  await expect.poll(() => idsOf(moved()).length, { timeout: 40_000 }).toBeGreaterThan(movedReadings);
  expect(other().match(/^event: snapshot$/gm)).toHaveLength(1);
  expect(moved()).not.toContain('event: snapshot');
});

test('the doctor does not take the database over from a running server', { timeout: 120_000 }, async () => {
  const { open, databaseUrl } = await newDatabase();
  const { desk: server, folder } = await open();
  const environment = { DESK_DATABASE_URL: databaseUrl, DESK_DATA_DIR: folder };
  const { code, stdout } = await runProgram('src/server/main/doctor.ts', [], environment);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Perpdesk +ok +It is running/m)]);
  expect((await read(server, 'api/orders?limit=2')).status).toBe(200);
});

test(
  'while the database is down, what memory has is served, the status says what is wrong, and all is well once it is back',
  { timeout: 120_000 },
  async () => {
    const { open } = await newDatabase();
    const { desk } = await open();
    const path = await settledPath(desk);
    await read(desk, path);
    await server.kill();
    expect((await read(desk, path)).status).toBe(200);
    const refused = await read(desk, 'api/orders?limit=3');
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringMatching(/desk-cannot-write.*cannot use its database/),
    ]);
    expect(refused.text).not.toContain(PASSWORD);
    expect((await read(desk, 'api/desk/funding')).status).toBe(503);
    expect(await statusOf(desk)).toMatchObject({
      funding: null,
      store: { last_failure: { detail: expect.stringContaining('cannot be reached') as string } },
    });
    await server.restart();
    expect((await read(desk, 'api/orders?limit=3')).status).toBe(200);
    expect((await statusOf(desk)).funding).not.toEqual([]);
  },
);

test(
  'while the database hangs, a read fails within seconds, and the server still ends',
  { timeout: 120_000 },
  async () => {
    const { open } = await newDatabase();
    const { desk } = await open();
    expect((await read(desk, 'api/orders?limit=1')).status).toBe(200);
    server.suspend();
    onTestFinished(() => {
      server.resume();
    });
    const begunAt = performance.now();
    const refused = await read(desk, 'api/orders?limit=4');
    expect([refused.status, refused.text]).toEqual([503, expect.stringMatching(/cannot use its database/)]);
    expect(performance.now() - begunAt).toBeLessThan(15_000);
    expect(await desk.stop()).toBe(0);
    expect(performance.now() - begunAt).toBeLessThan(40_000);
  },
);
