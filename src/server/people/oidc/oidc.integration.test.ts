import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FORGERY_HEADER, OIDC_PATHS, type DeskMe } from '#contract/desk/access.ts';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { FAILURE_FRAGMENT, type SignInFailureCode } from '#contract/desk/oidc.ts';
import {
  CLIENT_ID,
  startScriptedProvider,
  type ScriptedProvider,
  type TokenScript,
} from '#testing/oidc/scripted-provider.ts';
import { openProvidedDesk, type DeskResponse, type ProvidedDesk } from '#testing/proxy/open-provided-desk.ts';

let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startScriptedProvider();
});

beforeEach(() => {
  provider.script = {};
  provider.isDown = false;
});

afterAll(() => provider.close());

const openDesk = (): Promise<ProvidedDesk> =>
  openProvidedDesk({
    DESK_ACCESS: 'oidc',
    DESK_PORT: '0',
    DESK_OIDC_ISSUER: provider.issuer,
    DESK_OIDC_CLIENT_ID: CLIENT_ID,
  });

function cookiesOf({ headers }: DeskResponse): readonly string[] {
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
}

/** More attempts than a server would keep in memory for everyone. */
const VERY_MANY = 1_100;

interface Begun {
  readonly location: URL;
  readonly cookie: string;
  readonly state: string;
}

async function begin(desk: ProvidedDesk, to = '/'): Promise<Begun> {
  const response = await desk.request(`${OIDC_PATHS.begin}?to=${encodeURIComponent(to)}`);
  expect(response.status).toBe(303);
  const location = new URL(response.headers.location ?? '');
  provider.nonceOf(location.searchParams.get('nonce') ?? '');
  return { location, cookie: cookiesOf(response)[0] ?? '', state: location.searchParams.get('state') ?? '' };
}

/** Requests the callback as the provider's redirect does. */
function finish(
  desk: ProvidedDesk,
  { state, cookie }: Begun,
  change: Readonly<Record<string, string>> = {},
): Promise<DeskResponse> {
  const query = new URLSearchParams({ code: 'abc', state, iss: provider.issuer, ...change });
  return desk.request(`${OIDC_PATHS.callback}?${query.toString()}`, {
    headers: [
      'cookie',
      cookie,
      'sec-fetch-site',
      'cross-site',
      'sec-fetch-mode',
      'navigate',
      'sec-fetch-dest',
      'document',
    ],
  });
}

async function signIn(desk: ProvidedDesk): Promise<string> {
  const response = await finish(desk, await begin(desk));
  expect(response.status).toBe(303);
  return cookiesOf(response).find((cookie) => cookie.startsWith('__Host-perpdesk=')) ?? '';
}

async function signOut(desk: ProvidedDesk, cookie: string): Promise<DeskResponse> {
  const { forgery_token: token } = await meOf(desk, cookie);
  const headers = {
    'cookie': cookie,
    'sec-fetch-site': 'same-origin',
    [ACTION_HEADER]: 'signOut',
    [FORGERY_HEADER]: token ?? '',
  };
  return desk.request('/api/desk/sign-out', { method: 'POST', headers: Object.entries(headers).flat() });
}

async function meOf(desk: ProvidedDesk, cookie: string): Promise<DeskMe> {
  return JSON.parse((await desk.request('/api/desk/me', { headers: ['cookie', cookie] })).body) as DeskMe;
}

describe('signing in', () => {
  it('sends a browser to the provider with PKCE, state and nonce, and back to the page that was wanted', async () => {
    const desk = await openDesk();
    const begun = await begin(desk, '/orders?account=NORD-105');
    const { origin, pathname, searchParams } = begun.location;
    expect(origin + pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: `http://localhost${OIDC_PATHS.callback}`,
      scope: 'openid profile groups',
      code_challenge_method: 'S256',
    });
    const response = await finish(desk, begun);
    expect([response.status, response.headers.location]).toEqual([303, '/orders?account=NORD-105']);
    expect(
      createHash('sha256')
        .update(provider.received().get('code_verifier') ?? '')
        .digest('base64url'),
    ).toBe(searchParams.get('code_challenge'));
    const session = response.headers['set-cookie']?.find((cookie) => cookie.startsWith('__Host-perpdesk=')) ?? '';
    expect(session).toMatch(/; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax$/);
    expect((await meOf(desk, session.split(';')[0] ?? '')).me).toMatchObject({
      id: 'ann',
      name: 'Ann',
      roles: ['orders'],
      scope: { accounts: ['NORD-105'] },
      way: 'oidc',
    });
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'orders',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
  ])('does not send it to %j', async (to) => {
    const desk = await openDesk();
    expect((await finish(desk, await begin(desk, to))).headers.location).toBe('/');
  });

  it('ends with the session, and at the provider', async () => {
    const desk = await openDesk();
    const cookie = await signIn(desk);
    const out = await signOut(desk, cookie);
    expect(out.status).toBe(200);
    expect((await meOf(desk, cookie)).me).toBeNull();
    const { location: address } = JSON.parse(out.body) as { readonly location: string };
    const hint = new URL(address).searchParams.get('id_token_hint') ?? '';
    expect(decodeJwt(hint)).toMatchObject({ sub: 'ann', aud: CLIENT_ID, iss: provider.issuer });
    const { status, headers } = await desk.request(OIDC_PATHS.signOut);
    const { origin, pathname, searchParams } = new URL(headers.location ?? '');
    expect([status, origin + pathname, searchParams.get('post_logout_redirect_uri')]).toEqual([
      303,
      `${provider.issuer}/end`,
      'http://localhost/',
    ]);
  });
});

describe('signing out', () => {
  it('does without an ID token that is too long for an address', async () => {
    const desk = await openDesk();
    provider.script = { claims: { groups: ['traders', 'x'.repeat(6_000)] } };
    const { body } = await signOut(desk, await signIn(desk));
    const { searchParams } = new URL((JSON.parse(body) as { readonly location: string }).location);
    expect([searchParams.has('id_token_hint'), searchParams.get('client_id')]).toEqual([false, CLIENT_ID]);
  });
});

describe('nobody is signed in', () => {
  const expectRejection = ({ status, headers, body }: DeskResponse, code: SignInFailureCode, to = '/'): void => {
    expect([status, headers.location, body]).toEqual([303, to + FAILURE_FRAGMENT + code, '']);
    expect(headers['cache-control']).toBe('no-store');
    // No cookie is set; the cookie of the attempt is only deleted.
    expect(
      (headers['set-cookie'] ?? []).filter(
        (cookie) => !/^__Host-perpdesk-begun-\w+=; Path=\/; Max-Age=0;/.test(cookie),
      ),
    ).toEqual([]);
  };

  it('by a state that this desk did not make, another browser, or twice', async () => {
    const desk = await openDesk();
    const begun = await begin(desk, '/orders');
    expectRejection(await finish(desk, begun, { state: 'abc' }), 'not-begun-here');
    expectRejection(await finish(desk, { ...begun, cookie: '' }), 'not-begun-here');
    const other = await begin(desk);
    expectRejection(await finish(desk, { ...other, cookie: (await begin(desk)).cookie }), 'not-begun-here');
    const last = await begin(desk);
    expect((await finish(desk, last)).headers.location).toBe('/');
    expectRejection(await finish(desk, last), 'not-begun-here');
  });

  it('but whoever began to, however many others a stranger begins, in each of their tabs', async () => {
    const desk = await openDesk();
    const [begun, other] = [await begin(desk, '/orders'), await begin(desk, '/funding')];
    for (let strangers = 0; strangers < VERY_MANY; strangers += 1) await desk.request(OIDC_PATHS.begin);
    provider.nonceOf(begun.location.searchParams.get('nonce') ?? '');
    const cookie = `${other.cookie}; ${begun.cookie}`;
    expect((await finish(desk, { ...begun, cookie })).headers.location).toBe('/orders');
    provider.nonceOf(other.location.searchParams.get('nonce') ?? '');
    expect((await finish(desk, { ...other, cookie })).headers.location).toBe('/funding');
  });

  it.each([
    ['another nonce', { claims: { nonce: 'another' } }, 'not-trusted'],
    ['no nonce', { claims: { nonce: undefined } }, 'not-trusted'],
    ['another issuer', { issuer: 'https://evil.example' }, 'not-trusted'],
    ['another audience', { audience: 'another' }, 'not-trusted'],
    ['a time that is over', { expires: '-2m' }, 'clocks-differ'],
    ['a time that is to come', { claims: { nbf: Math.floor(Date.now() / 1_000) + 3_600 } }, 'clocks-differ'],
    ['another signature', { isForged: true }, 'not-trusted'],
    ['no ID token', { isWithoutIdToken: true }, 'not-trusted'],
    ['a code that the provider rejects', { status: 400 }, 'provider-failed'],
    ['a provider that fails', { status: 500, error: 'server_error' }, 'provider-away'],
  ] satisfies readonly (readonly [string, TokenScript, SignInFailureCode])[])(
    'by a token with %s',
    async (_, script, code) => {
      const desk = await openDesk();
      const begun = await begin(desk, '/orders?sort=price#order');
      provider.script = script;
      expectRejection(await finish(desk, begun), code, '/orders?sort=price');
      expect(desk.output()).toContain('"sign-in failed"');
    },
  );

  it('by a response of another provider', async () => {
    const desk = await openDesk();
    expectRejection(await finish(desk, await begin(desk), { iss: 'https://evil.example' }), 'not-trusted');
  });

  it.each([
    ['access_denied', 'refused'],
    ['server_error', 'provider-failed'],
    ['<b>unknown</b>', 'provider-failed'],
  ] as const)('if the provider responds with %j, of whose text the browser gets nothing', async (error, code) => {
    const desk = await openDesk();
    expectRejection(
      await finish(desk, await begin(desk, '/orders'), { error, error_description: '<b>no</b>' }),
      code,
      '/orders',
    );
  });

  it('if none of their groups has a role; they may try as somebody else', async () => {
    const desk = await openDesk();
    const begun = await begin(desk);
    provider.script = { claims: { groups: ['guests'] } };
    expectRejection(await finish(desk, begun), 'no-role');
    const again = await desk.request(`${OIDC_PATHS.begin}?to=/&prompt=login`);
    expect(new URL(again.headers.location ?? '').searchParams.get('prompt')).toBe('login');
    expect(begun.location.searchParams.has('prompt')).toBe(false);
  });

  it('while the provider is away; the desk starts nevertheless, and signs in once it is back', async () => {
    provider.isDown = true;
    const desk = await openDesk();
    expectRejection(await desk.request(`${OIDC_PATHS.begin}?to=/orders`), 'provider-away', '/orders');
    expectRejection(await desk.request(OIDC_PATHS.signOut), 'signed-out-here-only');
    provider.isDown = false;
    const begun = await begin(desk);
    provider.isDown = true;
    expectRejection(await finish(desk, begun), 'provider-away');
    provider.isDown = false;
    expect((await meOf(desk, await signIn(desk))).me).toMatchObject({ id: 'ann' });
  });
});
