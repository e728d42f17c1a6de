import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPeopleDesk, type PeopleDesk } from '#testing/access/people-desk.ts';
import { runProgram } from '#testing/run-program.ts';

let room: PeopleDesk;

beforeAll(async () => {
  room = await startPeopleDesk();
}, 120_000);

afterAll(async () => {
  await room.stop();
});

it('each stream of orders that is opened is in the audit log, however it is requested, and none that is refused', async () => {
  const ann = await room.join('Ann', '--role', 'orders', '--all-orders');
  const cookie = [...ann.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const query of ['fresh=working-orders', 'topic=working-orders%3Faccount_id%3DNORD-105&topic=product-data']) {
    const { status, body } = await fetch(`${room.desk.address}api/desk/live?${query}`, { headers: { cookie } });
    await body?.cancel();
    expect(status).toBe(200);
  }
  const bob = await room.join('Bob', '--role', 'markets');
  expect((await bob.get('/api/desk/live?topic=working-orders')).status).toBe(403);
  expect(await room.desk.stop()).toBe(0);
  const file = join(room.folder, 'audit.jsonl');
  expect(await runProgram('src/server/main/audit.ts', ['export', file], { DESK_DATA_DIR: room.folder })).toMatchObject({
    code: 0,
  });
  const entries = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(
    entries
      .filter(({ detail }) => String(detail).includes('live'))
      .map(({ kind, name, detail, filter }) => [kind, name, detail, filter]),
  ).toEqual([
    ['orders read', 'Ann', 'Opened a live stream.', 'working-orders'],
    ['orders read', 'Ann', 'Opened a live stream.', 'working-orders?account_id=NORD-105'],
    ['request refused', 'Bob', 'GET /api/desk/live', ''],
  ]);
});
