import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { DeskEstimates, DeskFunding } from '#contract/desk/funding.ts';
import { createParser } from '#contract/parse/parse.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';

/** The reference exchange, a server in front of it, and the requests between them. */

const PERPETUALS = 17;

async function openVenue(...options: readonly string[]): Promise<StartedProcess> {
  const venue = await startVenue(['--orders', '100', '--working', '10', ...options]);
  onTestFinished(async () => {
    await venue.stop();
  });
  return venue;
}

async function openServer(
  venue: StartedProcess,
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedProcess> {
  const server = await startServer(venue.address, folder, environment);
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

async function read(server: StartedProcess, name: 'funding' | 'estimates' | 'status', query = ''): Promise<string> {
  const answer = await fetch(`${server.address.replace(/\/$/, '')}${DESK_ENDPOINTS[name].path}${query}`);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return text;
}

const funding = async (server: StartedProcess, query = ''): Promise<DeskFunding> =>
  createParser(DESK_ENDPOINTS.funding.response).strict(await read(server, 'funding', query));
const readsOf = async (server: StartedProcess): Promise<readonly number[]> => {
  const { funding: costs } = createParser(DESK_ENDPOINTS.status.response).strict(await read(server, 'status'));
  return costs?.map(({ reads }) => reads ?? 0) ?? [];
};
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

test(
  'two years of seventeen perpetuals cost two reads each, once, and one after a restart that compares the last days',
  { timeout: 120_000 },
  async () => {
    const venue = await openVenue('--clock', '2026-08-17T12:00:00Z', '--history-days', '730');
    const folder = openFolder();
    const server = await openServer(venue, folder, { DESK_BUDGET: '200/300' });
    const first = await funding(server);
    expect(first.perpetuals).toHaveLength(PERPETUALS);
    expect(
      first.perpetuals.every(({ reaches_launch, stale_because }) => reaches_launch && stale_because === null),
    ).toBe(true);
    // Three a day for 730 days, and the one that ended on the last morning.
    expect(Math.max(...first.perpetuals.map(({ prints }) => prints.length))).toBe(2_191);
    expect(await funding(server)).toEqual(first);
    expect(sum(await readsOf(server))).toBe(2 * PERPETUALS);
    await server.kill();

    const again = await openServer(venue, folder, { DESK_BUDGET: '200/300' });
    const { perpetuals } = await funding(again);
    expect(perpetuals.map((one) => ({ ...one, read_at: null }))).toEqual(
      first.perpetuals.map((one) => ({ ...one, read_at: null })),
    );
    await expect.poll(async () => sum(await readsOf(again)), { timeout: 30_000 }).toBe(3 * PERPETUALS);
  },
);

const SPEED = 40;

test(
  'on a fast clock the interval in progress becomes a print, read once, and settles its estimates',
  { timeout: 120_000 },
  async () => {
    // Forty seconds before the end of the interval: long enough to start, and to read the predicted rate before it.
    const venue = await openVenue(
      '--live',
      'on',
      '--clock',
      '2026-08-17T07:33:20Z',
      '--speed',
      String(SPEED),
      '--history-days',
      '3',
    );
    const server = await openServer(venue, openFolder());
    const api = `${server.address}api`;
    const before =
      (await funding(server)).perpetuals.find(({ base_symbol }) => base_symbol === 'BTCUC') ?? expect.fail('no BTCUC');
    expect(before.prints[0]?.interval_end).toBe('2026-08-17T00:00:00.000000Z');
    await fetch(`${api}/funding-rates/estimated/BTCUC`);

    let limit = 0;
    await expect
      .poll(
        async () => {
          // Any response syncs the clock, and a new request is not served from memory.
          await fetch(`${api}/orders?limit=${String((limit += 1))}`);
          return (await funding(server, '?base_symbol=BTCUC&limit=1')).perpetuals[0]?.prints[0]?.interval_end;
        },
        { timeout: 90_000, interval: 200 },
      )
      .toBe('2026-08-17T08:00:00.000000Z');
    const { estimates } = JSON.parse(await read(server, 'estimates', '?base_symbol=BTCUC')) as DeskEstimates;
    const { perpetuals } = await funding(server);
    const print = perpetuals.find(({ base_symbol }) => base_symbol === 'BTCUC')?.prints[0];
    expect(estimates).toMatchObject([{ interval_end: '2026-08-17T08:00:00.000000000Z', settled: print?.funding_rate }]);
    expect(estimates[0]?.share).toBeGreaterThan(0.94);

    const reads = await readsOf(server);
    // Two reads for the history of each, one for each new rate; a late rate may be read again.
    expect(sum(reads)).toBeLessThanOrEqual(4 * PERPETUALS);
    expect(Math.min(...reads)).toBe(3);
  },
);
