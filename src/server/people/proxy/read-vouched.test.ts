import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importJWK, type JWK } from 'jose';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { AUDIENCE, ISSUER, startAuthServer } from '#testing/proxy/auth-server.ts';
import { createTokenReader } from './identify-proxy.ts';
import { openTokenKeys } from './token-keys.ts';

const MINUTE = 60_000;
/** A stolen key can sign a token with a long life. */
const TEN_YEARS = '3650d';

const SETTINGS = {
  header: 'proxy-token',
  issuer: ISSUER,
  audience: AUDIENCE,
  userClaim: 'sub',
  groupsClaim: 'groups',
} as const;

const requestWith = (token: string) => ({ rawHeaders: ['proxy-token', token] }) as unknown as IncomingMessage;

async function setUp(from: 'file' | 'address') {
  const auth = await startAuthServer();
  onTestFinished(() => auth.close());
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-keys-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'keys.json');
  const publish = async (): Promise<void> => {
    writeFileSync(file, await (await fetch(`http://${auth.host}/keys`)).text());
  };
  await publish();
  const clock = createFakeClock(Date.now());
  const source = from === 'file' ? { file } : { url: `http://${auth.host}/keys` };
  const keys = openTokenKeys(source, { schedule: clock.schedule, log: () => undefined });
  onTestFinished(keys.close);
  const ended = vi.fn<() => void>();
  keys.onChange(ended);
  // Called for each verification.
  const getKey = vi.fn<typeof keys.getKey>(keys.getKey);
  const read = createTokenReader(SETTINGS, { getKey, onChange: keys.onChange }, clock.now);
  return {
    auth,
    clock,
    publish,
    read,
    getKey,
    ended,
    token: await auth.sign({ sub: 'ann' }, (token) => token.setExpirationTime(TEN_YEARS)),
  };
}

it.each(['file', 'address'] as const)(
  'a token that was verified is rejected once the keys of the %s no longer have its key',
  async (from) => {
    const { auth, clock, publish, read, getKey, ended, token } = await setUp(from);
    expect(await read(requestWith(token))).toMatchObject({ id: 'ann' });
    // Found in the cache, so not verified again.
    expect(await read(requestWith(token))).toMatchObject({ id: 'ann' });
    expect(getKey).toHaveBeenCalledTimes(1);
    expect(ended).not.toHaveBeenCalled();
    await auth.rotateKey();
    await publish();
    await vi.waitUntil(async () => {
      await clock.advance(MINUTE);
      return typeof (await read(requestWith(token))) === 'string';
    });
    expect(await read(requestWith(token))).toContain('no applicable key');
    expect(ended).toHaveBeenCalledTimes(1);
  },
);

it('a token that was verified is verified again after five minutes', async () => {
  const { clock, read, getKey, token } = await setUp('file');
  await read(requestWith(token));
  await clock.advance(5 * MINUTE - 1);
  await read(requestWith(token));
  expect(getKey).toHaveBeenCalledTimes(1);
  await clock.advance(1);
  expect(await read(requestWith(token))).toMatchObject({ id: 'ann' });
  expect(getKey).toHaveBeenCalledTimes(2);
});

it('a token that is verified while the keys change is verified again', async () => {
  const { auth, clock, token } = await setUp('file');
  const {
    keys: [jwk],
  } = (await (await fetch(`http://${auth.host}/keys`)).json()) as { readonly keys: readonly JWK[] };
  const found = Promise.withResolvers<JWK>();
  let change = (): void => undefined;
  const getKey = vi.fn(async () => importJWK(await found.promise));
  const read = createTokenReader(
    SETTINGS,
    {
      getKey,
      onChange: (listener) => {
        change = listener;
      },
    },
    clock.now,
  );
  const verifying = read(requestWith(token));
  change();
  found.resolve(jwk ?? {});
  expect(await verifying).toMatchObject({ id: 'ann' });
  await read(requestWith(token));
  expect(getKey).toHaveBeenCalledTimes(2);
});
