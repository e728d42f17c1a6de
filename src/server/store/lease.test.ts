import { expect, test } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { leaseOn, openShared } from '#testing/server-store/lease-suite.ts';
import { newMemory } from '#testing/server-store/store-location.ts';
import { LEASE_MS } from './lease.ts';

test('a store that one process alone can have open needs no row: the lease is held at once, for as long as it is open', async () => {
  const store = await (await newMemory()).open();
  const clock = createFakeClock();
  const lease = leaseOn(store, 'only', clock);
  expect(lease.isHeld()).toBe(true);
  void lease.start();
  await clock.advance(10 * LEASE_MS);
  expect(lease.isHeld()).toBe(true);
  expect(await store.query('SELECT name FROM desk_lease')).toEqual([]);
  await lease.close();
  expect([lease.isHeld(), lease.changes]).toEqual([false, [true, false]]);
});

test('of many desks that start together one holds it', async () => {
  const store = await openShared(await newMemory());
  const clock = createFakeClock();
  const leases = Array.from({ length: 8 }, (_, n) => leaseOn(store, `desk ${String(n)}`, clock));
  for (const lease of leases) void lease.start();
  await clock.advance(0);
  expect(leases.filter(({ isHeld }) => isHeld())).toHaveLength(1);
  await Promise.all(leases.map(({ close }) => close()));
});
