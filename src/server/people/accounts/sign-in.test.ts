import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createKnownDevices, createLockOut } from './lock-out.ts';
import { createSignIn, type SignInDeps } from './sign-in.ts';
import { NOBODY } from './viewers.ts';

it('an attempt from a network that is locked out is rejected before its name is looked at, unless the browser may be a known one', async () => {
  const lookedAt: string[] = [];
  const recorded: unknown[] = [];
  const lockOut = createLockOut(() => 0);
  const parts: Partial<SignInDeps> = {
    lockOut,
    devices: createKnownDevices('key'),
    addressOf: () => '192.0.2.1',
    audit: { gather: (entry: unknown) => void recorded.push(entry) } as unknown as SignInDeps['audit'],
    people: {
      findByName: (name: string) => {
        lookedAt.push(name);
        return null;
      },
    } as unknown as SignInDeps['people'],
  };
  const { signIn } = createSignIn(parts as SignInDeps);
  const attempt = (name: string, cookie = '') =>
    signIn({
      body: { name, password: 'guess' },
      query: {},
      context: { request: { headers: { cookie } } as IncomingMessage, response: {} as never, viewer: NOBODY },
    });
  for (let n = 0; n < 50; n += 1)
    await lockOut.begin({ name: `name ${String(n)}`, address: '192.0.2.1', device: null });

  await expect(attempt('ann')).rejects.toThrow('Too many failed attempts');
  expect([lookedAt, recorded]).toEqual([
    [],
    [expect.objectContaining({ kind: 'sign-in refused', name: '', address: '192.0.2.1' })],
  ]);
  await expect(attempt('ann', '__Host-perpdesk-device=forged.forged')).rejects.toThrow('Too many failed attempts');
  expect(lookedAt).toEqual(['ann']);
});
