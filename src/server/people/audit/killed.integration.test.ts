import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpPerson, PASSWORD, type HttpPerson } from '#testing/access/http-person.ts';
import { invitationIn, runUser } from '#testing/access/people-desk.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { runProgram } from '#testing/run-program.ts';
import { startServer } from '#testing/start-desk.ts';

type Entry = Readonly<Record<'kind' | 'name' | 'detail' | 'filter' | 'at', string>> & { readonly rows: number | null };

const folder = mkdtempSync(join(tmpdir(), 'perpdesk-killed-'));
let venue: Awaited<ReturnType<typeof startVenue>>;
let exports = 0;

beforeAll(async () => {
  venue = await startVenue(['--live', 'off', '--orders', '200', '--working', '40']);
}, 120_000);

afterAll(async () => {
  await venue.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = () => startServer(venue.address, folder, { DESK_ACCESS: 'users' });
const check = async () => (await runProgram('src/server/main/audit.ts', ['check'], { DESK_DATA_DIR: folder })).stdout;

async function entries(kind: string): Promise<readonly Entry[]> {
  const file = join(folder, `audit-${String((exports += 1))}.jsonl`);
  expect(await runProgram('src/server/main/audit.ts', ['export', file], { DESK_DATA_DIR: folder })).toMatchObject({
    code: 0,
  });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => JSON.parse(line) as Entry).filter((entry) => entry.kind === kind);
}

async function signUp(address: string, name: string): Promise<HttpPerson> {
  const person = createHttpPerson(address);
  await person.act('acceptInvitation', {
    invitation: invitationIn(await runUser(folder, ['add', name, '--role', 'orders', '--all-orders'])),
    password: PASSWORD,
  });
  return person;
}

const summary = (found: readonly Entry[]) =>
  found.map(({ name, detail, filter, rows }) => [name, detail, filter, rows]);

it(
  'what was read shortly before the process was killed is in the log, and so is that the rest of its last minute may be missing',
  { timeout: 240_000 },
  async () => {
    const first = await start();
    const kim = await signUp(first.address, 'Kim');
    const read = await kim.get('/api/orders?account_id=NORD-105&limit=500');
    const rows = (read.body['data'] as readonly unknown[]).length;
    expect(rows).toBeGreaterThan(0);
    expect((await kim.get('/api/desk/working?account_id=LOSTREAD-1')).status).toBe(200);
    const reads = [
      ['Kim', 'orders', 'account_id=NORD-105', rows],
      ['Kim', '/api/desk/working', 'account_id=LOSTREAD-1', 0],
    ];
    // Long before the end of the minute in which equal reads are gathered.
    await expect.poll(async () => summary(await entries('orders read')), { timeout: 20_000 }).toEqual(reads);
    await kim.get('/api/orders?account_id=NORD-105&limit=500');
    await first.kill();

    const second = await start();
    expect(summary(await entries('orders read'))).toEqual(reads);
    await expect.poll(async () => (await entries('unclean stop')).length).toBe(1);
    const [unclean] = await entries('unclean stop');
    expect(unclean?.detail).toMatch(
      /^Started, version \d\S+; the previous run did not end cleanly: up to a minute of repeated reads may be missing\.$/,
    );
    const at = `${String(unclean?.at.slice(0, 10))} ${String(unclean?.at.slice(11, 16))} UTC`;
    const stops = `Before the start at ${at}, Perpdesk did not end cleanly: up to a minute of repeated reads may not have been recorded.`;
    expect(await check()).toMatch(
      new RegExp(
        `^The audit log is intact: \\d+ entries, none changed or missing\\. ${stops.replaceAll('.', '\\.')}\n$`,
      ),
    );

    const lou = await signUp(second.address, 'Lou');
    for (let times = 0; times < 3; times += 1) await lou.get('/api/orders?account_id=NORD-105&limit=500');
    expect(await second.stop()).toBe(0);
    const ofLou = summary(await entries('orders read')).filter(([name]) => name === 'Lou');
    // A minute may end in between.
    expect(ofLou.reduce((sum, [, , , each]) => sum + Number(each), 0)).toBe(3 * rows);
    expect(ofLou[0]).toEqual(['Lou', 'orders', 'account_id=NORD-105', rows]);

    const third = await start();
    await expect
      .poll(async () => (await entries('started')).map(({ detail }) => detail))
      .toEqual([expect.stringMatching(/^Started, version \S+\.$/), expect.stringMatching(/^Started, version \S+\.$/)]);
    expect(await entries('unclean stop')).toHaveLength(1);
    await third.stop();
  },
);
