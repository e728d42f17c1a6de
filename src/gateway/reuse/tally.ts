import { PURPOSES, type LedgerState, type Purpose } from '../ports.ts';
import type { PermitLog } from './permit-log.ts';

export interface Budget {
  readonly requests: number;
  readonly seconds: number;
}

/** A request as the budget counts it. */
interface Spent {
  readonly id: number;
  readonly purpose: Purpose;
  /** Null while the answer is out: the venue may count it at any moment until then. */
  settledAt: number | null;
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

/**
 * `budget` null: no limit. The window is measured by `elapsed`, which goes on evenly: a clock that is set ahead would free
 * the budget at once, and one that is set back would keep it for as long. That it stands still while the machine sleeps
 * only makes the window longer.
 */
export function createTally(budget: Budget | null, log: PermitLog, elapsed: () => number): Tally {
  return budget === null ? createCounts(elapsed) : createLimited(budget, log, elapsed);
}

function createLimited(budget: Budget, log: PermitLog, elapsed: () => number): Tally {
  const windowMs = budget.seconds * 1_000;
  const reserve = Math.floor(budget.requests * RESERVE);
  let spent: Spent[] = log.load().map(({ id, purpose, settledMsAgo }) => ({ id, purpose, settledAt: elapsed() - settledMsAgo }));

  const drop = (): void => {
    const oldest = elapsed() - windowMs;
    const isOver = ({ settledAt }: Spent): boolean => settledAt !== null && settledAt <= oldest;
    for (const { id } of spent.filter(isOver)) log.forget(id);
    spent = spent.filter((entry) => !isOver(entry));
  };

  return {
    add: (purpose) => {
      const entry = { id: log.add(purpose), purpose, settledAt: null };
      spent.push(entry);
      return entry;
    },
    settle: (entry) => {
      if (entry.settledAt !== null) return;
      entry.settledAt = elapsed();
      log.settle(entry.id);
    },
    waitFor: (purpose, count) => {
      drop();
      const excess = spent.length + count - (budget.requests - (purpose === 'click' ? 0 : reserve));
      if (excess <= 0) return 0;
      const free = spent.map(({ settledAt }) => (settledAt === null ? Infinity : settledAt + windowMs)).sort((a, b) => a - b);
      return (free[excess - 1] ?? Infinity) - elapsed();
    },
    state: () => {
      drop();
      return { limit: { ...budget, reserve }, used: spent.length, ...findReturns(spent, elapsed() - windowMs), byPurpose: countByPurpose(spent) };
    },
  };
}

/** A request comes back when the window has passed since its answer; one whose answer is out, nobody knows when. */
function findReturns(spent: readonly Spent[], oldest: number): Pick<LedgerState, 'nextBackMs' | 'allBackMs'> {
  const waits = spent.flatMap(({ settledAt }) => (settledAt === null ? [] : settledAt - oldest));
  if (waits.length === 0) return { nextBackMs: null, allBackMs: null };
  return { nextBackMs: Math.min(...waits), allBackMs: waits.length < spent.length ? null : Math.max(...waits) };
}

/** With nothing to keep to, nothing is remembered one by one or on disk, where it would cost more than the request. */
function createCounts(elapsed: () => number): Tally {
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
      countsOf(elapsed())[purpose] += 1;
      return { id: 0, purpose, settledAt: null };
    },
    settle: () => undefined,
    waitFor: () => 0,
    state: () => {
      countsOf(elapsed());
      const sums = countByPurpose([]);
      for (const counts of bySecond.values()) for (const purpose of PURPOSES) sums[purpose] += counts[purpose];
      return { limit: null, used: PURPOSES.reduce((total, purpose) => total + sums[purpose], 0), nextBackMs: null, allBackMs: null, byPurpose: sums };
    },
  };
}

function countByPurpose(spent: readonly Spent[]): Record<Purpose, number> {
  const counts = PURPOSES.map((purpose) => [purpose, spent.filter((entry) => entry.purpose === purpose).length]);
  return Object.fromEntries(counts) as Record<Purpose, number>;
}
