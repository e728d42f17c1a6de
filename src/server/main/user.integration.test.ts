import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { HttpPerson } from '#testing/access/http-person.ts';
import { invitationIn, type PeopleDesk, runUser, startPeopleDesk } from '#testing/access/people-desk.ts';
import { runProgram } from '#testing/run-program.ts';

let room: PeopleDesk;
let admin: HttpPerson;

beforeAll(async () => {
  room = await startPeopleDesk();
  admin = await room.accept(invitationIn(await room.user('invite', 'admin')));
}, 120_000);

afterAll(async () => {
  await room.stop();
});

async function auditDetails(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await admin.get('/api/desk/audit?limit=100')).body['entries'] as readonly Readonly<Record<string, unknown>>[];
}

describe('a command about people, while Perpdesk runs', () => {
  it('prints a link with the address of that Perpdesk, whatever the settings of the command', async () => {
    const printed = await runUser(room.folder, ['add', 'Abe'], { DESK_PORT: '9999', DESK_ACCESS: 'nonsense' });
    expect(printed).toContain(`\n${room.desk.address.replace('127.0.0.1', 'localhost')}invitation#`);
    expect(printed).not.toContain('not running');
  });

  it('is in the audit log with the user of the machine who ran it', async () => {
    await runUser(room.folder, ['add', 'Dee'], { SUDO_USER: 'ann' });
    await runUser(room.folder, ['disable', 'Dee'], { SUDO_USER: '' });
    const own = userInfo().username;
    const entries = (await auditDetails()).filter(({ detail }) => /^(Added|Disabled) "Dee"/.test(String(detail)));
    expect(entries.map(({ name }) => name)).toEqual([
      `perpdesk user, run by ${own}`,
      `perpdesk user, run by ann as ${own}`,
    ]);
  });
});

describe('a command without a Perpdesk that runs', () => {
  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-none-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    return folder;
  }

  it.each([
    ['src/server/main/user.ts', ['add', 'zoe']],
    ['src/server/main/audit.ts', ['check']],
  ])('creates no data: %s', async (program, args) => {
    const [empty, none] = [newFolder(), join(newFolder(), 'none')];
    for (const folder of [empty, none]) {
      const { code, stdout, stderr } = await runProgram(program, args, { DESK_DATA_DIR: folder });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^perpdesk: There is no Perpdesk data in \S+[^\n]*DESK_DATA_DIR[^\n]*\n$/);
    }
    expect([readdirSync(empty), existsSync(none)]).toEqual([[], false]);
  });

  it('does not write beside a store in PostgreSQL', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'store-address'), 'postgres://desk@db.example/desk\n');
    writeFileSync(join(folder, 'gateway.sqlite'), '');
    await expect(runUser(folder, ['list'])).rejects.toThrow(
      /store of \S+ is in PostgreSQL, at postgres:\/\/desk@db\.example\/desk/,
    );
  });

  it('prints a link with the address of the settings, and says so', async () => {
    expect(await room.desk.stop()).toBe(0);
    const printed = await runUser(room.folder, ['add', 'Eva'], { DESK_PORT: '9999' });
    expect(printed).toMatch(
      /\nhttp:\/\/localhost:9999\/invitation#\S+\nPerpdesk is not running[^\n]*settings[^\n]*\n$/,
    );
  });
});
