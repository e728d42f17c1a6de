import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, expect, it } from 'vitest';
import { checkKeys } from './check-keys.ts';

const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
const [key, secret] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)]);
const bodies: Readonly<Record<string, unknown>> = {
  '/sound': { keys: [key] },
  '/mixed': { keys: [key, { ...key, use: 'enc' }, { ...key, kid: 'b' }, { kty: 'unknown' }] },
  '/large': { keys: [key], filler: 'x'.repeat(2 ** 20) },
  '/empty': { keys: [] },
  '/odd': { keys: [{}] },
  '/shared': { keys: [{ kty: 'oct', k: 'AAAA' }] },
  '/private': { keys: [secret] },
  '/numbers': { keys: [1] },
};
const server = createServer((request, response) => {
  const path = request.url ?? '';
  response.writeHead(path === '/moved' ? 302 : 200, { location: '/sound' });
  response.end(JSON.stringify(bodies[path] ?? {}));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

afterAll(async () => {
  server.close();
  await once(server, 'close');
});

const examine = (url: string) => checkKeys('keys', URL.parse(url, origin)?.href ?? url, { now: () => Date.now() });

it('keys with which sign-in can verify are counted, whatever else is listed', async () => {
  const { check, clock } = await examine('/sound');
  expect(check).toMatchObject({ outcome: 'ok', remark: `${origin}/sound lists one key that can verify signatures.` });
  expect(Math.abs(clock?.[1] ?? Infinity)).toBeLessThan(60_000);
  expect((await examine('/mixed')).check.remark).toContain('lists 2 keys that can verify signatures.');
});

it.each([
  ['/empty', /lists no key that can verify signatures: check the address/],
  ['/odd', /lists no key/],
  ['/shared', /lists no key/],
  ['/private', /lists no key/],
  ['/numbers', /cannot be read/],
  ['/moved', /cannot be read: .*redirect/],
  ['/large', /cannot be read: it sends more than 256 kB/],
  ['data:application/json,{"keys":[{}]}', /is not an https address/],
  ['http://keys.example/keys', /is not an https address/],
  ['nonsense:', /is not an https address/],
])('keys that sign-in cannot read have failed: %s', async (url, remark) => {
  expect((await examine(url)).check).toEqual({
    subject: 'keys',
    outcome: 'failed',
    remark: expect.stringMatching(remark) as string,
  });
});
