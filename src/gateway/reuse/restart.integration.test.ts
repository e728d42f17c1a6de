import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESK_ANSWERS, type DeskStatus } from '#contract/desk.ts';
import { createParser } from '#contract/parse.ts';
import { VENUE_ARGUMENTS } from '#testing/conformance/run-on.ts';
import { startGateway } from '#testing/start-desk.ts';
import { startProcess, type StartedProcess } from '#testing/start-process.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-'));
let venue: StartedProcess;

beforeAll(async () => {
  venue = await startProcess('src/venue/main.ts', [...VENUE_ARGUMENTS, '--store', ':memory:']);
}, 60_000);

afterAll(async () => {
  await venue.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const open = (): Promise<StartedProcess> => startGateway(venue.address, dataDir, { DESK_BUDGET: '200/300' });

const days = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().replace(/T.*/, 'T00:00:00Z');
const SETTLED = `api/funding-rates/?product_id=5599&begin_time=${days(60)}&end_time=${days(30)}&limit=1000`;

async function read(gateway: StartedProcess, path: string) {
  const answer = await fetch(gateway.address + path);
  expect(answer.status).toBe(200);
  return { how: answer.headers.get('cache-status'), text: await answer.text() };
}

async function statusOf(gateway: StartedProcess): Promise<DeskStatus> {
  return createParser(DESK_ANSWERS.status.response).strict((await read(gateway, 'api/desk/status')).text);
}

test('after a kill, what is settled is not read again, and what was spent is not forgotten', { timeout: 60_000 }, async () => {
  const before = await open();
  const first = await read(before, SETTLED);
  expect(first.how).toContain('fwd=miss');
  for (let limit = 1; limit <= 20; limit++) await read(before, `api/orders?limit=${String(limit)}`);
  const { used } = (await statusOf(before)).budget;
  expect(used).toBeGreaterThanOrEqual(21);
  await before.kill();

  const after = await open();
  const second = await read(after, SETTLED);
  expect(second.how).toBe('perpdesk; hit; detail=kept');
  expect(second.text).toBe(first.text);
  expect((await statusOf(after)).budget.used).toBeGreaterThanOrEqual(used);
  await after.stop();
});

test('two desks cannot spend one budget: the second is told that the folder is taken', { timeout: 60_000 }, async () => {
  const first = await open();
  await expect(open()).rejects.toThrow(/DESK_DATA_DIR/);
  await first.stop();
});
