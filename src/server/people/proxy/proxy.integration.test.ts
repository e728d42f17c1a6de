import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORGERY_HEADER, type DeskMe } from '#contract/desk/access.ts';
import { ACTION_HEADER } from '#contract/desk/actions.ts';
import { AUDIENCE, ISSUER, startAuthServer, type AuthServer } from '#testing/proxy/auth-server.ts';
import { ME, meOf, openBehindSocket, openWithTokens } from '#testing/proxy/open-behind-proxy.ts';
import { newFolder } from '#testing/proxy/open-provided-desk.ts';

let auth: AuthServer;

beforeAll(async () => {
  auth = await startAuthServer();
});

afterAll(() => auth.close());

describe('on a Unix socket', () => {
  it.each([
    ['twice', ['remote-user', 'ann', 'remote-user', 'bo'], 'several times'],
    ['twice in two ways of writing it', ['Remote-User', 'ann', 'REMOTE-USER', 'ann'], 'several times'],
    ['with underscores', ['remote_user', 'ann'], 'with underscores'],
    ['with an underscore in the groups', ['remote-user', 'ann', 'remote_groups', 'desk'], 'with underscores'],
    [
      'beside a session',
      ['remote-user', 'ann', 'cookie', '__Host-perpdesk=abc'],
      'in addition to the identity from the proxy',
    ],
    ['as groups only', ['remote-groups', 'desk'], 'without remote-user'],
  ])('a header %s is refused and logged', async (_, headers, reason) => {
    const desk = await openBehindSocket();
    const { status, body } = await desk.request(ME, { headers });
    expect({ status, body }).toEqual({ status: 403, body: expect.stringContaining(reason) as string });
    expect(desk.output()).toContain('"proxy rejected"');
  });

  it('nobody whom no header names may read anything', async () => {
    const desk = await openBehindSocket();
    expect(meOf((await desk.request(ME)).body)).toBeNull();
    expect((await desk.request('/api/desk/products')).status).toBe(401);
  });

  it('a proxy that names no client is logged, once', async () => {
    const desk = await openBehindSocket();
    await desk.request('/healthz');
    await desk.request(ME, { headers: ['x-forwarded-for', '192.0.2.1'] });
    expect(desk.output()).not.toContain('clients not named');
    await desk.request(ME);
    await desk.request(ME);
    await expect.poll(() => desk.output().split('clients not named').length - 1).toBe(1);
  });

  it('what changes something needs the token against forgery', async () => {
    const desk = await openBehindSocket();
    const person = ['remote-user', 'bo', 'remote-groups', 'desk'];
    const { forgery_token: token } = JSON.parse((await desk.request(ME, { headers: person })).body) as DeskMe;
    const act = (headers: readonly string[]) =>
      desk.request('/api/desk/people/sessions?id=ann', {
        method: 'DELETE',
        headers: [...person, ACTION_HEADER, 'endSessionsOf', ...headers],
      });
    expect((await act([])).status).toBe(403);
    expect((await act(['sec-fetch-site', 'same-origin', FORGERY_HEADER, 'x'])).status).toBe(403);
    expect((await act([FORGERY_HEADER, token ?? ''])).status).toBe(403);
    expect((await act(['sec-fetch-site', 'same-origin', FORGERY_HEADER, token ?? ''])).status).toBe(200);
  });

  it('groups take effect as soon as their file changes; a mistake changes nothing', async () => {
    const desk = await openBehindSocket();
    const rolesOf = async () =>
      meOf((await desk.request(ME, { headers: ['remote-user', 'ann', 'remote-groups', 'traders'] })).body)?.roles;
    expect(await rolesOf()).toEqual(['orders']);
    writeFileSync(join(desk.folder, 'groups.json'), '{"traders": {"roles": ["trader"]}}');
    await expect.poll(desk.output).toContain('"groups not loaded"');
    expect(await rolesOf()).toEqual(['orders']);
    writeFileSync(join(desk.folder, 'groups.json'), '{"traders": {"roles": ["markets"]}}');
    await expect.poll(rolesOf).toEqual(['markets']);
  });
});

describe('a token', () => {
  it('is believed only if it is signed for this desk, by this proxy, now', async () => {
    const desk = await openWithTokens(`http://${auth.host}/keys`);
    const statusOf = async (token: string) => (await desk.request(ME, { headers: ['proxy-token', token] })).status;
    const claims = { sub: 'ann', groups: ['desk'] };
    const good = await auth.sign(claims);
    const [head = '', body = '', signature = ''] = good.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(await statusOf(good)).toBe(200);
    expect({
      audience: await statusOf(await auth.sign(claims, (token) => token.setAudience('another'))),
      issuer: await statusOf(await auth.sign(claims, (token) => token.setIssuer('https://evil.example'))),
      expired: await statusOf(await auth.sign(claims, (token) => token.setExpirationTime('-2m'))),
      early: await statusOf(await auth.sign(claims, (token) => token.setNotBefore('2m'))),
      changed: await statusOf(
        [head, encode({ ...claims, iss: ISSUER, aud: AUDIENCE, exp: 9_999_999_999 }), signature].join('.'),
      ),
      unsigned: await statusOf(`${encode({ alg: 'none' })}.${body}.`),
      symmetric: await statusOf([encode({ alg: 'HS256', kid: '1' }), body, signature].join('.')),
      nobody: await statusOf(await auth.sign({ groups: ['desk'] })),
      noText: await statusOf('abc'),
    }).toEqual({
      audience: 403,
      issuer: 403,
      expired: 403,
      early: 403,
      changed: 403,
      unsigned: 403,
      symmetric: 403,
      nobody: 403,
      noText: 403,
    });
    // A bare header is not trusted.
    expect(
      meOf((await desk.request(ME, { headers: ['remote-user', 'bo', 'x-forwarded-user', 'bo'] })).body),
    ).toBeNull();
  });

  it('of a key that is known is believed while the keys cannot be loaded', async () => {
    const desk = await openWithTokens(`http://${auth.host}/keys`);
    const statusOf = async () =>
      (
        await desk.request(ME, {
          headers: ['proxy-token', await auth.sign({ sub: 'ann', jti: String(Math.random()) })],
        })
      ).status;
    expect(await statusOf()).toBe(200);
    auth.isKeysDown = true;
    expect(await statusOf()).toBe(200);
    auth.isKeysDown = false;
  });

  it('of a new key in a file is believed once the file has it', async () => {
    const keys = join(newFolder(), 'keys.json');
    writeFileSync(keys, await (await fetch(`http://${auth.host}/keys`)).text());
    const desk = await openWithTokens(keys);
    const statusOf = async () =>
      (await desk.request(ME, { headers: ['proxy-token', await auth.sign({ sub: 'ann' })] })).status;
    expect(await statusOf()).toBe(200);
    await auth.rotateKey();
    expect(await statusOf()).toBe(403);
    writeFileSync(keys, await (await fetch(`http://${auth.host}/keys`)).text());
    await expect.poll(statusOf).toBe(200);
  });
});
