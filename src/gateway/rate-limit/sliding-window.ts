import { PURPOSES, type RateLimiterState, type Purpose } from '../ports.ts';
import type { PermitLog } from './permit-log.ts';

export interface Budget {
  readonly requests: number;
  readonly seconds: number;
}

/** One request that counts against the budget. */
interface SpentPermit {
  readonly id: number;
  readonly purpose: Purpose;
  /** Empty: the desk itself. */
  readonly person: string;
  /** Null while the request is in flight: the exchange may count it at any moment until then. */
  settledAt: number | null;
}

/** The requests that still use up the budget, and when they stop doing so. */
export interface SlidingWindow {
  /** Counts it at once, and resolves once it is stored. If it cannot be, it counts no more. */
  readonly add: (purpose: Purpose, person: string) => Promise<SpentPermit>;
  /** The response has arrived. */
  readonly settle: (entry: SpentPermit) => void;
  /** The request was not sent. */
  readonly giveBack: (entry: SpentPermit) => void;
  /** Milliseconds until the `count`-th further request may be sent; infinite while that depends on requests in flight. */
  readonly waitFor: (purpose: Purpose, count: number) => number;
  /** The same for the `count`-th further request of one person, by their share. */
  readonly waitForShare: (purpose: Purpose, person: string, count: number) => number;
  readonly state: () => Omit<RateLimiterState, 'waiting'>;
}

/**
 * The part of the budget that only interactive reads may use. Of all that is left to be used, nobody may use more than they
 * leave: whoever takes all they can leaves half for the others.
 */
const RESERVE = 0.15;
const COUNTED_SECONDS = 300;

/**
 * `budget` null: no limit. The window is measured by the monotonic `elapsed`: with a wall clock, setting it ahead would
 * free the budget at once, and setting it back would lock it. If `elapsed` stops during sleep, the window only gets longer.
 */
export async function openSlidingWindow(budget: Budget | null, log: PermitLog, elapsed: () => number): Promise<SlidingWindow> {
  if (budget === null) return createUnlimited(elapsed);
  const past = await log.load();
  return createLimited(budget, log, elapsed, past.map(({ id, purpose, settledMsAgo }) => ({ id, purpose, person: '', settledAt: elapsed() - settledMsAgo })));
}

function createLimited(budget: Budget, log: PermitLog, elapsed: () => number, past: readonly SpentPermit[]): SlidingWindow {
  const windowMs = budget.seconds * 1_000;
  const reserve = Math.floor(budget.requests * RESERVE);
  let spent = past;

  const drop = (entry: SpentPermit): void => {
    spent = spent.filter((each) => each !== entry);
  };
  const allowedFor = (purpose: Purpose): number => budget.requests - (purpose === 'interactive' ? 0 : reserve);
  const freeAt = ({ settledAt }: SpentPermit): number => (settledAt === null ? Infinity : settledAt + windowMs);
  const dropExpired = (): void => {
    const oldest = elapsed() - windowMs;
    const isExpired = ({ settledAt }: SpentPermit): boolean => settledAt !== null && settledAt <= oldest;
    const expired = spent.filter(isExpired);
    if (expired.length === 0) return;
    log.forget(expired.map(({ id }) => id));
    spent = spent.filter((entry) => !isExpired(entry));
  };

  return {
    add: async (purpose, person) => {
      const { id, stored } = log.add(purpose);
      const entry: SpentPermit = { id, purpose, person, settledAt: null };
      spent = [...spent, entry];
      try {
        await stored;
      } catch (error) {
        drop(entry);
        throw error;
      }
      return entry;
    },
    giveBack: (entry) => {
      drop(entry);
      log.forget([entry.id]);
    },
    settle: (entry) => {
      if (entry.settledAt !== null) return;
      entry.settledAt = elapsed();
      log.settle(entry.id);
    },
    waitFor: (purpose, count) => {
      dropExpired();
      const excess = spent.length + count - allowedFor(purpose);
      if (excess <= 0) return 0;
      const free = spent.map(freeAt).sort((a, b) => a - b);
      return (free[excess - 1] ?? Infinity) - elapsed();
    },
    waitForShare: (purpose, person, count) => {
      if (person === '') return 0;
      dropExpired();
      const last = lastInTheWay(spent.toSorted((a, b) => (freeAt(a) < freeAt(b) ? -1 : 1)), person, count, allowedFor(purpose));
      return last === null ? 0 : freeAt(last) - elapsed();
    },
    state: () => {
      dropExpired();
      return { limit: { ...budget, reserve }, used: spent.length, ...nextFree(spent, elapsed() - windowMs), byPurpose: countByPurpose(spent) };
    },
  };
}

/** The permit after whose end, of these in the order in which they end, a person would use no more than they leave. */
function lastInTheWay(ending: readonly SpentPermit[], person: string, count: number, allowed: number): SpentPermit | null {
  let own = ending.filter((entry) => entry.person === person).length + count;
  let left = allowed - ending.length;
  let last: SpentPermit | null = null;
  for (const entry of ending) {
    if (own <= left) return last;
    left += 1;
    if (entry.person === person) own -= 1;
    last = entry;
  }
  return last;
}

/** A permit is free again a window after its response; for a request in flight, that time is unknown. */
function nextFree(spent: readonly SpentPermit[], oldest: number): Pick<RateLimiterState, 'nextFreeMs' | 'allFreeMs'> {
  const waits = spent.flatMap(({ settledAt }) => (settledAt === null ? [] : settledAt - oldest));
  if (waits.length === 0) return { nextFreeMs: null, allFreeMs: null };
  return { nextFreeMs: Math.min(...waits), allFreeMs: waits.length < spent.length ? null : Math.max(...waits) };
}

/** Counts only, without a record of each request: there is no limit to enforce. */
function createUnlimited(elapsed: () => number): SlidingWindow {
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
    add: (purpose, person) => {
      countsOf(elapsed())[purpose] += 1;
      return Promise.resolve({ id: 0, purpose, person, settledAt: null });
    },
    settle: () => undefined,
    giveBack: () => undefined,
    waitFor: () => 0,
    waitForShare: () => 0,
    state: () => {
      countsOf(elapsed());
      const sums = countByPurpose([]);
      for (const counts of bySecond.values()) for (const purpose of PURPOSES) sums[purpose] += counts[purpose];
      return { limit: null, used: PURPOSES.reduce((total, purpose) => total + sums[purpose], 0), nextFreeMs: null, allFreeMs: null, byPurpose: sums };
    },
  };
}

function countByPurpose(spent: readonly SpentPermit[]): Record<Purpose, number> {
  const counts = PURPOSES.map((purpose) => [purpose, spent.filter((entry) => entry.purpose === purpose).length]);
  return Object.fromEntries(counts) as Record<Purpose, number>;
}
