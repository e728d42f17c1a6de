import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DESK_ENDPOINTS, type DeskStatus } from '#contract/desk/desk.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { createParser } from '#contract/parse/parse.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startPostgres, type PostgresServer } from '#testing/postgres-server.ts';
import { startServer } from '#testing/start-desk.ts';
import { startProcess, type StartedProcess } from '#testing/start-process.ts';

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
async function newDatabase() {
  const databaseUrl = (await server.createDatabase()).replace('perpdesk@', `perpdesk:${PASSWORD}@`);
  const open = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
    const server = await startServer(venue.address, folder, {
      DESK_BUDGET: '200/300',
      DESK_DATABASE_URL: databaseUrl,
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
  expect(readdirSync(folder).toSorted()).toEqual(['control.sock', 'link-key']);
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

test(
  'a second server on the same database takes it over; the first one sends no more requests, and says why',
  { timeout: 120_000 },
  async () => {
    const { open } = await newDatabase();
    const { desk: first } = await open();
    expect((await read(first, 'api/orders?limit=1')).status).toBe(200);
    const { desk: second } = await open();
    const sentence = 'Another process has opened this store; this one can no longer write to it.';
    const refused = await read(first, 'api/orders?limit=2');
    expect([refused.status, (JSON.parse(refused.text) as { detail: string }).detail]).toEqual([503, sentence]);
    expect(await read(first, 'readyz')).toMatchObject({ status: 503, text: `not ready: ${sentence}\n` });
    expect((await statusOf(first)).store.last_failure).toMatchObject({ type: 'desk-cannot-write', detail: sentence });
    expect((await read(second, 'api/orders?limit=2')).status).toBe(200);
    await expect.poll(async () => (await read(second, 'readyz')).status).toBe(200);
  },
);

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

const lastIdOf = (received: string): string | undefined => /^id: (.+)$/m.exec(received)?.[1];

test(
  'streams of the server that was taken over say why they stop, and go on at the other one, which alone reads',
  { timeout: 120_000 },
  async () => {
    const { open } = await newDatabase();
    const { desk: first } = await open();
    const before = await follow(first);
    await expect.poll(() => lastIdOf(before())).toBeDefined();
    const { desk: second } = await open();
    await expect
      .poll(before, { timeout: 30_000 })
      .toMatch(/^event: failed\ndata: .*desk-cannot-write.*Another process has opened this store/m);
    const usedByFirst = (await statusOf(first)).budget.used;
    const after = await follow(second, lastIdOf(before()));
    await expect.poll(after, { timeout: 30_000 }).toMatch(/^event: snapshot\n(?:.*\n)*event: read$/m);
    expect(after().indexOf('event: snapshot')).toBeLessThan(after().indexOf('event: read'));
    expect((await statusOf(first)).budget.used).toBeLessThanOrEqual(usedByFirst);
    expect((await statusOf(second)).budget.used).toBeGreaterThanOrEqual(usedByFirst);
  },
);

test('the doctor does not take the database over from a running server', { timeout: 120_000 }, async () => {
  const { open, databaseUrl } = await newDatabase();
  const { desk: server } = await open();
  const environment = { DESK_VENUE_URL: venue.address, DESK_DATABASE_URL: databaseUrl };
  await expect(startProcess('src/server/main/doctor.ts', [], environment)).rejects.toThrow(
    'DESK_DATABASE_URL is set: the doctor would take its database over from a Perpdesk that is running.',
  );
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
      expect.stringMatching(/desk-cannot-write.*(cannot be reached|closed the connection)/),
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
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringMatching(/does not respond|closed the connection/),
    ]);
    expect(performance.now() - begunAt).toBeLessThan(15_000);
    expect(await desk.stop()).toBe(0);
    expect(performance.now() - begunAt).toBeLessThan(40_000);
  },
);
