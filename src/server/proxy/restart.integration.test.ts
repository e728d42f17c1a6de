import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { DeskStatus } from '#contract/desk/status.ts';
import { createParser } from '#contract/parse/parse.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-'));
let venue: StartedProcess;

beforeAll(async () => {
  venue = await startVenue();
}, 60_000);

afterAll(async () => {
  await venue.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const open = (): Promise<StartedProcess> => startServer(venue.address, dataDir, { DESK_BUDGET: '200/300' });

const days = (ago: number): string =>
  new Date(Date.now() - ago * 86_400_000).toISOString().replace(/T.*/, 'T00:00:00Z');
const SETTLED = `api/funding-rates/?product_id=5599&begin_time=${days(60)}&end_time=${days(30)}&limit=1000`;

async function read(server: StartedProcess, path: string) {
  const response = await fetch(server.address + path);
  expect(response.status).toBe(200);
  return { cacheStatus: response.headers.get('cache-status'), text: await response.text() };
}

async function statusOf(server: StartedProcess): Promise<DeskStatus> {
  return createParser(DESK_ENDPOINTS.status.response).strict((await read(server, 'api/desk/status')).text);
}

test(
  'after a kill, settled responses are not read again, and spent permits still count',
  { timeout: 60_000 },
  async () => {
    const before = await open();
    const first = await read(before, SETTLED);
    expect(first.cacheStatus).toContain('fwd=miss');
    for (let limit = 1; limit <= 20; limit++) await read(before, `api/orders?limit=${String(limit)}`);
    const { used } = (await statusOf(before)).budget;
    expect(used).toBeGreaterThanOrEqual(21);
    await before.kill();

    const after = await open();
    const second = await read(after, SETTLED);
    expect(second.cacheStatus).toBe('perpdesk; hit; detail=disk');
    expect(second.text).toBe(first.text);
    expect((await statusOf(after)).budget.used).toBeGreaterThanOrEqual(used);
    await after.stop();
  },
);

test(
  'a second server on the same data folder does not start, so the budget is not spent twice',
  { timeout: 60_000 },
  async () => {
    const first = await open();
    await expect(open()).rejects.toThrow(/DESK_DATA_DIR/);
    await first.stop();
  },
);
