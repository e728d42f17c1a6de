import {
  isPerson,
  PURPOSES,
  type Budget,
  type Payer,
  type Payers,
  type Purpose,
  type RateLimiterState,
  type ReadCause,
  type Share,
} from '#server/core/ports.ts';
import type { OpenPermits, Permits, SpentPermit } from './permits.ts';
import { count, findPayment, isLeft, shareOf, toParts, toTally, usedBy, type Parts, type Tally } from './shares.ts';

/** The number of reads that wait ahead of another, and how many of them have the same payers. */
interface Ahead {
  readonly all: number;
  readonly own: number;
}

/** The requests that still use up the budget, and when they stop doing so. */
export interface SlidingWindow extends Pick<Permits, 'isVoid' | 'settle' | 'giveBack' | 'refresh'> {
  /** Notes that these people are present. */
  readonly note: (payers: Payers) => void;
  /**
   * Counts the request at once, and resolves once it is stored. It is no longer counted if storing fails, or if it
   * resolves with null: other desks have spent meanwhile what this one took to be left.
   */
  readonly add: (cause: ReadCause) => Promise<SpentPermit | null>;
  /**
   * Milliseconds until a read may be sent, after those ahead of it; infinite while that depends on requests in flight.
   */
  readonly waitFor: (cause: ReadCause, ahead?: Ahead) => number;
  /** Whether a read waits only for the shares of its payers. */
  readonly isOverShare: (cause: ReadCause) => boolean;
  readonly shareOf: (payer: Payer) => Share | null;
  readonly state: () => Omit<RateLimiterState, 'waiting'>;
}

const COUNTED_SECONDS = 300;

export interface SlidingWindowDeps {
  /** Null: no limit. */
  readonly budget: Budget | null;
  /** How often the journal is read, for which a share is kept; null if there is none. */
  readonly journalSeconds?: number | null;
  readonly openPermits: OpenPermits;
  /** Monotonic. */
  readonly elapsed: () => number;
}

export async function openSlidingWindow({
  budget,
  journalSeconds = null,
  openPermits,
  elapsed,
}: SlidingWindowDeps): Promise<SlidingWindow> {
  if (budget === null) return createUnlimited(elapsed);
  const windowMs = budget.seconds * 1_000;
  return createLimited(budget, toParts(budget, journalSeconds), await openPermits(windowMs), elapsed);
}

function createLimited(budget: Budget, parts: Parts, permits: Permits, elapsed: () => number): SlidingWindow {
  const seen = new Map<Payer, number>();
  /** Returns who is present: seen at this desk, or counted at any. */
  const presentIn = ({ common, reserve }: Tally): ReadonlySet<Payer> => {
    const oldest = elapsed() - budget.seconds * 1_000;
    for (const [payer, at] of seen) if (at <= oldest) seen.delete(payer);
    const present = new Set(seen.keys());
    for (const { by } of [common, reserve]) for (const payer of by.keys()) if (isPerson(payer)) present.add(payer);
    return present;
  };
  const pay = (tally: Tally, { purpose, payers }: ReadCause, present = presentIn(tally)) =>
    findPayment(tally, parts, purpose, payers, present);
  const withheldMs = (): number => Math.max(0, permits.withheldUntil() - elapsed());
  const freeIn = (entry: SpentPermit): number => permits.freeAt(entry) - elapsed();

  return {
    note: (payers) => {
      for (const payer of payers) if (isPerson(payer)) seen.set(payer, elapsed());
    },
    add: (cause) => permits.add(cause.purpose, (spent) => pay(toTally(spent), cause)),
    isVoid: permits.isVoid,
    giveBack: permits.giveBack,
    settle: permits.settle,
    refresh: permits.refresh,
    waitFor: (cause, { all, own } = NOBODY_AHEAD) => {
      const spent = permits.all();
      const tally = toTally(spent);
      const present = presentIn(tally);
      // Counts those ahead as sent.
      count(tally, { payers: [], isOfReserve: false }, all - own);
      count(tally, { payers: cause.payers, isOfReserve: false }, own);
      let wait = withheldMs();
      if (pay(tally, cause, present) !== null) return wait;
      for (const entry of spent.toSorted((a, b) => (permits.freeAt(a) < permits.freeAt(b) ? -1 : 1))) {
        count(tally, entry, -1);
        wait = Math.max(wait, freeIn(entry));
        if (pay(tally, cause, present) !== null) return wait;
      }
      return Infinity;
    },
    isOverShare: (cause) => {
      const tally = toTally(permits.all());
      return withheldMs() === 0 && isLeft(tally, parts, cause.purpose) && pay(tally, cause) === null;
    },
    shareOf: (payer) => {
      const tally = toTally(permits.all());
      return {
        requests: shareOf(tally, parts, payer, presentIn(tally)),
        used: usedBy(tally.common, payer),
        seconds: budget.seconds,
      };
    },
    state: () => {
      const spent = permits.all();
      const limit = { ...budget, reserve: parts.reserve };
      const byPurpose = countByPurpose(spent);
      const withheld = withheldMs();
      // What was sent before is not known, so all of it may count.
      if (withheld > 0) return { limit, used: budget.requests, nextFreeMs: withheld, allFreeMs: withheld, byPurpose };
      return { limit, used: spent.length, ...nextFree(spent.map(freeIn)), byPurpose };
    },
  };
}

const NOBODY_AHEAD: Ahead = { all: 0, own: 0 };

/**
 * Returns when permits are free again: one window after the response; for a request in flight, that time is unknown.
 */
function nextFree(waits: readonly number[]): Pick<RateLimiterState, 'nextFreeMs' | 'allFreeMs'> {
  const known = waits.filter(Number.isFinite);
  if (known.length === 0) return { nextFreeMs: null, allFreeMs: null };
  return { nextFreeMs: Math.min(...known), allFreeMs: known.length < waits.length ? null : Math.max(...known) };
}

/** Counts only, without a record of each request, because there is no limit to enforce. */
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
    note: () => undefined,
    add: ({ purpose, payers }) => {
      countsOf(elapsed())[purpose] += 1;
      return Promise.resolve({ id: 0, purpose, payers, isOfReserve: false, endedAt: null, endsBy: Infinity });
    },
    isVoid: () => false,
    settle: () => undefined,
    giveBack: () => undefined,
    refresh: null,
    waitFor: () => 0,
    isOverShare: () => false,
    shareOf: () => null,
    state: () => {
      countsOf(elapsed());
      const sums = countByPurpose([]);
      for (const counts of bySecond.values()) for (const purpose of PURPOSES) sums[purpose] += counts[purpose];
      return {
        limit: null,
        used: PURPOSES.reduce((total, purpose) => total + sums[purpose], 0),
        nextFreeMs: null,
        allFreeMs: null,
        byPurpose: sums,
      };
    },
  };
}

function countByPurpose(spent: readonly SpentPermit[]): Record<Purpose, number> {
  const counts = PURPOSES.map((purpose) => [purpose, spent.filter((entry) => entry.purpose === purpose).length]);
  return Object.fromEntries(counts) as Record<Purpose, number>;
}
