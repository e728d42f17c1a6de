import { describe, expect, it } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { networkOf } from '#server/core/network.ts';
import { createLockOut } from './lock-out.ts';

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

function failures(most: number, begin: (n: number) => void): number {
  for (let n = 0; n < most; n += 1) {
    try {
      begin(n);
    } catch {
      return n;
    }
  }
  return most;
}

describe('the lock-out', () => {
  it('lets a name be tried five times from a network within a quarter of an hour, and says when to try again', async () => {
    const { clock, lockOut } = setUp();
    expect(
      failures(10, () => {
        lockOut.begin(from('192.0.2.1'));
      }),
    ).toBe(5);
    expect(() => {
      lockOut.begin(from('192.0.2.1'));
    }).toThrow(/Try again in 15 minutes/);
    await clock.advance(14 * MINUTE);
    expect(() => {
      lockOut.begin(from('192.0.2.1'));
    }).toThrow(/Try again in a minute/);
    await clock.advance(MINUTE);
    expect(
      failures(10, () => {
        lockOut.begin(from('192.0.2.1'));
      }),
    ).toBe(5);
  });

  it('cannot be used against others: neither from another network nor in a browser that is known does it count', () => {
    const { lockOut } = setUp();
    failures(10, () => {
      lockOut.begin(from('192.0.2.1'));
    });
    lockOut.begin(from('192.0.2.2'));
    lockOut.begin(from('192.0.2.1', 'ann', 'her browser'));
    expect(
      failures(10, () => {
        lockOut.begin(from('192.0.2.1', 'ann', 'her browser'));
      }),
    ).toBe(4);
  });

  it('lets a network try fifty times in all, whatever the names; a known browser in it is not affected', () => {
    const { lockOut } = setUp();
    expect(
      failures(100, (n) => {
        lockOut.begin(from('192.0.2.1', `name ${String(n)}`));
      }),
    ).toBe(50);
    lockOut.begin(from('192.0.2.1', 'ann', 'her browser'));
  });

  it('lets what names nobody be tried fifty times from a network, whatever was tried by name, and the other way round', () => {
    const { lockOut } = setUp();
    failures(50, (n) => {
      lockOut.begin(from('192.0.2.1', `name ${String(n)}`));
    });
    expect(
      failures(100, () => {
        lockOut.begin(from('192.0.2.1', null));
      }),
    ).toBe(50);
    expect(() => {
      lockOut.begin(from('192.0.2.1', null));
    }).toThrow(/Try again in 15 minutes\.$/);
    failures(50, () => {
      lockOut.begin(from('192.0.2.2', null));
    });
    lockOut.begin(from('192.0.2.2'));
  });

  it('rejects a network with too many failures whatever it tries', () => {
    const { lockOut } = setUp();
    failures(49, (n) => {
      lockOut.begin(from('192.0.2.1', `name ${String(n)}`));
    });
    failures(50, () => {
      lockOut.begin(from('192.0.2.1', null));
    });
    lockOut.mustBeOpen('192.0.2.1');
    lockOut.begin(from('192.0.2.1', 'one more'));
    expect(() => {
      lockOut.mustBeOpen('192.0.2.1');
    }).toThrow(/Try again in 15 minutes, or use a browser/);
    lockOut.mustBeOpen('192.0.2.2');
  });

  it('counts no attempt that succeeded', () => {
    const { lockOut } = setUp();
    const repeat = (name: string | null): void => {
      const attempt = from('192.0.2.1', name);
      lockOut.begin(attempt);
      lockOut.succeed(attempt);
    };
    expect([
      failures(200, () => {
        repeat('ann');
      }),
      failures(200, () => {
        repeat(null);
      }),
    ]).toEqual([200, 200]);
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
