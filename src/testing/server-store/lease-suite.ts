import { describe, expect, it } from 'vitest';
import type { Step } from '#sql/driver.ts';
import { createLeaderStore } from '#server/store/leader-store.ts';
import { createLease, LEASE_MS, RENEW_MS, type Lease } from '#server/store/lease.ts';
import type { Store } from '#server/store/store.ts';
import { ownerCodes } from '#server/store/tables.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import type { NewLocation, StoreLocation } from './store-location.ts';
import type { TestStore } from './test-store.ts';

/** Opens a store that several servers may have open. */
export async function openShared(place: StoreLocation): Promise<TestStore> {
  return { ...(await place.open()), isShared: true };
}

/** Advances the clock in small steps, because a real database takes time for what is due in each. */
async function pass(clock: FakeClock, milliseconds: number, ...leases: readonly Lease[]): Promise<void> {
  for (let step = 0; step < milliseconds; step += 500) {
    await clock.advance(Math.min(500, milliseconds - step));
    await settle(clock);
    expect(leases.filter(({ isHeld }) => isHeld()).length).toBeLessThanOrEqual(1);
  }
}

/** The leases on one clock. Each ends its turn by setting a timer. */
const leasesOn = new WeakMap<FakeClock, number>();

async function settle(clock: FakeClock): Promise<void> {
  await expect.poll(clock.timers, { interval: 1 }).toBe(leasesOn.get(clock));
}

export function leaseOn(store: Store, holder: string, clock: FakeClock): Lease & { readonly changes: boolean[] } {
  const changes: boolean[] = [];
  const lease = createLease({ store, name: 'work', holder, ...clock });
  leasesOn.set(clock, (leasesOn.get(clock) ?? 0) + 1);
  lease.onChange((isHeld) => changes.push(isHeld));
  return { ...lease, changes };
}

const NOT_LEADER = {
  problem: { detail: expect.stringContaining('Another desk on this database is the leader') as string },
};

function toCode(code: string): Step {
  return { table: ownerCodes, rows: [['s', 'account', code]] };
}

export function leaseSuite(newPlace: NewLocation): void {
  describe('a lease', () => {
    it('is held by the first desk, and by the next one as soon as that has closed', async () => {
      const store = await openShared(await newPlace());
      const [one, other] = [createFakeClock(), createFakeClock(5)];
      const [first, second] = [leaseOn(store, 'first', one), leaseOn(store, 'second', other)];
      void first.start();
      await expect.poll(first.isHeld).toBe(true);
      void second.start();
      for (let turn = 0; turn < 10; turn++) {
        await pass(one, RENEW_MS, first, second);
        await pass(other, RENEW_MS, first, second);
      }
      expect([first.isHeld(), second.isHeld()]).toEqual([true, false]);
      await first.close();
      expect(first.isHeld()).toBe(false);
      await pass(other, RENEW_MS);
      await expect.poll(second.isHeld).toBe(true);
      expect([first.changes, second.changes]).toEqual([[true, false], [true]]);
      await second.close();
    });

    it('is taken from a desk that has died once it has expired, and not before', async () => {
      const store = await openShared(await newPlace());
      const [one, other] = [createFakeClock(), createFakeClock()];
      const [first, second] = [leaseOn(store, 'first', one), leaseOn(store, 'second', other)];
      void first.start();
      await expect.poll(first.isHeld).toBe(true);
      void second.start();
      await settle(other);
      // The clock of the first server stands still from here on, so it no longer writes.
      await pass(other, LEASE_MS - 500);
      expect(second.isHeld()).toBe(false);
      await pass(other, RENEW_MS);
      await expect.poll(second.isHeld).toBe(true);
      // The machine wakes after a long sleep, during which its monotonic clock stood still.
      one.correct(LEASE_MS);
      expect(first.isHeld()).toBe(false);
      await pass(one, RENEW_MS, first, second);
      expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
      await second.close();
      await first.close();
    });

    it('fences what only the leader writes: one whose lease was taken while it slept changes nothing', async () => {
      const store = await openShared(await newPlace());
      const [one, other] = [createFakeClock(), createFakeClock()];
      const [first, second] = [leaseOn(store, 'first', one), leaseOn(store, 'second', other)];
      await first.start();
      await second.start();
      const [ofFirst, ofSecond] = [first, second].map((lease) => createLeaderStore(store, lease)) as [Store, Store];
      await ofFirst.mustWrite(({ write }) => write([toCode('A')]));
      await expect(ofSecond.mustWrite(({ write }) => write([toCode('B')]))).rejects.toMatchObject(NOT_LEADER);
      await ofSecond.tryToWrite(({ write }) => write([toCode('C')]));
      // The clocks of the first desk stand still, so it still takes the lease for its own.
      await pass(other, LEASE_MS + RENEW_MS);
      expect([first.isHeld(), second.isHeld()]).toEqual([true, true]);
      expect(second.epoch()).toBe(first.epoch() + 1);
      await expect(ofFirst.mustWrite(({ write }) => write([toCode('D')]))).rejects.toMatchObject(NOT_LEADER);
      await expect(ofFirst.mustWrite(({ writeThrough }) => writeThrough([toCode('E')]))).rejects.toMatchObject(
        NOT_LEADER,
      );
      await expect(
        ofFirst.mustWrite(({ transact }) =>
          transact(function* () {
            yield toCode('F');
          }),
        ),
      ).rejects.toMatchObject(NOT_LEADER);
      await ofSecond.mustWrite(({ transact }) =>
        transact(function* () {
          yield toCode('G');
        }),
      );
      expect(await store.query('SELECT code FROM owner_code ORDER BY code')).toEqual([['A'], ['G']]);
      await second.close();
      await first.close();
    });

    it('expires while the store cannot be written, and is held again once it can', async () => {
      const store = await openShared(await newPlace());
      const clock = createFakeClock();
      const lease = leaseOn(store, 'one', clock);
      void lease.start();
      await expect.poll(lease.isHeld).toBe(true);
      await store.stopWrites();
      await pass(clock, LEASE_MS);
      expect(lease.isHeld()).toBe(false);
      await store.allowWrites();
      await pass(clock, LEASE_MS + 2 * RENEW_MS);
      await expect.poll(lease.isHeld).toBe(true);
      expect(lease.changes).toEqual([true, false, true]);
      await lease.close();
    });
  });
}
