import { isMoreUrgent, isSamePayers, type ReadCause } from '../../core/ports.ts';
import { type Problem, VenueFailure } from '../../core/venue-failure.ts';
import type { Perpetual } from './funding-reads.ts';
import type { FundingStore } from './funding-store.ts';
import { countFundingTimes } from './funding-time.ts';
import { isBehind, newestOf, type PrintParts, updatePrints } from './update-prints.ts';
import { createYearRanks, type YearRanks } from './year-rank.ts';

interface Now {
  /** Monotonic. */
  readonly elapsed: number;
  /** How many funding times have passed. */
  readonly fundingTimes: number;
}

/** When a perpetual may be read again after a read that brought nothing new. */
interface ReadBackoff {
  readonly isOver: (productId: number, now: Now) => boolean;
  readonly foundNothing: (productId: number, now: Now) => void;
  readonly failed: (productId: number, now: Now, seconds: number) => void;
  readonly foundPrints: (productId: number) => void;
}

interface Pause {
  readonly until: number;
  readonly emptyReads: number;
  /** The next funding time ends the pause: it brings a print of its own, even if the last one was never published. */
  readonly fundingTimes: number;
}

const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 600_000;

/** Each read without new prints doubles the pause: a late or missing rate must not use up the budget. */
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

export interface FundingBookParts extends PrintParts {
  /** Monotonic. */
  readonly elapsed: () => number;
}

/** The settled funding of every perpetual: stored, and updated with as few reads as there are new prints. */
export interface FundingBook {
  /** Resolves once updated as far as possible: null, or why it is not current. Concurrent callers share the read. */
  readonly bringUpToDate: (perpetual: Perpetual, cause: ReadCause) => Promise<Problem | null>;
  readonly store: FundingStore;
  /** Where the newest settled rate stands within its year; null where none has settled. */
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

export function createFundingBook(parts: FundingBookParts): FundingBook {
  const { store } = parts;
  const backoff = createReadBackoff();
  const failures = new Map<number, FailedUpdate>();
  const underWay = new Map<number, UnderWay>();

  const now = () => ({ elapsed: parts.elapsed(), fundingTimes: countFundingTimes(parts.venueNow()) });
  const isDue = async (productId: number): Promise<boolean> => isBehind(parts, await newestOf(store, productId));

  const tryUpdate = async (perpetual: Perpetual, cause: ReadCause): Promise<Problem | null> => {
    const { productId } = perpetual;
    try {
      if (await updatePrints(parts, perpetual, cause)) backoff.foundPrints(productId);
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
    return mayTry(productId, cause) ? tryUpdate(perpetual, cause) : (failures.get(productId)?.problem ?? null);
  };

  const bringUpToDate = (perpetual: Perpetual, cause: ReadCause): Promise<Problem | null> => {
    const { productId } = perpetual;
    const begun = underWay.get(productId);
    if (begun !== undefined)
      return isMoreUrgent(cause.purpose, begun.cause.purpose)
        ? begun.read.then(() => bringUpToDate(perpetual, cause))
        : begun.read;
    // Before anything is known about it, so that no second one begins meanwhile.
    const read = updateIfDue(perpetual, cause).finally(() => underWay.delete(productId));
    underWay.set(productId, { cause, read });
    return read;
  };

  return { bringUpToDate, store, rankInYear: createYearRanks() };
}

/** A more urgent read, or one of somebody else, may get a permit that this one was refused. */
function mayDoBetter({ purpose, payers }: ReadCause, failure: FailedUpdate | undefined): boolean {
  return (
    failure?.problem.type === 'budget-spent' &&
    (isMoreUrgent(purpose, failure.cause.purpose) || !isSamePayers(payers, failure.cause.payers))
  );
}
