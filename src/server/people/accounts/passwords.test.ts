import { describe, expect, it } from 'vitest';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createPasswords } from './passwords.ts';

describe('passwords', () => {
  it('are verified however they were typed, and stored as argon2id with its parameters', async () => {
    const { hash, verify } = createPasswords();
    const stored = await hash('café au lait');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await Promise.all([verify('cafe\u0301 au lait', stored), verify('cafe au lait', stored)])).toEqual([
      true,
      false,
    ]);
    expect(await hash('café au lait')).not.toBe(stored);
  });

  it('take the same work for a name that nobody has, which is never right', async () => {
    const derived: unknown[] = [];
    const { hash, verify } = createPasswords((password, salt, cost) => {
      derived.push({ length: salt.length, ...cost });
      return Promise.resolve(Buffer.alloc(32, password.length));
    });
    const stored = await hash('a password');
    derived.length = 0;
    expect([await verify('another one', stored), await verify('another one', null)]).toEqual([false, false]);
    expect(derived).toHaveLength(2);
    expect(derived[0]).toEqual(derived[1]);
  });

  it('are checked two at a time, forty wait, and more are refused at once', async () => {
    const finish: (() => void)[] = [];
    let most = 0;
    let running = 0;
    const { verify } = createPasswords(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => void finish.push(resolve));
      running -= 1;
      return Buffer.alloc(32);
    });
    const results = Array.from({ length: 50 }, () =>
      verify('a password', null).then(String, (error: unknown) =>
        error instanceof VenueFailure ? error.problem.type : 'bug',
      ),
    );
    while (finish.length < 42) {
      for (const one of finish) one();
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const one of finish) one();
    const ended = await Promise.all(results);
    expect(ended.filter((one) => one === 'too-soon')).toHaveLength(8);
    expect(ended.filter((one) => one === 'false')).toHaveLength(42);
    expect(most).toBe(2);
  });

  it('of people known here are checked before those of strangers, however many of these wait', async () => {
    const finish: (() => void)[] = [];
    const ended: string[] = [];
    const { verify } = createPasswords(async () => {
      await new Promise<void>((resolve) => void finish.push(resolve));
      return Buffer.alloc(32);
    });
    const check = (who: string, isKnown: boolean): Promise<unknown> =>
      verify('a password', null, { isKnown }).then(
        () => ended.push(who),
        () => undefined,
      );
    const strangers = Array.from({ length: 50 }, (_, index) => check(`stranger ${String(index)}`, false));
    const known = check('known', true);
    while (ended.length < 43) {
      for (const one of finish) one();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([...strangers, known]);
    expect(ended.indexOf('known')).toBeLessThan(4);
  });
});
