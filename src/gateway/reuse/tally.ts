import { PURPOSES, type LedgerState, type Purpose } from '../ports.ts';
import type { PermitLog, Spent } from './permit-log.ts';

export interface Budget {
  readonly requests: number;
  readonly seconds: number;
}

/** What was spent of the budget, and when how much of it comes back. */
export interface Tally {
  readonly add: (purpose: Purpose) => Spent;
  readonly settle: (entry: Spent) => void;
  /** Milliseconds until the `count`-th more request may be sent; infinite while that depends on answers that are out. */
  readonly waitFor: (purpose: Purpose, count: number) => number;
  readonly state: () => Omit<LedgerState, 'waiting'>;
}

/** This part of the budget only a person's click may use. */
const RESERVE = 0.15;
const COUNTED_SECONDS = 300;

/** `budget` null: no limit. */
export function createTally(budget: Budget | null, log: PermitLog, now: () => number): Tally {
  return budget === null ? createCounts(now) : createLimited(budget, log, now);
}

function createLimited(budget: Budget, log: PermitLog, now: () => number): Tally {
  const windowMs = budget.seconds * 1_000;
  const reserve = Math.floor(budget.requests * RESERVE);
  let spent: Spent[] = log.load(now());

  const drop = (): void => {
    const oldest = now() - windowMs;
    const kept = spent.filter(({ settledAt }) => settledAt === null || settledAt > oldest);
    if (kept.length < spent.length) log.forget(oldest);
    spent = kept;
  };

  return {
    add: (purpose) => {
      const entry = log.add(purpose, now());
      spent.push(entry);
      return entry;
    },
    settle: (entry) => {
      if (entry.settledAt === null) log.settle(entry, now());
    },
    waitFor: (purpose, count) => {
      drop();
      const excess = spent.length + count - (budget.requests - (purpose === 'click' ? 0 : reserve));
      if (excess <= 0) return 0;
      const free = spent.map(({ settledAt }) => (settledAt === null ? Infinity : settledAt + windowMs)).sort((a, b) => a - b);
      return (free[excess - 1] ?? Infinity) - now();
    },
    state: () => {
      drop();
      return { limit: { ...budget, reserve }, used: spent.length, ...findReturns(spent, windowMs), byPurpose: countByPurpose(spent) };
    },
  };
}

/** A request comes back when the window has passed since its answer; one whose answer is out, nobody knows when. */
function findReturns(spent: readonly Spent[], windowMs: number): Pick<LedgerState, 'nextBackAt' | 'allBackAt'> {
  const settled = spent.flatMap(({ settledAt }) => settledAt ?? []);
  if (settled.length === 0) return { nextBackAt: null, allBackAt: null };
  return { nextBackAt: Math.min(...settled) + windowMs, allBackAt: settled.length < spent.length ? null : Math.max(...settled) + windowMs };
}

/** With nothing to keep to, nothing is remembered one by one or on disk, where it would cost more than the request. */
function createCounts(now: () => number): Tally {
  const bySecond = new Map<number, Record<Purpose, number>>();
  const openSecond = (second: number): Record<Purpose, number> => {
    for (const old of bySecond.keys()) if (old <= second - COUNTED_SECONDS) bySecond.delete(old);
    const counts = countByPurpose([]);
    bySecond.set(second, counts);
    return counts;
  };
  const countsOf = (at: number): Record<Purpose, number> => {
    const second = Math.floor(at / 1_000);
    return bySecond.get(second) ?? openSecond(second);
  };
  return {
    add: (purpose) => {
      countsOf(now())[purpose] += 1;
      return { id: 0, purpose, settledAt: null };
    },
    settle: () => undefined,
    waitFor: () => 0,
    state: () => {
      countsOf(now());
      const sums = countByPurpose([]);
      for (const counts of bySecond.values()) for (const purpose of PURPOSES) sums[purpose] += counts[purpose];
      return { limit: null, used: PURPOSES.reduce((total, purpose) => total + sums[purpose], 0), nextBackAt: null, allBackAt: null, byPurpose: sums };
    },
  };
}

function countByPurpose(spent: readonly Spent[]): Record<Purpose, number> {
  const counts = PURPOSES.map((purpose) => [purpose, spent.filter((entry) => entry.purpose === purpose).length]);
  return Object.fromEntries(counts) as Record<Purpose, number>;
}
