import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPeopleDesk, type PeopleDesk } from '#testing/access/people-desk.ts';
import { readParquet } from '#testing/read-parquet.ts';
import { runProgram, type EndedProgram } from '#testing/run-program.ts';

let room: PeopleDesk;

beforeAll(async () => {
  room = await startPeopleDesk({}, ['--live', 'off', '--orders', '500', '--working', '400']);
}, 60_000);

afterAll(async () => {
  await room.stop();
});

function run(file: string, ...options: readonly string[]): Promise<EndedProgram> {
  return runProgram('src/server/main/export-journal.ts', [file, ...options], { DESK_DATA_DIR: room.folder });
}

test(
  'where people sign in, the journal is exported with an API token, as far as its scope allows',
  { timeout: 60_000 },
  async () => {
    const bea = await room.join('Bea', '--role', 'orders', '--account', 'NORD-105');
    const working = (await bea.get('/api/desk/working')).body['orders'] as readonly { readonly id: string }[];
    expect(working.length).toBeGreaterThan(0);
    const scope = { all: false, accounts: ['NORD-105'], firms: [], connections: [] };
    const { body } = await bea.act('createToken', {
      name: 'Export',
      roles: ['orders'],
      scope,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const [token, file] = ['token', 'journal.parquet'].map((name) => join(room.folder, name)) as [string, string];
    writeFileSync(token, `${String(body['token'])}\n`, { mode: 0o600 });

    const refused = await run(file);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^perpdesk: .*sign in/i)]);
    const exported = await run(file, '--token-file', token);
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    const rows = await readParquet(file);
    expect(rows.map(({ order_id: id }) => id).toSorted()).toEqual(working.map(({ id }) => id).toSorted());

    const nowhere = await runProgram('src/server/main/export-journal.ts', [`${file}.2`], { DESK_DATA_DIR: '/none' });
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringMatching(/^perpdesk: Perpdesk is not running on \/none.*DESK_DATA_DIR.*--desk.*\n$/),
    ]);

    chmodSync(token, 0o644);
    const open = await run(join(room.folder, 'other.parquet'), '--token-file', token);
    expect([open.code, open.stderr]).toEqual([
      1,
      `perpdesk: --token-file is "${token}", which other users may access (mode 644): run chmod 600 on it.\n`,
    ]);
  },
);
