import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { OIDC_PATHS, type DeskAudit, type DeskMe } from '#contract/desk/access.ts';
import { BACK_CHANNEL_PATH } from '#contract/desk/oidc.ts';
import { LIVE_PATH } from '#contract/desk/live.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { openProvidedRoom } from '#testing/oidc/provided-room.ts';
import {
  CLIENT_ID,
  LOGOUT_EVENT,
  startScriptedProvider,
  type LogoutScript,
  type ScriptedProvider,
} from '#testing/oidc/scripted-provider.ts';
import { openProvidedDesk } from '#testing/proxy/open-provided-desk.ts';

let provider: ScriptedProvider;
let clock: FakeClock;

beforeAll(async () => {
  provider = await startScriptedProvider();
});

beforeEach(() => {
  provider.script = {};
  provider.isDown = false;
  clock = createFakeClock(Date.now());
});

afterAll(() => provider.close());

const ADDRESS = '198.51.100.7';

async function logoutForm(script?: LogoutScript): Promise<URLSearchParams> {
  return new URLSearchParams({ logout_token: await provider.logoutToken(script) });
}

describe('a logout token', () => {
  it('with a sid ends that session, and without one all of the person, at every desk on the store', async () => {
    const store = { ...(await openTestStore()), isShared: true };
    const [one, other] = [
      await openProvidedRoom({ provider, store, clock }),
      await openProvidedRoom({ provider, store, clock }),
    ];
    const signIn = (claims: object): Promise<string> => {
      provider.script = { claims: { ...claims } };
      return one.signIn();
    };
    const [first, second, third, ofBo] = [
      await signIn({ sid: 'A' }),
      await signIn({ sid: 'B' }),
      await signIn({ sid: 'C' }),
      await signIn({ sub: 'bo', sid: 'D' }),
    ];
    await clock.advance(1_000);
    await expect.poll(async () => (await other.viewerOf(ofBo)).id).toBe('bo');
    const [seeing, seeingElsewhere] = [await one.viewerOf(first), await other.viewerOf(first)];
    expect(await one.oidc.logout(await logoutForm({ claims: { sub: undefined, sid: 'A' } }), ADDRESS)).toBeNull();
    expect(seeing.ended.aborted).toBe(true);
    await clock.advance(1_000);
    await expect.poll(() => seeingElsewhere.ended.aborted).toBe(true);
    const idsOf = (cookies: readonly string[]) =>
      Promise.all(cookies.map(async (cookie) => (await one.viewerOf(cookie)).id));
    expect(await idsOf([first, second, third, ofBo])).toEqual(['', 'ann', 'ann', 'bo']);
    // The session does not belong to the other person, so it stays.
    expect(await one.oidc.logout(await logoutForm({ claims: { sub: 'bo', sid: 'B' } }), ADDRESS)).toBeNull();
    expect(await idsOf([first, second, third, ofBo])).toEqual(['', 'ann', 'ann', 'bo']);
    expect(await one.oidc.logout(await logoutForm({ claims: { sub: 'ann' } }), ADDRESS)).toBeNull();
    expect(await idsOf([first, second, third, ofBo])).toEqual(['', '', '', 'bo']);
    const { entries } = JSON.parse(await one.room.responders.audit([['who', 'ann']])) as DeskAudit;
    expect(
      entries.filter(
        ({ kind, detail, address }) =>
          kind === 'session ended' && detail === 'Signed out at the provider.' && address === ADDRESS,
      ),
    ).toHaveLength(3);
  });

  it('ends a session whose sid is unknown if it names the person as well', async () => {
    const { oidc, signIn, viewerOf } = await openProvidedRoom({ provider, store: await openTestStore(), clock });
    const cookie = await signIn();
    expect(await oidc.logout(await logoutForm({ claims: { sub: undefined, sid: 'A' } }), ADDRESS)).toBeNull();
    expect((await viewerOf(cookie)).id).toBe('ann');
    expect(await oidc.logout(await logoutForm({ claims: { sid: 'A' } }), ADDRESS)).toBeNull();
    expect((await viewerOf(cookie)).id).toBe('');
  });

  it.each([
    ['of another issuer', { issuer: 'https://evil.example' }],
    ['for another client', { audience: 'another' }],
    ['signed by somebody else', { isForged: true }],
    ['signed with a key that the provider does not publish', { header: { kid: '2' } }],
    ['that has expired', { issued: -200, expires: -60 }],
    ['that was made long ago', { issued: -400, expires: 400 }],
    ['of the future', { issued: 90, expires: 300 }],
    ['without a time', { claims: { iat: undefined } }],
    ['without an expiry', { claims: { exp: undefined } }],
    ['without an id', { claims: { jti: undefined } }],
    ['with an id that is no text', { claims: { jti: 7 } }],
    ['with a nonce, such as an ID token', { claims: { nonce: 'abc' } }],
    ['without an event', { claims: { events: undefined } }],
    ['with another event', { claims: { events: { 'https://other.example': {} } } }],
    ['with an event that is no object', { claims: { events: { [LOGOUT_EVENT]: true } } }],
    ['with events that are no object', { claims: { events: LOGOUT_EVENT } }],
    ['about nobody', { claims: { sub: undefined } }],
    ['with a sid that is no text', { claims: { sid: ['A'] } }],
  ] satisfies readonly (readonly [string, LogoutScript])[])('%s is rejected, and ends nothing', async (_, script) => {
    const { oidc, signIn, viewerOf } = await openProvidedRoom({ provider, store: await openTestStore(), clock });
    const cookie = await signIn();
    expect(await oidc.logout(await logoutForm(script), ADDRESS)).toMatchObject({ error: 'invalid_request' });
    expect((await viewerOf(cookie)).id).toBe('ann');
  });

  it('can be used once; one that is no token, or several, are rejected', async () => {
    const { oidc, signIn, viewerOf } = await openProvidedRoom({ provider, store: await openTestStore(), clock });
    const form = await logoutForm();
    expect(await oidc.logout(form, ADDRESS)).toBeNull();
    const cookie = await signIn();
    expect(await oidc.logout(form, ADDRESS)).toMatchObject({ error: 'invalid_request' });
    const token = form.get('logout_token') ?? '';
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1] ?? ''}.`;
    const wrong = [
      [],
      [''],
      ['x.y.z'],
      [unsigned],
      ['a'.repeat(20_000)],
      [await provider.logoutToken(), await provider.logoutToken()],
    ];
    for (const tokens of wrong)
      expect(await oidc.logout(new URLSearchParams(tokens.map((one) => ['logout_token', one])), ADDRESS)).toMatchObject(
        { error: 'invalid_request' },
      );
    expect((await viewerOf(cookie)).id).toBe('ann');
  });

  it('can be sent again if the sessions could not be ended, or the provider did not respond', async () => {
    const store = await openTestStore();
    const form = await logoutForm();
    provider.isDown = true;
    const { oidc, signIn, viewerOf } = await openProvidedRoom({ provider, store, clock });
    expect(await oidc.logout(form, ADDRESS)).toMatchObject({ error: 'logout_failed' });
    provider.isDown = false;
    const cookie = await signIn();
    // Its metadata are known now, but not its keys.
    provider.isDown = true;
    expect(await oidc.logout(form, ADDRESS)).toMatchObject({ error: 'logout_failed' });
    provider.isDown = false;
    await store.stopWrites();
    expect(await oidc.logout(form, ADDRESS)).toMatchObject({ error: 'logout_failed' });
    expect((await viewerOf(cookie)).id).toBe('ann');
    await store.allowWrites();
    expect(await oidc.logout(form, ADDRESS)).toBeNull();
    expect((await viewerOf(cookie)).id).toBe('');
  });
});

describe('at a desk', () => {
  it(
    'a logout ends the live stream, and what is none is answered as the specification says',
    { timeout: 120_000 },
    async () => {
      const desk = await openProvidedDesk({
        DESK_ACCESS: 'oidc',
        DESK_PORT: '0',
        DESK_OIDC_ISSUER: provider.issuer,
        DESK_OIDC_CLIENT_ID: CLIENT_ID,
      });
      const begun = await desk.request(OIDC_PATHS.begin);
      const asked = new URL(begun.headers.location ?? '').searchParams;
      provider.nonceOf(asked.get('nonce') ?? '');
      const cookieOf = (cookies: readonly string[] | undefined, name: string): string =>
        cookies?.find((one) => one.startsWith(name))?.split(';')[0] ?? '';
      const back = new URLSearchParams({ code: 'abc', state: asked.get('state') ?? '', iss: provider.issuer });
      const { headers } = await desk.request(`${OIDC_PATHS.callback}?${back.toString()}`, {
        headers: ['cookie', cookieOf(begun.headers['set-cookie'], '__Host-perpdesk-begun-')],
      });
      const cookie = cookieOf(headers['set-cookie'], '__Host-perpdesk=');
      const stream = await new Promise<IncomingMessage>((resolve, reject) => {
        get(
          `${desk.address ?? ''}${LIVE_PATH.slice(1)}?topic=product-data`,
          { headers: { host: 'localhost', cookie } },
          resolve,
        ).once('error', reject);
      });
      onTestFinished(() => void stream.destroy());
      expect(stream.statusCode).toBe(200);
      const ended = once(stream.resume(), 'close');
      const form = ['content-type', 'application/x-www-form-urlencoded'];
      const post = (body: string, contentType = form) =>
        desk.request(BACK_CHANNEL_PATH, { method: 'POST', headers: contentType, body });
      for (const response of [
        await post(''),
        await post('logout_token=x'),
        await post('{}', ['content-type', 'application/json']),
        await post(`logout_token=${'x'.repeat(70_000)}`),
      ]) {
        expect([response.status, response.headers['cache-control'], response.headers['content-type']]).toEqual([
          400,
          'no-store',
          'application/json',
        ]);
        expect(JSON.parse(response.body)).toEqual({
          error: 'invalid_request',
          error_description: expect.stringMatching(/^[A-Z].*\.$/) as string,
        });
      }
      expect((await desk.request(BACK_CHANNEL_PATH)).status).toBe(405);
      const done = await post((await logoutForm()).toString());
      expect([done.status, done.headers['cache-control'], done.body]).toEqual([200, 'no-store', '']);
      await ended;
      expect(
        (JSON.parse((await desk.request('/api/desk/me', { headers: ['cookie', cookie] })).body) as DeskMe).me,
      ).toBeNull();
      expect(desk.output()).toContain('"logout rejected"');
      expect(desk.output()).not.toContain('"desk-fault"');
    },
  );
});
