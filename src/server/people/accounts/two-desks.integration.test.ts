import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createHttpPerson, type HttpPerson, PASSWORD } from '#testing/access/http-person.ts';
import { invitationIn, runUser } from '#testing/access/people-desk.ts';
import { createSoftwarePasskey } from '#testing/access/software-passkey.ts';
import { runProgram } from '#testing/run-program.ts';
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

/** Opens a live stream. It ends when the viewer does. */
async function follow(
  { address }: StartedProcess,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly hasEnded: () => boolean }> {
  const { body, status } = await fetch(`${address}api/desk/live?topic=product-data`, { headers });
  expect(status).toBe(200);
  let hasEnded = false;
  const readAll = async (): Promise<void> => {
    for await (const _ of body ?? []) continue;
  };
  void readAll()
    .catch(() => undefined)
    .then(() => (hasEnded = true));
  return { hasEnded: () => hasEnded };
}

const cookieOf = (person: HttpPerson): Readonly<Record<string, string>> => ({
  cookie: `__Host-perpdesk=${person.cookies().get('__Host-perpdesk') ?? ''}`,
});

async function openTwo() {
  const databaseUrl = await createDatabase();
  const one = await startPeopleDesk(databaseUrl);
  const two = await startPeopleDesk(databaseUrl);
  const commandAt =
    ({ folder }: typeof one) =>
    (...args: readonly string[]) =>
      runUser(folder, args, { DESK_DATABASE_URL: databaseUrl });
  const [atOne, atTwo] = [commandAt(one), commandAt(two)];
  /** Adds a person by the command at one desk, and signs them in at the other. */
  const add = async (name: string): Promise<HttpPerson> => {
    const person = createHttpPerson(two.desk.address);
    const invitation = invitationIn(await atOne('add', name, '--role', 'markets'));
    await expect
      .poll(async () => (await person.act('acceptInvitation', { invitation, password: PASSWORD })).status)
      .toBe(200);
    return person;
  };
  return { databaseUrl, one, two, atOne, atTwo, add };
}

const SOON = { timeout: 10_000, interval: 100 };

it(
  'whoever signed in at one desk is known at another on the same database, and what ends at one ends at both',
  { timeout: 240_000 },
  async () => {
    const { databaseUrl, one, two, atOne, atTwo, add } = await openTwo();
    // For commands that run without the settings of Perpdesk.
    expect(readFileSync(join(one.folder, 'store-address'), 'utf8')).toMatch(/^postgres:\/\/[^:@\s]+@\S+\n$/);
    const uma = await add('Uma');
    const policyOf = async (address: string, headers = cookieOf(uma)): Promise<number> =>
      (await createHttpPerson(address).get('/api/desk/policy', { headers })).status;
    const expectEnd = async (change: () => Promise<unknown>, headers = cookieOf(uma), status = 401): Promise<void> => {
      for (const { desk } of [one, two]) await expect.poll(() => policyOf(desk.address, headers), SOON).toBe(200);
      const streams = [await follow(one.desk, headers), await follow(two.desk, headers)];
      await change();
      await expect.poll(() => streams.map(({ hasEnded }) => hasEnded()), SOON).toEqual([true, true]);
      for (const { desk } of [one, two]) expect(await policyOf(desk.address, headers)).toBe(status);
    };
    const { body } = await uma.act('createToken', {
      name: 'a program',
      roles: ['markets'],
      scope: { all: false, accounts: [], firms: [], connections: [] },
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const token = { authorization: `Bearer ${String(body['token'])}` };
    await expectEnd(() => atOne('revoke', 'Uma', '--all-tokens'), token);
    // A change of roles ends streams, but not the sign-in session.
    await expectEnd(() => atTwo('set', 'Uma', '--role', 'orders'), cookieOf(uma), 200);
    await expectEnd(() => atTwo('end-sessions', 'Uma'));
    expect((await uma.act('signIn', { name: 'Uma', password: PASSWORD })).status).toBe(200);
    await expectEnd(() => uma.act('signOut'));
    expect((await uma.act('signIn', { name: 'Uma', password: PASSWORD })).status).toBe(200);
    await expectEnd(() => atOne('disable', 'Uma'));
    // The commands at both desks have written one chain.
    const checked = await runProgram('src/server/main/audit.ts', ['check'], { DESK_DATA_DIR: two.folder });
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The audit log is intact/) as string });
    expect(checked.stdout).not.toContain('did not end cleanly');
    const unused = mkdtempSync(join(tmpdir(), 'perpdesk-none-'));
    onTestFinished(() => {
      rmSync(unused, { recursive: true });
    });
    await expect(runUser(unused, ['list'], { DESK_DATABASE_URL: databaseUrl })).rejects.toThrow(
      'Perpdesk is not running on this data folder.',
    );
    await expect(startServer(venue.address, unused, { DESK_DATABASE_URL: databaseUrl })).rejects.toThrow(
      /DESK_ACCESS cannot differ: it says "local" here, but "users" at the desks that share this database/,
    );
  },
);

it(
  'what is begun at one desk is finished at another, once, and guesses count at both',
  { timeout: 240_000 },
  async () => {
    const { one, two, add } = await openTwo();
    const uma = await add('Uma');
    // Passkeys need a host name.
    const [atOne, atTwo] = [one, two].map(({ desk }) => desk.address.replace('127.0.0.1', 'localhost')) as [
      string,
      string,
    ];
    const passkey = createSoftwarePasskey(atTwo);
    const known = createHttpPerson(atTwo);
    known.copy(uma);
    expect(await passkey.add(known, 'laptop')).toMatchObject({ status: 200 });
    const [here, there] = [createHttpPerson(atOne), createHttpPerson(atTwo)];
    const { body: begun } = await here.act('beginPasskeySignIn');
    there.copy(here);
    const response = passkey.respond(begun);
    expect(await there.act('signInWithPasskey', response)).toMatchObject({ status: 200 });
    expect(await here.act('signInWithPasskey', response)).toMatchObject({
      status: 403,
      body: { detail: 'This attempt has expired or was already completed. Try again.' },
    });
    const guess = async (address: string): Promise<number> =>
      (await createHttpPerson(address).act('signIn', { name: 'Uma', password: 'a guess' })).status;
    const results: number[] = [];
    for (const address of [atOne, atTwo, atOne, atTwo, atOne, atTwo, atOne]) results.push(await guess(address));
    expect(results).toEqual([401, 401, 401, 401, 401, 429, 429]);
  },
);
