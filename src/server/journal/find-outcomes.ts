import type { Schedule } from '#server/core/ports.ts';
import { concernsVenue, isRejectedRequest, VenueFailure } from '#server/core/venue-failure.ts';
import type { RowText } from './segment/change.ts';
import type { Journal } from './journal.ts';
import { findClosed, toOutcomeRequests, type OutcomeRequest } from './outcome-requests.ts';

/** A page of the order history, and the cursor of the next one. */
export interface HistoryPage {
  readonly rows: Iterable<RowText>;
  readonly cursor: string | null;
}

export interface OutcomeParts {
  readonly journal: Pick<Journal, 'unexplained' | 'explain'>;
  /** As unimportant as a read can be. */
  readonly readHistory: (request: OutcomeRequest, cursor: string | null, signal: AbortSignal) => Promise<HistoryPage>;
  readonly schedule: Schedule;
  /** Monotonic. */
  readonly elapsed: () => number;
  readonly report: (error: unknown) => void;
}

/** Looks up in the order history how orders that are gone were closed. */
export interface Outcomes {
  readonly start: () => void;
  readonly close: () => void;
}

const EVERY_MS = 30_000;
/** The history may lag behind the book: an order that it does not show as closed yet is looked up again, ever later. */
const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 3_600_000;
const REQUESTS_AT_ONCE = 2;
/** Of one request: orders in between may be many. */
const MAX_PAGES = 3;

interface Attempt {
  readonly count: number;
  readonly dueAt: number;
}

export function createOutcomes(parts: OutcomeParts): Outcomes {
  const { journal, schedule, elapsed, report } = parts;
  const attempts = new Map<string, Attempt>();
  const closing = new AbortController();
  let cancel = (): void => undefined;

  /** One request that the exchange always refuses must not keep others from theirs; one that fails for a while is not put off for long. */
  const lookUp = async (request: OutcomeRequest): Promise<void> => {
    try {
      const missing = await readOutcomes(parts, request, closing.signal);
      for (const id of request.ids) {
        if (missing.has(id)) attempts.set(id, toNext(attempts.get(id), elapsed()));
        else attempts.delete(id);
      }
    } catch (error) {
      if (closing.signal.aborted || (error instanceof VenueFailure && !concernsVenue(error))) throw error;
      const toDue = isRejectedRequest(error) ? toNext : toSame;
      for (const id of request.ids) attempts.set(id, toDue(attempts.get(id), elapsed()));
      if (!(error instanceof VenueFailure)) report(error);
    }
  };

  const round = async (): Promise<void> => {
    const unexplained = journal.unexplained();
    for (const id of attempts.keys()) if (!unexplained.has(id)) attempts.delete(id);
    const due = [...unexplained.values()].filter(({ id }) => (attempts.get(id)?.dueAt ?? 0) <= elapsed());
    for (const request of toOutcomeRequests(due).slice(0, REQUESTS_AT_ONCE)) await lookUp(request);
  };

  const run = async (): Promise<void> => {
    try {
      await round();
    } catch (error) {
      // What the budget allows no request for now is read later.
      if (!closing.signal.aborted && !(error instanceof VenueFailure)) report(error);
    }
    plan();
  };

  const plan = (): void => {
    if (!closing.signal.aborted) cancel = schedule(EVERY_MS, () => void run());
  };

  return {
    start: plan,
    close: () => {
      closing.abort();
      cancel();
    },
  };
}

/** Returns the orders that the history does not show as closed yet. */
async function readOutcomes(
  { journal, readHistory }: OutcomeParts,
  request: OutcomeRequest,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const missing = new Set(request.ids);
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES && missing.size > 0; page++) {
    const { rows, cursor: next } = await readHistory(request, cursor, signal);
    const closed = findClosed(rows, missing);
    journal.explain(closed);
    for (const id of closed.keys()) missing.delete(id);
    if (next === null) break;
    cursor = next;
  }
  return missing;
}

function toNext(last: Attempt | undefined, now: number): Attempt {
  const count = (last?.count ?? 0) + 1;
  return { count, dueAt: now + Math.min(FIRST_RETRY_MS * 2 ** (count - 1), LAST_RETRY_MS) };
}

/** Soon again, since it was not the history that lagged behind. */
function toSame(last: Attempt | undefined, now: number): Attempt {
  return { count: last?.count ?? 0, dueAt: now + FIRST_RETRY_MS };
}
