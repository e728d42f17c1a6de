import type { FundingYearRank } from '#contract/desk/funding.ts';
import { type EpochNanos, formatInstant, parseInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import type { ReadPlan } from '#sql/driver.ts';
import { DESK_ITSELF, isMoreUrgent, isSamePayers, type ReadCause } from '#server/core/ports.ts';
import { type Problem, VenueFailure } from '#server/core/venue-failure.ts';
import type { FundingReads, FundingStore, Perpetual, StoredPrint } from './funding-store.ts';
import {
  comparePrints,
  countFundingTimes,
  datedOf,
  isBehind,
  newestOf,
  type PrintDeps,
  updatePrints,
} from './update-settled-rates.ts';

interface Now {
  /** Monotonic. */
  readonly elapsed: number;
  /** The number of funding times that have passed. */
  readonly fundingTimes: number;
}

/** Decides when a perpetual may be read again after a read without new rates. */
interface ReadBackoff {
  readonly isOver: (productId: number, now: Now) => boolean;
  readonly foundNothing: (productId: number, now: Now) => void;
  readonly failed: (productId: number, now: Now, seconds: number) => void;
  readonly foundPrints: (productId: number) => void;
}

interface Pause {
  readonly until: number;
  readonly emptyReads: number;
  /** The next funding time ends the pause: it brings a rate of its own, even if the last one was never published. */
  readonly fundingTimes: number;
}

const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 600_000;

/** Doubles the pause with each read without new rates, so that a late or missing rate does not use up the budget. */
function createReadBackoff(): ReadBackoff {
  const pauses = new Map<number, Pause>();
  const emptyReadsSoFar = (productId: number, { fundingTimes }: Now): number => {
    const pause = pauses.get(productId);
    return pause !== undefined && fundingTimes <= pause.fundingTimes ? pause.emptyReads : 0;
  };
  return {
    isOver: (productId, now) => {
      const pause = pauses.get(productId);
      return pause === undefined || now.elapsed >= pause.until || now.fundingTimes > pause.fundingTimes;
    },
    foundNothing: (productId, now) => {
      const emptyReads = emptyReadsSoFar(productId, now);
      const until = now.elapsed + Math.min(FIRST_PAUSE_MS * 2 ** emptyReads, MAX_PAUSE_MS);
      pauses.set(productId, { until, emptyReads: emptyReads + 1, fundingTimes: now.fundingTimes });
    },
    failed: (productId, now, seconds) => {
      pauses.set(productId, {
        until: now.elapsed + seconds * 1_000,
        emptyReads: emptyReadsSoFar(productId, now),
        fundingTimes: Infinity,
      });
    },
    foundPrints: (productId) => void pauses.delete(productId),
  };
}

export interface FundingRecordsDeps extends PrintDeps {
  /** Whether at least half of the request budget is free. */
  readonly isBudgetFree: () => boolean;
  /** Whether this desk is the one that compares stored rates with those of the exchange. */
  readonly compares: () => boolean;
  /** Monotonic. */
  readonly elapsed: () => number;
}

/** The settled funding of all perpetuals: stored, and updated with only as many reads as there are new rates. */
export interface FundingRecords {
  /**
   * Resolves once updated as far as possible, with null or the reason why it is not current. Concurrent callers share
   * the read.
   */
  readonly bringUpToDate: (perpetual: Perpetual, cause: ReadCause) => Promise<Problem | null>;
  readonly store: FundingStore;
  /** Ranks the newest settled rate within its year; null if none has settled. */
  readonly rankInYear: YearRanks;
}

interface UnderWay {
  readonly cause: ReadCause;
  readonly read: Promise<Problem | null>;
}

interface FailedUpdate {
  readonly problem: Problem;
  readonly cause: ReadCause;
}

const PAUSE_AFTER_FAILURE_SECONDS = 5;

export function createFundingRecords(deps: FundingRecordsDeps): FundingRecords {
  const { store } = deps;
  const backoff = createReadBackoff();
  const comparison = createComparison(deps);
  const failures = new Map<number, FailedUpdate>();
  const underWay = new Map<number, UnderWay>();

  const now = () => ({ elapsed: deps.elapsed(), fundingTimes: countFundingTimes(deps.venueNow()) });
  const isDue = async (productId: number): Promise<boolean> => isBehind(deps, await newestOf(store, productId));

  const tryUpdate = async (perpetual: Perpetual, cause: ReadCause): Promise<Problem | null> => {
    const { productId } = perpetual;
    try {
      if (await updatePrints(deps, perpetual, cause)) backoff.foundPrints(productId);
      else backoff.foundNothing(productId, now());
      failures.delete(productId);
      return null;
    } catch (error) {
      if (!(error instanceof VenueFailure)) throw error;
      backoff.failed(productId, now(), error.problem.retryAfterSeconds ?? PAUSE_AFTER_FAILURE_SECONDS);
      failures.set(productId, { problem: error.problem, cause });
      return error.problem;
    }
  };

  const mayTry = (productId: number, cause: ReadCause): boolean =>
    backoff.isOver(productId, now()) || mayDoBetter(cause, failures.get(productId));

  const updateIfDue = async (perpetual: Perpetual, cause: ReadCause): Promise<Problem | null> => {
    const { productId } = perpetual;
    if (!(await isDue(productId))) return null;
    if (!mayTry(productId, cause)) return failures.get(productId)?.problem ?? null;
    const isFirst = (await newestOf(store, productId)) === undefined;
    const problem = await tryUpdate(perpetual, cause);
    if (isFirst && problem === null) comparison.hasBeenRead(productId);
    return problem;
  };

  const bringUpToDate = (perpetual: Perpetual, cause: ReadCause): Promise<Problem | null> => {
    const { productId } = perpetual;
    const begun = underWay.get(productId);
    if (begun !== undefined)
      return isMoreUrgent(cause.purpose, begun.cause.purpose)
        ? begun.read.then(() => bringUpToDate(perpetual, cause))
        : begun.read;
    // Registered before the first await, so that no second read of the perpetual begins meanwhile.
    const read = updateIfDue(perpetual, cause).finally(() => underWay.delete(productId));
    underWay.set(productId, { cause, read });
    // The response does not wait for the comparison.
    void read.then((problem) => {
      if (problem === null) comparison.compare(perpetual);
    }, ignore);
    return read;
  };

  return { bringUpToDate, store, rankInYear: createYearRanks() };
}

/** The caller receives the failure of an update. */
function ignore(): void {
  return undefined;
}

const DAY_MS = 86_400_000;
const COMPARED_EVERY_MS = 7 * DAY_MS;
/** After a start, these are compared: the exchange may have changed them in the meantime. */
const RECENT_MS = 30 * DAY_MS;
const LOOK_EVERY_MS = 3_600_000;

interface Comparison {
  /** Says that all rates of a perpetual have been read since the start. */
  readonly hasBeenRead: (productId: number) => void;
  readonly compare: (perpetual: Perpetual) => void;
}

/**
 * Compares the stored rates of one perpetual after another with those that the exchange publishes now: all of them once
 * a week, and the recent ones after a start. It waits while less than half of the request budget is free.
 */
function createComparison(deps: FundingRecordsDeps): Comparison {
  const { store, elapsed, now } = deps;
  const waiting = new Map<number, Perpetual>();
  const hasRecent = new Set<number>();
  /** When each perpetual may be looked at again. */
  const lookAt = new Map<number, number>();
  let isAtWork = false;

  const compareIfDue = async (perpetual: Perpetual): Promise<void> => {
    const { productId } = perpetual;
    const check = await store.view((reads) => reads.check(productId));
    const age = check === undefined ? Infinity : Math.abs(now() - check.checkedAt);
    const isWhole = age >= COMPARED_EVERY_MS || check?.beginsHere === null;
    if (!isWhole && hasRecent.has(productId)) return;
    // Without a dated rate, an update reads everything.
    if (datedOf(await newestOf(store, productId)) === undefined) return;
    const from = formatInstant(toEpochNanos(deps.venueNow() - RECENT_MS));
    const recent = isWhole ? [] : await store.read(productId, { from, after: null, limit: MOST_PRINTS });
    await comparePrints(deps, perpetual, { purpose: 'prefetch', payers: DESK_ITSELF }, datedOf(recent.at(-1)));
    hasRecent.add(productId);
  };

  const work = async (): Promise<void> => {
    isAtWork = true;
    for (const [productId, perpetual] of waiting) {
      waiting.delete(productId);
      if (!deps.compares() || !deps.isBudgetFree()) continue;
      try {
        await compareIfDue(perpetual);
      } catch (error) {
        if (!(error instanceof VenueFailure)) throw error;
      } finally {
        lookAt.set(productId, elapsed() + LOOK_EVERY_MS);
      }
    }
    isAtWork = false;
  };

  return {
    hasBeenRead: (productId) => void hasRecent.add(productId),
    compare: (perpetual) => {
      if (!deps.compares() || elapsed() < (lookAt.get(perpetual.productId) ?? 0)) return;
      waiting.set(perpetual.productId, perpetual);
      if (!isAtWork) void work();
    },
  };
}

/** Whether a read may get a permit where the last one was rejected: a more urgent one, or one for other people. */
function mayDoBetter({ purpose, payers }: ReadCause, failure: FailedUpdate | undefined): boolean {
  return (
    failure?.problem.type === 'budget-spent' &&
    (isMoreUrgent(purpose, failure.cause.purpose) || !isSamePayers(payers, failure.cause.payers))
  );
}

type YearRank = { readonly [Field in keyof FundingYearRank]: string | number };

const YEAR_NANOS = 365n * 86_400n * 1_000_000_000n;
/** More than a year has, so that duplicates are included. */
const MOST_PRINTS = 10_000;

/**
 * Ranks the newest settled rate within its year; null if none has settled. The result is reused until `state` changes.
 *
 * @internal Exported for its test.
 */
export type YearRanks = (prints: FundingReads['prints'], productId: number, state: string) => ReadPlan<YearRank | null>;

/** @internal Exported for its test. */
export function createYearRanks(): YearRanks {
  const ranked = new Map<number, { readonly state: string; readonly rank: YearRank | null }>();
  return function* (prints, productId, state) {
    const before = ranked.get(productId);
    if (before?.state === state) return before.rank;
    const rank = yield* rankNewest(prints, productId);
    ranked.set(productId, { state, rank });
    return rank;
  };
}

function* rankNewest(prints: FundingReads['prints'], productId: number): ReadPlan<YearRank | null> {
  const [newest] = yield* prints(productId, { from: '', after: null, limit: 1 });
  const end = newest === undefined ? null : parseInstant(newest.endAt);
  if (newest === undefined || end === null) return null;
  // An interval that ended exactly a year earlier belongs to the year before.
  const from = formatInstant((end - YEAR_NANOS + 1n) as EpochNanos);
  const rates = toRates(yield* prints(productId, { from, after: null, limit: MOST_PRINTS }));
  const rate = rates.get(newest.endAt);
  if (rate === undefined || rate === null) return null;
  const settled = [...rates.values()].filter((each) => each !== null);
  return {
    interval_end: newest.endAt,
    intervals: settled.length,
    below: settled.filter((each) => each < rate).length,
    equal: settled.filter((each) => each === rate).length,
  };
}

/** Returns the rate of each interval; null if its rows contradict each other or cannot be read. */
function toRates(prints: readonly StoredPrint[]): ReadonlyMap<string, number | null> {
  const rates = new Map<string, number | null>();
  for (const { endAt, text } of prints) {
    const rate = readRate(text);
    const known = rates.get(endAt);
    rates.set(endAt, known === undefined || known === rate ? rate : null);
  }
  return rates;
}

/** Parses the rate as a float, which preserves the order of rates. */
function readRate(text: string): number | null {
  const row = JSON.parse(text) as unknown;
  const rate: unknown = typeof row === 'object' && row !== null && 'funding_rate' in row ? row.funding_rate : null;
  return typeof rate === 'number' && Number.isFinite(rate) ? rate : null;
}
