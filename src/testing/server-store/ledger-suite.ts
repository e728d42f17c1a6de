import { describe, expect, it, onTestFinished } from 'vitest';
import { DESK_ITSELF, type Payers, type Permit, type Purpose, type RateLimiter } from '#server/core/ports.ts';
import { VoidPermit } from '#server/core/venue-failure.ts';
import { createFakeClock } from '../fake-clock.ts';
import { type LedgerDesk, openLedgerWorld } from './ledger-world.ts';
import type { NewLocation } from './store-location.ts';

const forever = new AbortController().signal;
const SECONDS = 100;
/** A window, and what the database’s clock may move unnoticed. */
const WINDOW_MS = SECONDS * 1_000 + 2_000;
/** The longest that a permit may be in use. */
const LONGEST_USE_MS = 55_000;

const acquire = (desk: RateLimiter, purpose: Purpose = 'interactive', payers: Payers = DESK_ITSELF): Promise<Permit> =>
  desk.acquire({ purpose, payers }, forever);

async function spend(desk: RateLimiter, count: number, payers: Payers = DESK_ITSELF): Promise<void> {
  for (let spent = 0; spent < count; spent++) {
    const permit = await acquire(desk, 'interactive', payers);
    permit.begin();
    permit.settle();
  }
}

export function ledgerSuite(newPlace: NewLocation): void {
  const open = async (requests = 3) => {
    const world = openLedgerWorld(await (await newPlace()).open());
    const openDesk = async (clock?: Parameters<typeof world.openDesk>[1]): Promise<LedgerDesk> => {
      const desk = await world.openDesk({ requests, seconds: SECONDS }, clock);
      onTestFinished(desk.close);
      return desk;
    };
    const count = async (): Promise<number> => {
      await world.settle();
      return Number((await world.store.query('SELECT count(*) FROM budget_permit'))[0]?.[0]);
    };
    const isRefused = async (desk: LedgerDesk): Promise<void> => {
      let result: unknown;
      acquire(desk, 'prefetch').then(
        () => (result = 'granted'),
        (error: unknown) => (result = error),
      );
      while (result === undefined) {
        await world.settle();
        await desk.clock.advance(0);
      }
      expect(result).toMatchObject({ problem: { type: 'budget-spent' } });
    };
    return { ...world, openDesk, count, isRefused };
  };

  describe('the budget of several desks', () => {
    it('is one: what a desk spends is missing at the others, whether or not they have looked since', async () => {
      const { openDesk, isRefused } = await open();
      const [one, other] = [await openDesk(), await openDesk()];
      await spend(one, 2);
      expect([one.state().used, other.state().used]).toEqual([2, 0]);
      await spend(other, 1);
      expect(other.state()).toMatchObject({ used: 3, byPurpose: { interactive: 3 } });
      await isRefused(one);
      await isRefused(other);
    });

    it('is free a window after the response, by the database’s clock alone', async () => {
      const { openDesk, isRefused, pass } = await open();
      const one = await openDesk();
      const fast = await openDesk(createFakeClock(4_000_000_000_000));
      await spend(one, 2);
      const inFlight = await acquire(one);
      await pass(30_000);
      inFlight.settle();
      one.clock.correct(86_400_000);
      fast.clock.correct(-86_400_000);
      await pass(WINDOW_MS - 30_500);
      await isRefused(fast);
      await pass(1_000);
      await spend(fast, 2);
      await isRefused(fast);
      expect(one.warnings).toEqual([]);
    });

    it('lets a read wait at one desk until another one gives back or settles what it needs', async () => {
      const { openDesk, pass, settle } = await open(1);
      const [one, other] = [await openDesk(), await openDesk()];
      const permit = await acquire(one);
      await pass(10_000);
      const waiting = acquire(other);
      await pass(2_000);
      expect(other.state().waiting).toBe(1);
      expect(() => {
        permit.begin();
      }).toThrow(VoidPermit);
      permit.settle();
      await settle();
      await pass(2_000);
      await expect(waiting).resolves.toBeDefined();
      expect(other.state()).toMatchObject({ used: 1, waiting: 0 });
    });

    it('counts what a dead desk had in flight for its longest use and a window, and no longer', async () => {
      const { openDesk, isRefused, pass } = await open();
      const dead = await openDesk();
      for (let each = 0; each < 3; each++) await acquire(dead);
      dead.close();
      const after = await openDesk();
      expect(after.state()).toMatchObject({ used: 3, allFreeMs: null });
      await pass(LONGEST_USE_MS + WINDOW_MS - 500);
      expect(after.state().used).toBe(3);
      await isRefused(after);
      await pass(1_000);
      expect(after.state().used).toBe(0);
      await spend(after, 3);
    });

    it('is decided in one transaction for all reads of a desk that ask at once', async () => {
      const { openDesk, statements, count } = await open(100);
      const desk = await openDesk();
      const before = statements().length;
      await Promise.all(Array.from({ length: 50 }, () => acquire(desk)));
      expect(statements().slice(before)).toEqual(['lock ledger', 'look at ledger']);
      expect(await count()).toBe(50);
    });

    it('is looked at rarely while nothing is read', async () => {
      const { openDesk, pass, statements } = await open();
      await openDesk();
      const before = statements().length;
      await pass(100_000);
      expect(statements().slice(before)).toEqual(Array.from({ length: 10 }, () => 'look at ledger'));
    });

    it('is not spent while nothing can be stored, and is as before once it can', async () => {
      const { openDesk, store, count } = await open();
      const desk = await openDesk();
      await store.stopWrites();
      await expect(acquire(desk)).rejects.toMatchObject({ problem: { type: 'desk-cannot-write' } });
      expect(desk.state().used).toBe(0);
      await store.allowWrites();
      await spend(desk, 1);
      expect([desk.state().used, await count()]).toEqual([1, 1]);
    });

    it('forgets what no longer counts', async () => {
      const { openDesk, pass, count } = await open();
      const desk = await openDesk();
      await spend(desk, 3);
      await pass(WINDOW_MS + 61_000);
      await spend(desk, 1);
      expect(await count()).toBe(1);
    });

    it('includes what an earlier version has spent, all of which may be in flight', async () => {
      const { openDesk, pass, store } = await open();
      await store.driver.write([
        {
          name: 'spend',
          sql: `INSERT INTO spent_permit (id, purpose, settled_at, settled_elapsed) VALUES (1, 'click', 5, 5), (2, 'history', NULL, NULL)`,
          values: [],
        },
      ]);
      const [one, other] = [await openDesk(), await openDesk()];
      for (const desk of [one, other])
        expect(desk.state()).toMatchObject({ used: 2, byPurpose: { interactive: 1, history: 1 } });
      await pass(LONGEST_USE_MS + WINDOW_MS);
      expect(one.state().used).toBe(0);
      expect(await store.query('SELECT count(*) FROM spent_permit').then(([row]) => Number(row?.[0]))).toBe(0);
    });
  });

  describe('a person’s share', () => {
    it('is the same over all desks: half of the budget while alone, and less for others to find some', async () => {
      const { openDesk } = await open(40);
      const [one, other] = [await openDesk(), await openDesk()];
      const [hostile, newcomer]: Payers[] = [['person hostile'], ['person newcomer']];
      const flood = async (desk: RateLimiter): Promise<number> => {
        let sent = 0;
        for (; sent < 40; sent++) {
          const permit = await acquire(desk, 'prefetch', hostile).catch(() => null);
          if (permit === null) break;
          permit.settle();
        }
        return sent;
      };
      const taken = [await flood(one), await flood(other)];
      expect([...taken, await flood(one)]).toEqual([20, 0, 0]);
      await spend(other, 4, newcomer);
      expect(await flood(other)).toBe(0);
      expect(other.shareOf('person hostile')).toMatchObject({ used: 20 });
    });
  });

  describe('a permit', () => {
    it.each(['monotonic', 'wall'] as const)(
      'is void after five seconds by the %s clock, and given back',
      async (clock) => {
        const { openDesk, pass, count } = await open();
        const desk = await openDesk();
        const inTime = await acquire(desk);
        await pass(5_000);
        inTime.begin();
        const late = await acquire(desk);
        if (clock === 'wall') desk.clock.correct(5_001);
        else await pass(5_001);
        expect(() => {
          late.begin();
        }).toThrow(VoidPermit);
        late.settle();
        expect([desk.state().used, await count()]).toEqual([1, 1]);
      },
    );

    it('is for one request, even if its connection breaks', async () => {
      const { openDesk, count } = await open();
      const permit = await acquire(await openDesk());
      permit.begin();
      expect(() => {
        permit.begin();
      }).toThrow(VoidPermit);
      permit.settle();
      expect(await count()).toBe(1);
    });
  });

  describe('a database that has lost transactions', () => {
    const change = (sql: string) => ({ name: '', sql, values: [] });
    it.each([
      ['a permit of one of the desks', "DELETE FROM budget_permit WHERE purpose = 'interactive'"],
      ['a decision of another desk', 'UPDATE budget_ledger SET number = number - 1'],
      ['the epoch of the leader', 'UPDATE leader_epoch SET epoch = 1'],
    ])('grants no permit until nothing sent before counts, at all desks: %s', async (_, loss) => {
      const { openDesk, isRefused, pass, store } = await open();
      await store.driver.write([change('INSERT INTO leader_epoch (id, epoch) VALUES (1, 2)')]);
      const [one, other] = [await openDesk(), await openDesk()];
      const permit = await acquire(one);
      permit.begin();
      await pass(1_000);
      await store.driver.write([change(loss)]);
      await pass(2_000);
      expect(one.warnings).toEqual(['budget withheld']);
      expect(one.state()).toMatchObject({ used: 3 });
      for (const desk of [one, other])
        await expect(acquire(desk)).rejects.toMatchObject({
          problem: { type: 'budget-spent', detail: expect.stringContaining('request budget is exhausted') as string },
        });
      permit.settle();
      await pass(LONGEST_USE_MS + WINDOW_MS - 3_000);
      await isRefused(one);
      await isRefused(other);
      await pass(15_000);
      await spend(other, 1);
      await spend(one, 1);
      expect([one.warnings.length, other.warnings.length <= 1]).toEqual([1, true]);
    });

    it('makes permits void that were not used yet', async () => {
      const { openDesk, pass, store } = await open();
      const desk = await openDesk();
      const permit = await acquire(desk);
      await store.driver.write([change('DELETE FROM budget_permit')]);
      await pass(2_000);
      expect(() => {
        permit.begin();
      }).toThrow(VoidPermit);
    });
  });

  describe('a database whose clock was set', () => {
    it.each([3_600_000, -3_600_000])('by %i ms frees nothing, and is trusted again a window later', async (by) => {
      const { openDesk, isRefused, pass, correct } = await open();
      const [one, other] = [await openDesk(), await openDesk()];
      await spend(one, 3);
      correct(by);
      await isRefused(other);
      await isRefused(one);
      await pass(LONGEST_USE_MS + WINDOW_MS - 500);
      await isRefused(one);
      await pass(15_000);
      await spend(one, 2);
      await spend(other, 1);
      await isRefused(one);
    });

    it.each([900, -900])('by %i ms is not noticed, and frees nothing early', async (by) => {
      const { openDesk, isRefused, pass, correct } = await open();
      const [one, other] = [await openDesk(), await openDesk()];
      await spend(one, 3);
      correct(by);
      await pass(SECONDS * 1_000);
      await isRefused(other);
      await pass(3_000);
      await spend(other, 3);
      expect([...one.warnings, ...other.warnings]).toEqual([]);
    });
  });
}
