import { describe, expect, it } from 'vitest';
import { DESK_ITSELF, type Budget, type Permit, type RateLimiter } from '#server/core/ports.ts';
import { createPermitLog } from '#server/proxy/budget/permit-log.ts';
import { ofOneDesk } from '#server/proxy/budget/permits.ts';
import { createRateLimiter } from '#server/proxy/budget/rate-limiter.ts';
import { openSlidingWindow } from '#server/proxy/budget/sliding-window.ts';
import type { Store } from '#server/store/store.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import type { NewLocation } from './store-location.ts';
import type { TestStore } from './test-store.ts';

const forever = new AbortController().signal;
const BUDGET: Budget = { requests: 3, seconds: 100 };
const WINDOW_MS = 100_000;

async function openLimiter(clock: FakeClock, store: Store, budget: Budget | null = BUDGET): Promise<RateLimiter> {
  const window = await openSlidingWindow({
    budget,
    openPermits: ofOneDesk(createPermitLog(store, clock), clock.elapsed),
    elapsed: clock.elapsed,
  });
  return createRateLimiter(window, clock.schedule, clock.elapsed);
}

const acquire = (limiter: RateLimiter, signal = forever): Promise<Permit> =>
  limiter.acquire({ purpose: 'interactive', payers: DESK_ITSELF }, signal);

/** Waits until writes in progress are finished, because writes run one after another. */
const written = (store: Store): Promise<unknown> => store.mustWrite(() => Promise.resolve());

async function countRows(store: TestStore): Promise<number> {
  await written(store);
  return Number((await store.query('SELECT count(*) FROM spent_permit'))[0]?.[0]);
}

/** For the stores of one desk. */
export function permitsSuite(newPlace: NewLocation): void {
  describe('spent permits', () => {
    it('count after a restart, those in flight too, until a window is over', async () => {
      const clock = createFakeClock();
      const place = await newPlace();
      const before = await place.open();
      const limiter = await openLimiter(clock, before);
      (await acquire(limiter)).settle();
      await acquire(limiter);
      await before.close();
      await clock.advance(50_000);
      const store = await place.open();
      const after = await openLimiter(clock, store);
      expect(after.state()).toMatchObject({ used: 2, byPurpose: { interactive: 2 } });
      await clock.advance(50_000);
      expect(after.state().used).toBe(1);
      await clock.advance(49_999);
      expect(after.state().used).toBe(1);
      await clock.advance(1);
      expect(after.state().used).toBe(0);
      expect(await countRows(store)).toBe(0);
    });

    it('have ids after all that are stored', async () => {
      const clock = createFakeClock();
      const place = await newPlace();
      for (const used of [1, 2, 3]) {
        const store = await place.open();
        const limiter = await openLimiter(clock, store);
        (await acquire(limiter)).settle();
        expect(limiter.state().used).toBe(used);
        await store.close();
      }
      const ids = await (await place.open()).query('SELECT id FROM spent_permit ORDER BY id');
      expect(ids.map(([id]) => Number(id))).toEqual([1, 2, 3]);
    });

    it('count from the moment they are taken, before they are stored', async () => {
      const limiter = await openLimiter(createFakeClock(), await (await newPlace()).open());
      const granted = Array.from({ length: 3 }, () => acquire(limiter));
      expect(limiter.state().used).toBe(3);
      const waiting = acquire(limiter);
      expect(limiter.state().waiting).toBe(1);
      for (const permit of granted) await permit;
      limiter.close();
      await expect(waiting).rejects.toMatchObject({ problem: { type: 'budget-spent' } });
    });

    it('are stored before they are granted, those that are taken at once in one transaction', async () => {
      const store = await (await newPlace()).open();
      let transactions = 0;
      const counting: Store = {
        ...store,
        mustWrite: (work) =>
          store.mustWrite((writing) =>
            work({ ...writing, write: (steps) => ((transactions += 1), writing.write(steps)) }),
          ),
      };
      const limiter = await openLimiter(createFakeClock(), counting, { requests: 100, seconds: 100 });
      transactions = 0;
      const stored = await Promise.all(Array.from({ length: 50 }, () => acquire(limiter).then(() => countRows(store))));
      expect(new Set(stored)).toEqual(new Set([50]));
      expect(transactions).toBe(1);
    });

    it('are given back, and the read refused, if they cannot be stored', async () => {
      const store = await (await newPlace()).open();
      const limiter = await openLimiter(createFakeClock(), store);
      await store.stopWrites();
      const taken = [acquire(limiter), acquire(limiter)];
      for (const permit of taken)
        await expect(permit).rejects.toMatchObject({ problem: { type: 'desk-cannot-write' } });
      expect(limiter.state().used).toBe(0);
      await store.allowWrites();
      await acquire(limiter);
      expect([limiter.state().used, await countRows(store)]).toEqual([1, 1]);
    });

    it('are given back if the caller leaves while they are stored', async () => {
      const store = await (await newPlace()).open();
      const limiter = await openLimiter(createFakeClock(), store);
      const leaving = new AbortController();
      const gone = acquire(limiter, leaving.signal);
      leaving.abort();
      await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
      expect([limiter.state().used, await countRows(store)]).toEqual([0, 0]);
    });

    it('are given back if the exchange reports too many requests while they are stored', async () => {
      const store = await (await newPlace()).open();
      const limiter = await openLimiter(createFakeClock(), store);
      const early = acquire(limiter);
      limiter.pauseFor(30);
      await expect(early).rejects.toMatchObject({ problem: { type: 'budget-spent', retryAfterSeconds: 30 } });
      expect([limiter.state().used, await countRows(store)]).toEqual([0, 0]);
    });

    it('are free no earlier than the wall clock says, whatever the other clock of another machine was', async () => {
      for (const uptime of [0, 90_000, 500_000]) {
        const clock = createFakeClock();
        const place = await newPlace();
        await clock.advance(200_000);
        const before = await place.open();
        (await acquire(await openLimiter(clock, before))).settle();
        await before.close();
        const other = createFakeClock(clock.now() - uptime);
        await other.advance(uptime + 30_000);
        const after = await openLimiter(other, await place.open());
        await other.advance(WINDOW_MS - 30_001);
        expect(after.state().used).toBe(1);
        await other.advance(30_001);
        expect(after.state().used).toBe(0);
      }
    });

    it('are not stored where there is no limit', async () => {
      const store = await (await newPlace()).open();
      const limiter = await openLimiter(createFakeClock(), store, null);
      await acquire(limiter);
      expect([limiter.state().used, await countRows(store)]).toEqual([1, 0]);
    });
  });
}
