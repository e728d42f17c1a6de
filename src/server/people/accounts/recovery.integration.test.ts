import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeskCredentials } from '#contract/desk/access.ts';
import { createHttpPerson, PASSWORD, type HttpPerson } from '#testing/access/http-person.ts';
import { invitationIn } from '#testing/access/people-desk.ts';
import { createSoftwarePasskey } from '#testing/access/software-passkey.ts';
import { granted, openViewedDesk, type ViewedDesk } from '#testing/access/viewed-desk.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import type { StartedProcess } from '#testing/start-process.ts';

const TEN_MINUTES = 10 * 60_000;
const NO_ORDERS = { all: false, accounts: [], firms: [], connections: [] };
const ALL_ORDERS = { ...NO_ORDERS, all: true };
const RECENT_NEEDED = { status: 403, body: { type: 'urn:perpdesk:problem:recent-sign-in-needed' } };
const NOT_ALLOWED = { status: 403, body: { type: 'urn:perpdesk:problem:not-allowed' } };

let venue: StartedProcess;
let desk: ViewedDesk;
let address: string;
let admin: HttpPerson;
let ahead = 0;

const now = (): number => Date.now() + ahead;
const tomorrow = (): string => new Date(now() + 86_400_000).toISOString();

beforeAll(async () => {
  venue = await startVenue(['--live', 'off', '--orders', '50', '--working', '5']);
  desk = await openViewedDesk(venue.address, { ada: granted(['admin'], {}) }, { now });
  // Passkeys need a host name.
  address = desk.url.replace('127.0.0.1', 'localhost');
  admin = createHttpPerson(address);
  admin.copy(desk.personOf('ada'));
}, 60_000);

afterAll(async () => {
  await desk.close();
  await venue.stop();
});

async function join(name: string, ...options: readonly string[]): Promise<HttpPerson> {
  const person = createHttpPerson(address);
  const invitation = invitationIn(await desk.user('add', name, ...options));
  expect(await person.act('acceptInvitation', { invitation, password: PASSWORD })).toMatchObject({ status: 200 });
  return person;
}

async function createToken(
  person: HttpPerson,
  roles: readonly string[] = ['markets'],
  scope: object = NO_ORDERS,
): Promise<Readonly<Record<string, string>>> {
  const { status, body } = await person.act('createToken', { name: 'report', roles, scope, expires_at: tomorrow() });
  expect([status, body]).toEqual([200, expect.anything()]);
  return { authorization: `Bearer ${String(body['token'])}` };
}

interface Whole {
  readonly name: string;
  readonly id: string;
  /** Returns which of the ways in still work. */
  readonly holding: () => Promise<Readonly<Record<'session' | 'token' | 'passkey', boolean>>>;
}

let people = 0;

/** Creates a person with a session, an API token and a passkey. */
async function withEverything(): Promise<Whole> {
  const name = `person ${String((people += 1))}`;
  const person = await join(name, '--role', 'markets');
  const token = await createToken(person);
  const passkey = createSoftwarePasskey(address);
  expect(await passkey.add(person, 'laptop')).toMatchObject({ status: 200 });
  const id = (await person.me()).me?.id ?? '';
  return {
    name,
    id,
    holding: async () => ({
      session: (await person.get('/api/desk/status')).status === 200,
      token: (await createHttpPerson(address).get('/api/desk/status', { headers: token })).status === 200,
      passkey: (await passkey.signIn(createHttpPerson(address))).status === 200,
    }),
  };
}

type Keep = Readonly<Partial<Record<'tokens' | 'passkeys', true>>>;

const toQuery = ({ tokens, passkeys }: Keep): Readonly<Record<string, string>> => ({
  ...(tokens && { keep_tokens: 'true' }),
  ...(passkeys && { keep_passkeys: 'true' }),
});
const toFlags = ({ tokens, passkeys }: Keep): readonly string[] => [
  ...(tokens ? ['--keep-tokens'] : []),
  ...(passkeys ? ['--keep-passkeys'] : []),
];

async function accept(invitation: string): Promise<void> {
  expect(
    await createHttpPerson(address).act('acceptInvitation', { invitation, password: 'copper meadow lantern forty' }),
  ).toMatchObject({ status: 200 });
}

const WAYS: Readonly<Record<string, (whole: Whole, keep: Keep) => Promise<void>>> = {
  'an invitation that is accepted': async ({ id }, keep) => {
    const { status, body } = await admin.act('invitePerson', null, { id, ...toQuery(keep) });
    expect(status).toBe(200);
    await accept(String(body['path']).replace('/invitation#', ''));
  },
  'an invitation of the command that is accepted': async ({ name }, keep) =>
    accept(invitationIn(await desk.user('invite', name, ...toFlags(keep)))),
  'the end of all sessions': async ({ id }, keep) => {
    expect(await admin.act('endSessionsOf', null, { id, ...toQuery(keep) })).toMatchObject({
      status: 200,
      body: { count: 1, tokens: keep.tokens ? 0 : 1, passkeys: keep.passkeys ? 0 : 1 },
    });
  },
  'end-sessions': async ({ name }, keep) => {
    expect(await desk.user('end-sessions', name, ...toFlags(keep))).toBe(describe_(name, keep));
  },
  'disabling and enabling': async ({ id, name }, keep) => {
    for (const disabled of [true, false])
      expect(
        await admin.act('putPerson', { id, name, roles: ['markets'], scope: NO_ORDERS, disabled }, toQuery(keep)),
      ).toMatchObject({ status: 200 });
  },
  'disable and enable': async ({ name }, keep) => {
    expect(await desk.user('disable', name, ...toFlags(keep))).toContain(describe_(name, keep));
    await desk.user('enable', name);
  },
};

function describe_(name: string, { tokens, passkeys }: Keep): string {
  const ended = [
    `Ended 1 session of "${name}".`,
    ...(tokens ? [] : ['Revoked 1 API token.']),
    ...(passkeys ? [] : ['Removed 1 passkey.']),
  ];
  return [...ended, ...(tokens ? ['Kept 1 API token.'] : []), ...(passkeys ? ['Kept 1 passkey.'] : [])].join(' ');
}

const KEEPS: readonly Keep[] = [{}, { tokens: true }, { passkeys: true }, { tokens: true, passkeys: true }];

it.each(Object.entries(WAYS).flatMap(([name, end]) => KEEPS.map((keep) => ({ name, keep, end }))))(
  '$name ends sessions, and all that is not kept: $keep',
  async ({ keep, end }) => {
    const whole = await withEverything();
    expect(await whole.holding()).toEqual({ session: true, token: true, passkey: true });
    // The passkey has begun a session of its own.
    await admin.act('endSessionsOf', null, { id: whole.id, keep_tokens: 'true', keep_passkeys: 'true' });
    const again = createHttpPerson(address);
    await again.act('signIn', { name: whole.name, password: PASSWORD });
    await end(whole, keep);
    expect((await again.get('/api/desk/status')).status).toBe(401);
    expect(await whole.holding()).toEqual({
      session: false,
      token: keep.tokens === true,
      passkey: keep.passkeys === true,
    });
  },
);

describe('an administrator', () => {
  it('lists API tokens and passkeys of a person, and ends each', async () => {
    const { id, name, holding } = await withEverything();
    const { tokens, passkeys } = (await admin.get(`/api/desk/people/credentials?person=${id}`))
      .body as unknown as DeskCredentials;
    expect([tokens, passkeys]).toMatchObject([
      [{ name: 'report', roles: ['markets'], scope: NO_ORDERS, last_used_at: null }],
      [{ name: 'laptop', last_used_at: null }],
    ]);
    const listed = (await admin.get('/api/desk/people')).body['people'] as readonly object[];
    expect(listed).toContainEqual(expect.objectContaining({ id, tokens: 1, passkeys: 1 }));
    expect(await admin.act('revokeTokenOf', null, { id: tokens[0]?.id ?? '' })).toMatchObject({
      status: 200,
      body: { count: 1 },
    });
    expect(await admin.act('revokeTokenOf', null, { id: tokens[0]?.id ?? '' })).toMatchObject({ status: 400 });
    expect(await holding()).toEqual({ session: true, token: false, passkey: true });
    expect(await admin.act('removePasskeyOf', null, { id: passkeys[0]?.id ?? '' })).toMatchObject({
      status: 200,
      body: { count: 1 },
    });
    expect(await holding()).toEqual({ session: true, token: false, passkey: false });
    const entries = (await admin.get('/api/desk/audit?limit=1000')).body['entries'] as readonly {
      readonly name: string;
      readonly detail: string;
    }[];
    const details = entries.filter((entry) => entry.name === 'ada').map(({ detail }) => detail);
    expect(details).toEqual(
      expect.arrayContaining([
        `Revoked the API token "report" of "${name}".`,
        `Removed the passkey "laptop" of "${name}".`,
      ]),
    );

    expect(await admin.get('/api/desk/people/credentials')).toMatchObject({ status: 400 });
  });

  it('does the same by commands', async () => {
    const { name, holding } = await withEverything();
    const [, tokenId = ''] =
      /^(\w+) {2}report: roles markets; no orders; created .*; never used; expires /m.exec(
        await desk.user('tokens', name),
      ) ?? [];
    expect(await desk.user('passkeys', name)).toMatch(/^\w+ {2}laptop: created .*; never used$/);
    await expect(desk.user('revoke', name, 'none')).rejects.toThrow('has no API token or passkey "none"');
    await expect(desk.user('revoke', name)).rejects.toThrow('Name API tokens or passkeys');
    expect(await desk.user('revoke', name, tokenId)).toBe(`Revoked the API token "report" of "${name}".`);
    expect(await holding()).toEqual({ session: true, token: false, passkey: true });
    expect(await desk.user('revoke', name, '--all-tokens', '--all-passkeys')).toBe(
      `Removed the passkey "laptop" of "${name}".`,
    );
    expect(await desk.user('passkeys', name)).toBe(`"${name}" has no passkeys.`);
    await expect(desk.user('enable', name, '--keep-tokens')).rejects.toThrow(
      '"user enable" takes no option --keep-tokens.',
    );
  });
});

describe('a session without a recent sign-in', () => {
  it('adds no way in, until the password or a passkey was verified again', async () => {
    const person = await join('Rae', '--role', 'markets');
    const passkey = createSoftwarePasskey(address);
    expect(await passkey.add(person, 'laptop')).toMatchObject({ status: 200 });
    const attempts = (): Promise<readonly object[]> =>
      Promise.all([
        person.act('createToken', { name: 'late', roles: ['markets'], scope: NO_ORDERS, expires_at: tomorrow() }),
        createSoftwarePasskey(address).add(person, 'late'),
      ]);
    const confirmations = {
      password: () => person.act('confirmWithPassword', { password: PASSWORD }),
      passkey: async () =>
        person.act('confirmWithPasskey', passkey.respond((await person.act('beginPasskeySignIn')).body)),
    };
    for (const confirm of Object.values(confirmations)) {
      ahead += TEN_MINUTES;
      expect(await attempts()).toMatchObject([RECENT_NEEDED, RECENT_NEEDED]);
      expect(await person.act('confirmWithPassword', { password: 'not this one' })).toMatchObject({
        status: 400,
        body: { errors: [{ path: '$.password' }] },
      });
      expect(await attempts()).toMatchObject([RECENT_NEEDED, RECENT_NEEDED]);
      expect(await confirm()).toMatchObject({ status: 200 });
      expect(await attempts()).toMatchObject([{ status: 200 }, { status: 200 }]);
    }
  });

  it('is not confirmed by the passkey of another person', async () => {
    const [one, other] = [await join('Sam', '--role', 'markets'), await join('Tia', '--role', 'markets')];
    const passkey = createSoftwarePasskey(address);
    expect(await passkey.add(other, 'hers')).toMatchObject({ status: 200 });
    ahead += TEN_MINUTES;
    expect(
      await one.act('confirmWithPasskey', passkey.respond((await one.act('beginPasskeySignIn')).body)),
    ).toMatchObject(NOT_ALLOWED);
    expect(
      await one.act('createToken', { name: 'late', roles: ['markets'], scope: NO_ORDERS, expires_at: tomorrow() }),
    ).toMatchObject(RECENT_NEEDED);
  });

  it('changes a password by the one before it, which is a sign-in of its own', async () => {
    const person = await join('Uli', '--role', 'markets');
    ahead += TEN_MINUTES;
    expect(
      await person.act('changePassword', { before: PASSWORD, password: 'copper meadow lantern forty' }),
    ).toMatchObject({ status: 200 });
    await createToken(person);
  });

  it('of an administrator invites nobody who can sign in, and grants no orders beyond the administrator’s', async () => {
    const { id, name } = await withEverything();
    const change = (given: object) =>
      admin.act('putPerson', {
        id,
        name,
        roles: ['orders'],
        scope: { ...NO_ORDERS, accounts: ['NORD-105'] },
        disabled: false,
        ...given,
      });
    const confirm = () => admin.act('confirmWithPassword', { password: PASSWORD });
    expect(await confirm()).toMatchObject({ status: 200 });
    expect(await change({})).toMatchObject({ status: 200 });
    ahead += TEN_MINUTES;
    expect(await admin.act('invitePerson', null, { id })).toMatchObject(RECENT_NEEDED);
    expect(await change({ scope: ALL_ORDERS })).toMatchObject(RECENT_NEEDED);
    expect(
      await admin.act('putPerson', {
        id: '',
        name: 'New with orders',
        roles: ['orders'],
        scope: ALL_ORDERS,
        disabled: false,
      }),
    ).toMatchObject(RECENT_NEEDED);
    // A change that grants nothing new needs no confirmation.
    expect(await change({ name: `${name} x` })).toMatchObject({ status: 200 });
    expect(
      await admin.act('putPerson', {
        id: '',
        name: `${name} new`,
        roles: ['markets'],
        scope: NO_ORDERS,
        disabled: false,
      }),
    ).toMatchObject({ status: 200 });
    expect(await confirm()).toMatchObject({ status: 200 });
    expect(await admin.act('invitePerson', null, { id })).toMatchObject({ status: 200 });
    expect(await change({ scope: ALL_ORDERS })).toMatchObject({ status: 200 });
  });
});

describe('an API token with the role admin', () => {
  it('gives nobody more than it has, and nobody’s access', async () => {
    expect(await admin.act('confirmWithPassword', { password: PASSWORD })).toMatchObject({ status: 200 });
    const headers = await createToken(admin, ['admin']);
    const program = createHttpPerson(address);
    const act = (...[name, body = null, query = {}]: Parameters<HttpPerson['act']>) =>
      program.act(name, body, query, headers);
    const { id, name, holding } = await withEverything();
    const { tokens, passkeys } = (await program.get(`/api/desk/people/credentials?person=${id}`, { headers }))
      .body as unknown as DeskCredentials;
    const adaId = (await admin.me()).me?.id ?? '';
    const given = { id: '', name: 'Bo', roles: ['markets'], scope: NO_ORDERS, disabled: false };

    expect(await act('invitePerson', null, { id })).toMatchObject(NOT_ALLOWED);
    expect(await act('endSessionsOf', null, { id })).toMatchObject(NOT_ALLOWED);
    expect(await act('revokeTokenOf', null, { id: tokens[0]?.id ?? '' })).toMatchObject(NOT_ALLOWED);
    expect(await act('removePasskeyOf', null, { id: passkeys[0]?.id ?? '' })).toMatchObject(NOT_ALLOWED);
    expect(await act('putPerson', { ...given, roles: ['orders'] })).toMatchObject(NOT_ALLOWED);
    expect(await act('putPerson', { ...given, scope: ALL_ORDERS })).toMatchObject(NOT_ALLOWED);
    // In a session, an administrator may do more than the token.
    expect(await act('putPerson', { ...given, roles: ['admin'] })).toMatchObject(NOT_ALLOWED);
    expect(
      await act('putPerson', { ...given, id: adaId, name: 'ada', roles: ['operations', 'admin'], scope: ALL_ORDERS }),
    ).toMatchObject(NOT_ALLOWED);
    expect(await act('putPerson', { ...given, id, name, disabled: true })).toMatchObject(NOT_ALLOWED);
    expect(await act('deletePerson', null, { id })).toMatchObject(NOT_ALLOWED);
    // Nor does it say where its own person is signed in, or what else acts for them.
    expect(await program.get('/api/desk/sessions', { headers })).toMatchObject(NOT_ALLOWED);
    expect(await program.get('/api/desk/tokens', { headers })).toMatchObject(NOT_ALLOWED);
    expect(await holding()).toEqual({ session: true, token: true, passkey: true });

    expect(await act('putPerson', given)).toMatchObject({ status: 200 });
    const listed = (await admin.get('/api/desk/people')).body['people'] as readonly {
      readonly id: string;
      readonly name: string;
    }[];
    const newId = listed.find((person) => person.name === 'Bo')?.id ?? '';
    expect(await act('putPerson', { ...given, id: newId, name: 'Bo B.' })).toMatchObject({ status: 200 });
    expect(await act('invitePerson', null, { id: newId })).toMatchObject({ status: 200 });
    await desk.user('set', 'Bo B.', '--role', 'orders', '--all-orders');
    expect(await act('invitePerson', null, { id: newId })).toMatchObject(NOT_ALLOWED);
    expect(await act('putPerson', { ...given, id: newId, name: 'Bo B.' })).toMatchObject(NOT_ALLOWED);
  });
});
