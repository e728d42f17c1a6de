import { isMoreUrgent, VenueFailure, type Problem, type Purpose } from '../../ports.ts';
import { countBoundaries } from './boundary.ts';
import type { FundingStore, Perpetual } from './funding-store.ts';
import { createPatience } from './patience.ts';
import { isBehind, newestOf, readOn, type PrintParts } from './read-on.ts';

export interface FundingBookParts extends PrintParts {
  /** Goes on evenly, however `now` is set. */
  readonly elapsed: () => number;
}

/** The settled funding of every perpetual: on disk, and brought up to date by as few reads as there are new prints. */
export interface FundingBook {
  /** Resolves when what can be known is; with why it is not current, or null. Those who ask at once share the read. */
  readonly bringUpToDate: (perpetual: Perpetual, purpose: Purpose) => Promise<Problem | null>;
  readonly store: FundingStore;
}

interface UnderWay {
  readonly purpose: Purpose;
  readonly read: Promise<Problem | null>;
}

interface Trouble {
  readonly problem: Problem;
  readonly purpose: Purpose;
}

const PAUSE_AFTER_FAILURE_SECONDS = 5;

export function createFundingBook(parts: FundingBookParts): FundingBook {
  const { store } = parts;
  const patience = createPatience();
  const troubles = new Map<number, Trouble>();
  const underWay = new Map<number, UnderWay>();

  const moment = () => ({ elapsed: parts.elapsed(), boundary: countBoundaries(parts.venueNow()) });
  const isDue = (productId: number): boolean => isBehind(parts, newestOf(store, productId));

  const tryUpdate = async (perpetual: Perpetual, purpose: Purpose): Promise<Problem | null> => {
    const { productId } = perpetual;
    try {
      if (await readOn(parts, perpetual, purpose)) patience.broughtSomething(productId);
      else patience.broughtNothing(productId, moment());
      troubles.delete(productId);
      return null;
    } catch (error) {
      if (!(error instanceof VenueFailure)) throw error;
      patience.failed(productId, moment(), error.problem.retryAfterSeconds ?? PAUSE_AFTER_FAILURE_SECONDS);
      troubles.set(productId, { problem: error.problem, purpose });
      return error.problem;
    }
  };

  const mayTry = (productId: number, purpose: Purpose): boolean =>
    patience.isOver(productId, moment()) || mayHaveMore(purpose, troubles.get(productId));

  const bringUpToDate = (perpetual: Perpetual, purpose: Purpose): Promise<Problem | null> => {
    const { productId } = perpetual;
    const begun = underWay.get(productId);
    if (begun !== undefined) return isMoreUrgent(purpose, begun.purpose) ? begun.read.then(() => bringUpToDate(perpetual, purpose)) : begun.read;
    if (!isDue(productId)) return Promise.resolve(null);
    if (!mayTry(productId, purpose)) return Promise.resolve(troubles.get(productId)?.problem ?? null);
    const read = tryUpdate(perpetual, purpose).finally(() => underWay.delete(productId));
    underWay.set(productId, { purpose, read });
    return read;
  };

  return { bringUpToDate, store };
}

/** What was refused to somebody who can wait need not be to who cannot. */
function mayHaveMore(purpose: Purpose, trouble: Trouble | undefined): boolean {
  return trouble?.problem.type === 'budget-spent' && isMoreUrgent(purpose, trouble.purpose);
}
