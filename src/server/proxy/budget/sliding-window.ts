import {
  DESK_ITSELF,
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
import type { PermitLog } from './permit-log.ts';
import {
  count,
  findPayment,
  isLeft,
  shareOf,
  toParts,
  toTally,
  usedBy,
  type Counted,
  type Parts,
  type Tally,
} from './shares.ts';

/** A request that counts against the budget. */
interface SpentPermit extends Counted {
  readonly id: number;
  readonly purpose: Purpose;
  /** Null while the request is in flight: the exchange may count it at any moment until it ends. */
  endedAt: number | null;
}

/** The number of reads that wait ahead of another, and how many of them have the same payers. */
interface Ahead {
  readonly all: number;
  readonly own: number;
}

/** The requests that still use up the budget, and when they stop doing so. */
export interface SlidingWindow {
  /** Notes that these people are present. */
  readonly note: (payers: Payers) => void;
  /** Counts the request at once, and resolves once it is stored. If storing fails, it is no longer counted. */
  readonly add: (cause: ReadCause) => Promise<SpentPermit>;
  /** Called when the response has arrived. */
  readonly settle: (entry: SpentPermit) => void;
  /** Called when the request was not sent. */
  readonly giveBack: (entry: SpentPermit) => void;
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
  /** Whether a share is kept for the journal. */
  readonly keepsJournal?: boolean;
  readonly log: PermitLog;
  /** Monotonic. */
  readonly elapsed: () => number;
}

/**
 * Uses the monotonic `elapsed`, because setting a wall clock ahead would free the budget at once, and setting it back
 * would lock it. If `elapsed` stops during sleep, the window only gets longer.
 */
export async function openSlidingWindow({
  budget,
  keepsJournal = false,
  log,
  elapsed,
}: SlidingWindowDeps): Promise<SlidingWindow> {
  if (budget === null) return createUnlimited(elapsed);
  const past = await log.load();
  return createLimited(
    budget,
    toParts(budget, keepsJournal),
    { log, elapsed },
    past.map(({ id, purpose, endedMsAgo }) => ({ id, purpose, ...OF_PAST, endedAt: elapsed() - endedMsAgo })),
  );
}

/** The payers of an earlier start’s requests are unknown. */
const OF_PAST: Counted = { payers: DESK_ITSELF, isOfReserve: false };

function createLimited(
  budget: Budget,
  parts: Parts,
  { log, elapsed }: Pick<SlidingWindowDeps, 'log' | 'elapsed'>,
  past: readonly SpentPermit[],
): SlidingWindow {
  const windowMs = budget.seconds * 1_000;
  const permits = createPermits(past, windowMs, { log, elapsed });
  const seen = new Map<Payer, number>();
  const there = (): ReadonlySet<Payer> => {
    const oldest = elapsed() - windowMs;
    for (const [payer, at] of seen)
      if (at <= oldest && !permits.all().some(({ payers }) => payers.includes(payer))) seen.delete(payer);
    return new Set(seen.keys());
  };
  const tallyNow = (): Tally => toTally(permits.all());

  return {
    note: (payers) => {
      for (const payer of payers) if (isPerson(payer)) seen.set(payer, elapsed());
    },
    add: ({ purpose, payers }) =>
      permits.add(purpose, findPayment(tallyNow(), parts, purpose, payers, there()) ?? { payers, isOfReserve: false }),
    giveBack: permits.giveBack,
    settle: permits.settle,
    waitFor: ({ purpose, payers }, { all, own } = NOBODY_AHEAD) => {
      const tally = tallyNow();
      const present = there();
      // Counts those ahead as sent.
      count(tally, { payers: [], isOfReserve: false }, all - own);
      count(tally, { payers, isOfReserve: false }, own);
      let wait = 0;
      for (const entry of permits.all().toSorted((a, b) => (permits.freeAt(a) < permits.freeAt(b) ? -1 : 1))) {
        if (findPayment(tally, parts, purpose, payers, present) !== null) return wait;
        count(tally, entry, -1);
        wait = permits.freeAt(entry) - elapsed();
      }
      return findPayment(tally, parts, purpose, payers, present) === null ? Infinity : wait;
    },
    isOverShare: ({ purpose, payers }) => {
      const tally = tallyNow();
      return isLeft(tally, parts, purpose) && findPayment(tally, parts, purpose, payers, there()) === null;
    },
    shareOf: (payer) => {
      const tally = tallyNow();
      return {
        requests: shareOf(tally, parts, payer, there()),
        used: usedBy(tally.common, payer),
        seconds: budget.seconds,
      };
    },
    state: () => {
      const spent = permits.all();
      return {
        limit: { ...budget, reserve: parts.reserve },
        used: spent.length,
        ...nextFree(spent, elapsed() - windowMs),
        byPurpose: countByPurpose(spent),
      };
    },
  };
}

/** The permits that count; each is stored when granted, settled and expired. */
interface Permits extends Pick<SlidingWindow, 'settle' | 'giveBack'> {
  readonly all: () => readonly SpentPermit[];
  readonly freeAt: (entry: SpentPermit) => number;
  readonly add: (purpose: Purpose, payment: Counted) => Promise<SpentPermit>;
}

function createPermits(
  past: readonly SpentPermit[],
  windowMs: number,
  { log, elapsed }: Pick<SlidingWindowDeps, 'log' | 'elapsed'>,
): Permits {
  let spent = past;
  const drop = (entry: SpentPermit): void => {
    spent = spent.filter((each) => each !== entry);
  };
  return {
    all: () => {
      const oldest = elapsed() - windowMs;
      const isExpired = ({ endedAt }: SpentPermit): boolean => endedAt !== null && endedAt <= oldest;
      const expired = spent.filter(isExpired);
      if (expired.length > 0) {
        log.forget(expired.map(({ id }) => id));
        spent = spent.filter((entry) => !isExpired(entry));
      }
      return spent;
    },
    freeAt: ({ endedAt }) => (endedAt === null ? Infinity : endedAt + windowMs),
    add: async (purpose, payment) => {
      const { id, stored } = log.add(purpose);
      const entry: SpentPermit = { id, purpose, ...payment, endedAt: null };
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
      if (entry.endedAt !== null) return;
      entry.endedAt = elapsed();
      log.settle(entry.id);
    },
  };
}

const NOBODY_AHEAD: Ahead = { all: 0, own: 0 };

/**
 * Returns when permits are free again: one window after the response; for a request in flight, that time is unknown.
 */
function nextFree(spent: readonly SpentPermit[], oldest: number): Pick<RateLimiterState, 'nextFreeMs' | 'allFreeMs'> {
  const waits = spent.flatMap(({ endedAt }) => (endedAt === null ? [] : endedAt - oldest));
  if (waits.length === 0) return { nextFreeMs: null, allFreeMs: null };
  return { nextFreeMs: Math.min(...waits), allFreeMs: waits.length < spent.length ? null : Math.max(...waits) };
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
      return Promise.resolve({ id: 0, purpose, payers, isOfReserve: false, endedAt: null });
    },
    settle: () => undefined,
    giveBack: () => undefined,
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
