import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { DeskStatus } from '#contract/desk/status.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { createParser } from '#contract/parse/parse.ts';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createDeskServer, type DeskServer } from '#server/main/create-server.ts';
import { createFront } from '#server/web/arrival.ts';
import { createHttpServer } from '#server/web/server.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import { openFaultyVenue, type FaultyVenue } from '../faults/faulty-venue.ts';
import { sendRequest } from '../http-client.ts';
import { recorded, restoreDataFolder } from './data-folder.ts';

const folder = restoreDataFolder();
/** The clocks continue two seconds after the time when the previous version stopped. */
const now = (): number => Date.parse(recorded.stoppedAt) + 2_000;
const elapsed = (): number => recorded.uptimeMs + 2_000;

let venue: FaultyVenue;
let desk: DeskServer;
let server: ReturnType<typeof createHttpServer>;
let address: string;

beforeAll(async () => {
  const { sandbox } = VENUES;
  if (sandbox === undefined) throw new Error('The sandbox has no profile.');
  venue = await openFaultyVenue({ now });
  const credential = { connectionId: recorded.connectionId, token: 'ab'.repeat(32) };
  desk = await createDeskServer(
    {
      profile: { ...sandbox, baseUrl: venue.baseUrl },
      credential,
      venueId: recorded.venueId,
      budget: { requests: 200, seconds: 300 },
      dataDir: folder.path,
      databaseUrl: null,
    },
    { ...createRealPorts('error'), now, elapsed },
  );
  server = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    report: () => undefined,
    handle: createFront(desk.handle),
  });
  address = await server.listen();
});

afterAll(async () => {
  await server.close();
  await desk.close();
  await venue.close();
  folder.remove();
});

async function read(target: string) {
  const { status, headers, body } = await sendRequest(address, { path: `/api${target}` });
  expect(status).toBe(200);
  return { cacheStatus: headers['cache-status'], body: body.toString() };
}

async function readStatus(): Promise<DeskStatus> {
  return createParser(DESK_ENDPOINTS.status.response).strict((await read('/desk/status')).body);
}

/**
 * The previous version did not count the rows that it left out, nor rank the latest rate, although its own rates
 * suffice for that. It took the first rate for the launch, which nothing has confirmed yet.
 */
function toPresentForm(body: string): unknown {
  const { perpetuals, ...rest } = JSON.parse(body) as DeskFunding;
  return {
    ...rest,
    perpetuals: perpetuals.map((perpetual) => ({
      ...perpetual,
      left_out: 0,
      reaches_launch: false,
      revised: [],
      year_rank: expect.objectContaining({
        intervals: perpetual.prints.length,
        interval_end: expect.any(String) as string,
      }) as unknown,
    })),
  };
}

test('permits that the version before spent still count, its clicks as interactive', async () => {
  const { click, ...others } = recorded.used.by_purpose;
  expect(click).toBeGreaterThan(0);
  expect((await readStatus()).budget).toMatchObject({
    used: recorded.used.used,
    by_purpose: { interactive: click, ...others },
  });
});

test('a settled response is a disk hit, byte for byte', async () => {
  const { cacheStatus, body } = await read(recorded.settled.target);
  expect(cacheStatus).toBe('perpdesk; hit; detail=disk');
  expect(body).toBe(recorded.settled.body);
  expect(venue.requests).toEqual([]);
});

test('settled rates are as they were, and with them how often they were read', async () => {
  expect(JSON.parse((await read(recorded.funding.target)).body)).toEqual(toPresentForm(recorded.funding.body));
  const { funding } = await readStatus();
  expect(funding?.map(({ base_symbol: symbol, prints, reads }) => [symbol, prints, reads])).toEqual(
    recorded.fundingReads,
  );
});

test('estimates are as they were, with the rates that settled', async () => {
  const { body } = await read(recorded.estimates.target);
  expect(JSON.parse(body)).toEqual(JSON.parse(recorded.estimates.body));
  expect(body).toContain('"settled":0.0001');
});

test('of all this the exchange is asked for its products only, which the disk does not hold', () => {
  expect([...new Set(venue.requests.map(({ target }) => target))]).toEqual(['/exchange/api/v1/prod/product/specs/']);
});
