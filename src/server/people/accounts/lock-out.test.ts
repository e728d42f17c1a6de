import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { networkOf } from '#server/core/network.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { createKnownDevices, createLockOut, type LockOut, WINDOW_MS } from './lock-out.ts';
import { createSharedFailures } from './shared-failures.ts';

const MINUTE = 60_000;

function setUp() {
  const clock = createFakeClock();
  return { clock, lockOut: createLockOut(clock.now) };
}

const from = (address: string, name: string | null = 'ann', device: string | null = null) => ({
  name,
  address,
  device,
});

async function failures(most: number, begin: (n: number) => Promise<void>): Promise<number> {
  for (let n = 0; n < most; n += 1) {
    try {
      await begin(n);
    } catch {
      return n;
    }
  }
  return most;
}

describe('the lock-out', () => {
  it('lets a name be tried five times from a network within a quarter of an hour, and says when to try again', async () => {
    const { clock, lockOut } = setUp();
    expect(await failures(10, () => lockOut.begin(from('192.0.2.1')))).toBe(5);
    await expect(lockOut.begin(from('192.0.2.1'))).rejects.toThrow(/Try again in 15 minutes/);
    await clock.advance(14 * MINUTE);
    await expect(lockOut.begin(from('192.0.2.1'))).rejects.toThrow(/Try again in a minute/);
    await clock.advance(MINUTE);
    expect(await failures(10, () => lockOut.begin(from('192.0.2.1')))).toBe(5);
  });

  it('cannot be used against others: neither from another network nor in a browser that is known does it count', async () => {
    const { lockOut } = setUp();
    await failures(10, () => lockOut.begin(from('192.0.2.1')));
    await lockOut.begin(from('192.0.2.2'));
    await lockOut.begin(from('192.0.2.1', 'ann', 'her browser'));
    expect(await failures(10, () => lockOut.begin(from('192.0.2.1', 'ann', 'her browser')))).toBe(4);
  });

  it('lets a network try fifty times in all, whatever the names; a known browser in it is not affected', async () => {
    const { lockOut } = setUp();
    expect(await failures(100, (n) => lockOut.begin(from('192.0.2.1', `name ${String(n)}`)))).toBe(50);
    await lockOut.begin(from('192.0.2.1', 'ann', 'her browser'));
  });

  it('lets what names nobody be tried fifty times from a network, whatever was tried by name, and the other way round', async () => {
    const { lockOut } = setUp();
    await failures(50, (n) => lockOut.begin(from('192.0.2.1', `name ${String(n)}`)));
    expect(await failures(100, () => lockOut.begin(from('192.0.2.1', null)))).toBe(50);
    await expect(lockOut.begin(from('192.0.2.1', null))).rejects.toThrow(/Try again in 15 minutes\.$/);
    await failures(50, () => lockOut.begin(from('192.0.2.2', null)));
    await lockOut.begin(from('192.0.2.2'));
  });

  it('rejects a network with too many failures whatever it tries', async () => {
    const { lockOut } = setUp();
    await failures(49, (n) => lockOut.begin(from('192.0.2.1', `name ${String(n)}`)));
    await failures(50, () => lockOut.begin(from('192.0.2.1', null)));
    lockOut.mustBeOpen('192.0.2.1');
    await lockOut.begin(from('192.0.2.1', 'one more'));
    expect(() => {
      lockOut.mustBeOpen('192.0.2.1');
    }).toThrow(/Try again in 15 minutes, or use a browser/);
    lockOut.mustBeOpen('192.0.2.2');
  });

  it('counts no attempt that succeeded', async () => {
    const { lockOut } = setUp();
    const repeat = async (name: string | null): Promise<void> => {
      const attempt = from('192.0.2.1', name);
      await lockOut.begin(attempt);
      await lockOut.succeed(attempt);
    };
    expect([await failures(200, () => repeat('ann')), await failures(200, () => repeat(null))]).toEqual([200, 200]);
  });

  it('takes the addresses that one customer has for one network', () => {
    expect(['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::9', '2001:0db8:0001:0002::'].map(networkOf)).toEqual(
      Array.from({ length: 3 }, () => '2001:db8:1:2'),
    );
    expect([networkOf('::1'), networkOf('::ffff:192.0.2.1'), networkOf('192.0.2.1'), networkOf('')]).toEqual([
      '0:0:0:0',
      '192.0.2.1',
      '192.0.2.1',
      '',
    ]);
    expect(networkOf('2001:db8::2:3:4:5:6')).toBe('2001:db8:0:2');
  });
});

it('a browser is still known by the cookie of an earlier key', () => {
  const [cookie = ''] = createKnownDevices('a').toCookie('ann').split(';');
  const request = { headers: { cookie } } as IncomingMessage;
  const found = createKnownDevices('a').find(request, 'ann');
  expect(found).not.toBeNull();
  expect(createKnownDevices('b').find(request, 'ann')).toBeNull();
  expect(createKnownDevices('b', () => ['a']).find(request, 'ann')).toBe(found);
});

it('a name is guarded against many networks together, but not in a browser that is known, and no other name', async () => {
  let time = 0;
  const lockOut = createLockOut(() => time);
  const attempt = (network: number, name = 'ann', device: string | null = null) =>
    lockOut.begin({ name, address: `192.0.${String(network >> 8)}.${String(network & 255)}`, device });
  for (let network = 0; network < 100; network += 1) await attempt(network);
  await expect(attempt(999)).rejects.toThrow(
    /^Too many failed attempts for this name\. Try again in 15 minutes, or use a browser/,
  );
  await attempt(999, 'bob');
  await attempt(999, 'ann', 'her browser');
  time += 15 * 60_000;
  await attempt(999);
});

describe('the lock-out of several desks on one database', () => {
  const openDesks = async () => {
    const store = await openTestStore();
    const open = (windowMs = WINDOW_MS) =>
      createSharedFailures({ store, key: 'key', windowMs, elapsed: createFakeClock().elapsed });
    const [one, two] = [open(), open()].map((shared) => createLockOut(createFakeClock().now, shared)) as [
      LockOut,
      LockOut,
    ];
    return { store, open, one, two };
  };

  it('lets a name be tried five times in all, and is known at each from its first refusal on', async () => {
    const { store, one, two } = await openDesks();
    const attempt = from('192.0.2.1');
    expect(await failures(10, (n) => (n % 2 === 0 ? one : two).begin(attempt))).toBe(5);
    const refuse = async () => {
      for (const desk of [one, two]) await expect(desk.begin(attempt)).rejects.toThrow(/Try again in 15 minutes/);
    };
    await refuse();
    await store.stopWrites();
    await refuse();
    // What is locked at one desk only does not count at the other while the database is away, but its own failures do.
    const other = from('192.0.2.2');
    expect([await failures(10, () => one.begin(other)), await failures(10, () => two.begin(other))]).toEqual([5, 5]);
  });

  it('forgets the failures of whoever succeeds at any of them, and those of a quarter of an hour ago', async () => {
    const { store, open, one, two } = await openDesks();
    const attempt = from('192.0.2.1');
    expect(await failures(4, () => one.begin(attempt))).toBe(4);
    await two.begin(attempt);
    await two.succeed(attempt);
    expect(await failures(10, () => two.begin(attempt))).toBe(5);
    expect(JSON.stringify(await store.query('SELECT * FROM sign_in_failure'))).not.toMatch(/ann|192/);
    // As if a quarter of an hour had passed.
    const late = createLockOut(createFakeClock().now, open(0));
    expect(await failures(5, () => late.begin(attempt))).toBe(5);
    expect(await store.query('SELECT key FROM sign_in_failure')).toHaveLength(3);
  });

  it('locks a network that tries many names at many desks', async () => {
    const { one, two } = await openDesks();
    const begin = (n: number) => (n % 2 === 0 ? one : two).begin(from('192.0.2.1', `name ${String(n)}`));
    expect(await failures(100, begin)).toBe(50);
    await expect(begin(1)).rejects.toThrow('from this network');
    expect(() => {
      two.mustBeOpen('192.0.2.1');
    }).toThrow('Too many failed attempts');
  });
});
