import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createHttpPerson, PASSWORD } from '#testing/access/http-person.ts';
import { invitationIn, runUser } from '#testing/access/people-desk.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { createDatabase } from '#testing/shared-postgres.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';

let venue: StartedProcess;

beforeAll(async () => {
  venue = await startVenue(['--live', 'off', '--orders', '50', '--working', '10']);
});

afterAll(() => venue.stop());

async function startPeopleDesk(
  databaseUrl: string,
): Promise<{ readonly desk: StartedProcess; readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-two-'));
  const desk = await startServer(venue.address, folder, { DESK_DATABASE_URL: databaseUrl, DESK_ACCESS: 'users' });
  onTestFinished(async () => {
    await desk.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { desk, folder };
}

it(
  'whoever signed in at one desk is known at another on the same database, and signed out at both',
  { timeout: 240_000 },
  async () => {
    const databaseUrl = await createDatabase();
    const one = await startPeopleDesk(databaseUrl);
    const invitation = invitationIn(
      await runUser(one.folder, ['add', 'Uma', '--role', 'markets'], { DESK_DATABASE_URL: databaseUrl }),
    );
    const atOne = createHttpPerson(one.desk.address);
    expect((await atOne.act('acceptInvitation', { invitation, password: PASSWORD })).status).toBe(200);
    const two = await startPeopleDesk(databaseUrl);
    const headers = { cookie: `__Host-perpdesk=${atOne.cookies().get('__Host-perpdesk') ?? ''}` };
    const atTwo = createHttpPerson(two.desk.address);
    expect((await atTwo.get('/api/desk/policy', { headers })).status).toBe(200);
    // Only the later server can write. A command without a running server would take the database over.
    await runUser(two.folder, ['end-sessions', 'Uma'], { DESK_DATABASE_URL: databaseUrl });
    expect((await atTwo.get('/api/desk/policy', { headers })).status).toBe(401);
    await expect.poll(async () => (await atOne.get('/api/desk/policy')).status, { timeout: 10_000 }).toBe(401);
    expect((await atOne.act('signIn', { name: 'Uma', password: PASSWORD })).status).toBe(503);
    expect((await atTwo.act('signIn', { name: 'Uma', password: PASSWORD })).status).toBe(200);
    const unused = mkdtempSync(join(tmpdir(), 'perpdesk-none-'));
    onTestFinished(() => {
      rmSync(unused, { recursive: true });
    });
    await expect(runUser(unused, ['list'], { DESK_DATABASE_URL: databaseUrl })).rejects.toThrow(
      'Perpdesk is not running on this data folder.',
    );
  },
);
