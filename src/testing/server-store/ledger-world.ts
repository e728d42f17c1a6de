import { randomUUID } from 'node:crypto';
import type { Driver, Read, Step } from '#sql/driver.ts';
import type { Budget, RateLimiter } from '#server/core/ports.ts';
import { ofAllDesks } from '#server/proxy/budget/ledger.ts';
import { createRateLimiter } from '#server/proxy/budget/rate-limiter.ts';
import { openSlidingWindow } from '#server/proxy/budget/sliding-window.ts';
import { sqliteSentences } from '#server/store/sqlite-sentences.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { toTestStore, type TestStore } from './test-store.ts';

/** Desks on one database, each with its own clock, and the database with another one. */
export interface LedgerWorld {
  readonly store: TestStore;
  readonly openDesk: (budget: Budget | null, clock?: FakeClock) => Promise<LedgerDesk>;
  /** Lets time pass everywhere. */
  readonly pass: (milliseconds: number) => Promise<void>;
  /** Sets the clock of the database. */
  readonly correct: (milliseconds: number) => void;
  /** Resolves once the database has nothing to do. */
  readonly settle: () => Promise<void>;
  /** The statements that the database has received. */
  readonly statements: () => readonly string[];
}

export interface LedgerDesk extends RateLimiter {
  readonly clock: FakeClock;
  /** Why it withheld the budget. */
  readonly warnings: readonly string[];
}

/** Stands for the database’s time in statements. */
const NOW = 'time_of_the_test()';
const STEP_MS = 500;

export function openLedgerWorld({ driver, state }: TestStore): LedgerWorld {
  let at = 1_800_000_000_000;
  let busy = 0;
  const clocks: FakeClock[] = [];
  const received: string[] = [];
  const timed = <Statement extends Read | Step>(statement: Statement): Statement => {
    if (!('sql' in statement)) return statement;
    received.push(statement.name);
    // A statement without a name is not prepared.
    return { ...statement, name: '', sql: statement.sql.replaceAll(NOW, String(at)) };
  };
  const counted = async <Result>(work: Promise<Result>): Promise<Result> => {
    busy += 1;
    return work.finally(() => void (busy -= 1));
  };
  const transact: Driver['transact'] = (plan) =>
    counted(
      driver.transact(function* () {
        const steps = plan();
        let step = steps.next();
        while (step.done !== true) step = steps.next(yield timed(step.value));
        return step.value;
      }),
    );
  const store = toTestStore({
    ...sqliteSentences,
    ...state(),
    isShared: true,
    driver: {
      ...driver,
      dialect: { ...driver.dialect, now: NOW },
      read: (read) => counted(driver.read(timed(read))),
      write: (steps, options) => counted(driver.write(steps.map(timed), options)),
      transact,
    },
  });
  const settle = async (): Promise<void> => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (busy > 0);
  };
  return {
    store,
    settle,
    openDesk: async (budget, clock = createFakeClock(1_000 * clocks.length)) => {
      const warnings: string[] = [];
      const { elapsed, schedule } = clock;
      const openPermits = ofAllDesks({
        ...clock,
        desk: randomUUID(),
        store,
        log: (_, event) => void warnings.push(event),
      });
      const limiter = createRateLimiter(await openSlidingWindow({ budget, openPermits, elapsed }), schedule, elapsed);
      clocks.push(clock);
      return { ...limiter, clock, warnings };
    },
    pass: async (milliseconds) => {
      for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
        const step = Math.min(STEP_MS, milliseconds - passed);
        at += step;
        for (const clock of clocks) await clock.advance(step);
        await settle();
      }
    },
    correct: (milliseconds) => {
      at += milliseconds;
    },
    statements: () => received,
  };
}
