import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FORGERY_HEADER } from '#contract/desk/access.ts';
import { createHttpPerson, PASSWORD } from '#testing/access/http-person.ts';
import { runUser, startPeopleDesk, type PeopleDesk } from '#testing/access/people-desk.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startServer } from '#testing/start-desk.ts';

let room: PeopleDesk;

beforeAll(async () => {
  room = await startPeopleDesk();
}, 120_000);

afterAll(async () => {
  await room.stop();
});

describe('a desk that people sign in to', () => {
  it('shows nobody anything but who is signed in, and never redirects', async () => {
    const nobody = createHttpPerson(room.desk.address);
    expect(await nobody.me()).toEqual({ mode: 'users', me: null, forgery_token: null, ways: ['password', 'passkey'] });
    for (const path of [
      '/api/desk/status',
      '/api/desk/people',
      '/api/orders?limit=1',
      '/api/desk/working',
      '/api/desk/live?topic=product-data',
      '/metrics',
    ]) {
      expect([path, (await nobody.get(path)).status]).toEqual([path, 401]);
    }
    expect((await nobody.get('/healthz')).status).toBe(200);
  });

  it('lets an invited person choose a password once, and keeps bad ones out', async () => {
    const invitation = await room.add('Ida', '--role', 'orders', '--all-orders');
    const ida = createHttpPerson(room.desk.address);
    for (const [password, reason] of [
      ['short', 'at least 12 characters'],
      ['password1234', 'easily guessed'],
      ['Ida Ida Ida Ida', 'easily guessed'],
    ]) {
      expect(await ida.act('acceptInvitation', { invitation, password })).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining(String(reason)) as string },
      });
    }
    const accepted = await ida.act('acceptInvitation', { invitation, password: PASSWORD });
    expect(accepted.status).toBe(200);
    expect(accepted.headers.getSetCookie()[0]).toMatch(
      /^__Host-perpdesk=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await ida.me()).me).toMatchObject({
      name: 'Ida',
      roles: ['orders'],
      scope: { all: true },
      way: 'password',
      has_password: true,
    });
    expect((await ida.get('/api/orders?limit=1')).status).toBe(200);
    expect((await ida.get('/api/desk/people')).status).toBe(403);
    const again = createHttpPerson(room.desk.address);
    expect(await again.act('acceptInvitation', { invitation, password: PASSWORD })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('no longer works') as string },
    });
  });

  it('signs in by name however it is written, and says the same of a wrong name and a wrong password', async () => {
    await room.join('Jörg Nord', '--role', 'markets');
    const jorg = createHttpPerson(room.desk.address);
    const wrong = [
      await jorg.act('signIn', { name: 'Jörg Nord', password: 'not this one' }),
      await jorg.act('signIn', { name: 'Nobody', password: 'not this one' }),
    ];
    const [one, other] = wrong.map(({ status, body }) => ({ status, rest: { ...body, instance: '' } }));
    expect(one).toEqual(other);
    expect(one?.status).toBe(401);
    expect((await jorg.act('signIn', { name: ' JO\u0308RG NORD ', password: PASSWORD })).status).toBe(200);
    expect((await jorg.get('/api/products')).status).not.toBe(401);
    expect((await jorg.get('/api/orders?limit=1')).status).toBe(403);
  });

  it('ends a session at sign-out, for a copy of its cookie as well', async () => {
    const kim = await room.join('Kim', '--role', 'markets');
    const stolen = { headers: { cookie: `__Host-perpdesk=${kim.cookies().get('__Host-perpdesk') ?? ''}` } };
    const thief = createHttpPerson(room.desk.address);
    expect((await thief.get('/api/desk/status', stolen)).status).toBe(200);
    expect((await kim.act('signOut')).status).toBe(200);
    expect(kim.cookies().has('__Host-perpdesk')).toBe(false);
    expect((await thief.get('/api/desk/status', stolen)).status).toBe(401);
  });

  it('lists own sessions, and ends one of them but none of another person', async () => {
    const lea = await room.join('Lea', '--role', 'markets');
    const elsewhere = createHttpPerson(room.desk.address);
    await elsewhere.act('signIn', { name: 'Lea', password: PASSWORD }, {}, { 'user-agent': 'Elsewhere/1' });
    const { body } = await lea.get('/api/desk/sessions');
    const sessions = body['sessions'] as readonly {
      readonly id: string;
      readonly is_this: boolean;
      readonly browser: string;
      readonly address: string;
    }[];
    expect(sessions.map(({ is_this: isThis }) => isThis).toSorted()).toEqual([false, true]);
    const other = sessions.find(({ is_this: isThis }) => !isThis);
    expect(other).toMatchObject({ browser: 'Elsewhere/1', address: '127.0.0.1' });
    const max = await room.join('Max', '--role', 'markets');
    expect((await max.act('endSession', null, { id: other?.id ?? '' })).status).toBe(400);
    expect((await lea.act('endSession', null, { id: other?.id ?? '' })).body).toEqual({ count: 1 });
    expect((await elsewhere.get('/api/desk/status')).status).toBe(401);
    expect((await lea.get('/api/desk/status')).status).toBe(200);
  });

  it('changes a password with the one before it, and signs out everywhere else', async () => {
    const ned = await room.join('Ned', '--role', 'markets');
    const elsewhere = createHttpPerson(room.desk.address);
    await elsewhere.act('signIn', { name: 'Ned', password: PASSWORD });
    const next = 'eleven quiet harbours and a kite';
    expect((await ned.act('changePassword', { before: 'wrong', password: next })).status).toBe(400);
    expect((await ned.act('changePassword', { before: PASSWORD, password: next })).status).toBe(200);
    expect((await elsewhere.get('/api/desk/status')).status).toBe(401);
    expect((await ned.get('/api/desk/status')).status).toBe(200);
    expect((await elsewhere.act('signIn', { name: 'Ned', password: PASSWORD })).status).toBe(401);
    expect((await elsewhere.act('signIn', { name: 'Ned', password: next })).status).toBe(200);
  });

  it('rejects what another page could send: without the token of the session, with that of another, or without an origin', async () => {
    const ole = await room.join('Ole', '--role', 'markets');
    const pia = await room.join('Pia', '--role', 'markets');
    const { forgery_token: foreign } = await pia.me();
    const attempts = [
      { [FORGERY_HEADER]: '' },
      { [FORGERY_HEADER]: foreign ?? '' },
      { origin: 'https://elsewhere.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of attempts)
      expect(await ole.act('signOut', null, {}, headers)).toMatchObject({
        status: 403,
        body: { type: 'urn:perpdesk:problem:cross-site' },
      });
    const cookie = `__Host-perpdesk=${ole.cookies().get('__Host-perpdesk') ?? ''}`;
    const { forgery_token: own } = await ole.me();
    const withoutOrigin = await fetch(`${room.desk.address}api/desk/sign-out`, {
      method: 'POST',
      headers: { cookie, 'desk-action': 'signOut', [FORGERY_HEADER]: own ?? '' },
    });
    expect(withoutOrigin.status).toBe(403);
    expect((await ole.get('/api/desk/status')).status).toBe(200);
    const twice = await fetch(`${room.desk.address}api/desk/status`, { headers: { cookie: `${cookie}; ${cookie}` } });
    expect(twice.status).toBe(401);
  });
});

it('without sign-in nobody can sign in: the list of people is empty, also where people are stored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-local-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const venue = await startVenue(['--live', 'off', '--orders', '50', '--working', '5']);
  onTestFinished(async () => {
    await venue.stop();
  });
  const desk = await startServer(venue.address, folder, { DESK_ACCESS: 'local' });
  onTestFinished(async () => {
    await desk.stop();
  });
  await runUser(folder, ['add', 'Kai', '--role', 'markets']);
  expect((await createHttpPerson(desk.address).get('/api/desk/people')).body).toEqual({ managed: false, people: [] });
});
