import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { ATTEMPT_MS, createAttempts } from './attempts.ts';

const requestWith = (...cookies: readonly string[]) =>
  ({ headers: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') } }) as IncomingMessage;
const keep = <Begun>(begun: Begun): Promise<Begun> => Promise.resolve(begun);
const PURPOSE = 'sign in';

async function setUp() {
  const clock = createFakeClock();
  const store = await openTestStore();
  const attempts = createAttempts<string>('key', clock.now, store);
  const begin = (begun: string) => {
    const { id, cookies } = attempts.begin(requestWith(), begun, PURPOSE);
    return { id, cookie: cookies[0] ?? '' };
  };
  return { clock, store, attempts, begin };
}

it('an attempt is finished by the browser that has its cookie, for its purpose, once', async () => {
  const { store, attempts, begin } = await setUp();
  const [one, other] = [begin('one'), begin('other')];
  expect(one.cookie).toMatch(
    /^__Host-perpdesk-begun-[0-9a-f]{20}=[\w-]+; Path=\/; Max-Age=300; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(await attempts.finish(requestWith(), one.id, PURPOSE, keep)).toBeNull();
  expect(await attempts.finish(requestWith(other.cookie), one.id, PURPOSE, keep)).toBeNull();
  expect(await attempts.finish(requestWith(one.cookie.replace(one.id, other.id)), other.id, PURPOSE, keep)).toBeNull();
  expect(await attempts.finish(requestWith(one.cookie), one.id, 'something else', keep)).toBeNull();
  expect(await attempts.finish(requestWith(one.cookie, one.cookie), one.id, PURPOSE, keep)).toBeNull();
  expect(
    await createAttempts<string>('another key', Date.now, store).finish(requestWith(one.cookie), one.id, PURPOSE, keep),
  ).toBeNull();
  const both = requestWith(one.cookie, other.cookie);
  expect(await Promise.all([one, one, other].map(({ id }) => attempts.finish(both, id, PURPOSE, keep)))).toEqual([
    'one',
    null,
    'other',
  ]);
});

it('an attempt may be finished at another desk with the same key, once in all', async () => {
  const { clock, store, attempts, begin } = await setUp();
  const elsewhere = createAttempts<string>('key', clock.now, store);
  const renewed = createAttempts<string>('next key', clock.now, store, () => ['key']);
  const [one, two, three] = [begin('one'), begin('two'), begin('three')];
  expect(await elsewhere.finish(requestWith(one.cookie), one.id, PURPOSE, keep)).toBe('one');
  const verified: string[] = [];
  const verify = (begun: string) => Promise.resolve(void verified.push(begun));
  expect(await attempts.finish(requestWith(one.cookie), one.id, PURPOSE, verify)).toBeNull();
  expect(verified).toEqual([]);
  const both = [attempts, elsewhere].map(({ finish }) => finish(requestWith(two.cookie), two.id, PURPOSE, keep));
  expect((await Promise.all(both)).toSorted()).toEqual(['two', null].toSorted());
  expect(await renewed.finish(requestWith(three.cookie), three.id, PURPOSE, keep)).toBe('three');
});

it('an attempt that fails may be finished after all, until five minutes are over', async () => {
  const { clock, attempts, begin } = await setUp();
  const { id, cookie } = begin('one');
  await expect(
    attempts.finish(requestWith(cookie), id, PURPOSE, () => Promise.reject(new Error('wrong'))),
  ).rejects.toThrow('wrong');
  await clock.advance(ATTEMPT_MS - 1);
  expect(await attempts.finish(requestWith(cookie), id, PURPOSE, keep)).toBe('one');
  const late = begin('late');
  await clock.advance(ATTEMPT_MS);
  expect(await attempts.finish(requestWith(late.cookie), late.id, PURPOSE, keep)).toBeNull();
});

it('the oldest attempts of a browser make room for a new one', async () => {
  const { attempts } = await setUp();
  const kept = new Map<string, string>();
  const begun: string[] = [];
  for (let count = 0; count < 50; count += 1) {
    const { id, cookies } = attempts.begin(
      requestWith(...[...kept].map(([name, value]) => `${name}=${value}`)),
      'x'.repeat(100),
      PURPOSE,
    );
    begun.push(id);
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') kept.delete(name);
      else kept.set(name, value);
    }
  }
  expect([...kept.keys()]).toEqual(begun.slice(-kept.size).map((id) => `__Host-perpdesk-begun-${id}`));
  expect(kept.size).toBeGreaterThan(10);
  expect([...kept].join('').length).toBeLessThan(6_500);
});
