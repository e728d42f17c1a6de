import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDiskCache } from '#server/proxy/response-cache.ts';
import { createFundingStore } from '#server/readings/funding/funding-store.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { leaseOn, pass } from '#testing/server-store/lease-suite.ts';
import { acquire, LONGEST_REQUEST_MS, openLimiter } from '#testing/server-store/permits-suite.ts';
import { locationAt, type NewLocation } from '#testing/server-store/store-location.ts';
import { storeSuites } from '#testing/server-store/store-suites.ts';
import { startPostgres, type PostgresServer } from '#testing/postgres-server.ts';
import { LEASE_MS, RENEW_MS } from './lease.ts';
import { ownerCodes } from './tables.ts';

let server: PostgresServer;
const newDatabase: NewLocation = async () => locationAt({ dataDir: '', databaseUrl: await server.createDatabase() });

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

const TAKEN_OVER = 'Another process has opened this store; this one can no longer write to it.';

describe('the store in PostgreSQL', () => {
  storeSuites(newDatabase, {
    full: /^The store postgres:.* is full: its server has no disk space left\.$/,
    reason: /^database failure: The store postgres:.* is full: its server has no disk space left\.$/,
    missing: /^The store postgres:.* failed: relation "owner_code" does not exist\.$/,
  });

  it('can be written only by the process that opened it last: the one before sends no more requests, and says why', async () => {
    const clock = createFakeClock();
    const place = await newDatabase();
    const before = await place.open();
    const old = await openLimiter(clock, before);
    (await acquire(old)).settle();
    const inFlight = await acquire(old);
    const after = await place.open();
    const limiter = await openLimiter(clock, after);
    await expect(acquire(old)).rejects.toMatchObject({ problem: { type: 'desk-cannot-write', detail: TAKEN_OVER } });
    inFlight.settle();
    expect(limiter.state().used).toBe(2);
    await acquire(limiter);
    // Requests that the previous process may still send count as if they were sent as late as possible.
    await clock.advance(100_000 + LONGEST_REQUEST_MS - 1);
    expect(limiter.state().used).toBe(2);
    await clock.advance(1);
    expect(limiter.state().used).toBe(1);
  });

  it('gives the lease of a process that it was taken over from to the next one, once it has expired', async () => {
    const clock = createFakeClock();
    const place = await newDatabase();
    const first = leaseOn(await place.open(), 'first', clock);
    first.start();
    await expect.poll(first.isHeld).toBe(true);
    const second = leaseOn(await place.open(), 'second', clock);
    second.start();
    await pass(clock, LEASE_MS - 500, first, second);
    expect(second.isHeld()).toBe(false);
    await pass(clock, 2 * RENEW_MS, first, second);
    await expect.poll(second.isHeld).toBe(true);
    expect(first.isHeld()).toBe(false);
    await first.close();
    await second.close();
  });

  it('keeps the requests of a process that was taken over counted, even if the next one restarts at once', async () => {
    const clock = createFakeClock();
    const place = await newDatabase();
    await acquire(await openLimiter(clock, await place.open()));
    await openLimiter(clock, await place.open());
    await clock.advance(10_000);
    const limiter = await openLimiter(clock, await place.open());
    await clock.advance(100_000 + LONGEST_REQUEST_MS - 10_001);
    expect(limiter.state().used).toBe(1);
    await clock.advance(1);
    expect(limiter.state().used).toBe(0);
  });

  it(
    'works again once a server that hung responds, and what waited for it fails with it',
    { timeout: 60_000 },
    async () => {
      const store = await (await newDatabase()).open({ elapsed: () => performance.now() });
      const funding = createFundingStore(store, 'venue');
      const cache = await openDiskCache(store, 100_000);
      await funding.append(1, [{ endAt: '', text: 'a' }]);
      server.suspend();
      onTestFinished(() => {
        server.resume();
      });
      const begunAt = performance.now();
      const writes = Array.from({ length: 20 }, () =>
        store.mustWrite(({ write }) => write([{ table: ownerCodes, rows: [['s', 'account', 'A']] }])),
      );
      const results = await Promise.allSettled([...writes, funding.list()]);
      expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
      expect(performance.now() - begunAt).toBeLessThan(15_000);
      expect(store.state()).toMatchObject({
        failedWrites: 20,
        lastFailure: { problem: { detail: expect.stringMatching(/does not respond|closed the connection/) as string } },
      });
      expect(await cache.find('k')).toBeUndefined();
      server.resume();
      await expect
        .poll(
          () =>
            funding.append(1, [{ endAt: '', text: 'b' }]).then(
              () => 'written',
              () => 'failed',
            ),
          { timeout: 20_000 },
        )
        .toBe('written');
      expect((await funding.read(1, { from: '', after: null, limit: 9 })).map(({ text }) => text)).toEqual(['b', 'a']);
    },
  );
});
