import type { Schedule } from '../ports.ts';
import { VenueFailure } from '../venue-failure.ts';
import type { RowText } from './change.ts';
import type { Journal } from './journal.ts';
import { findClosed, toOutcomeRequests, type OutcomeRequest } from './outcome-requests.ts';

/** A page of the order history, and the cursor of the next one. */
interface HistoryPage {
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

export function createOutcomes({ journal, readHistory, schedule, elapsed, report }: OutcomeParts): Outcomes {
  const attempts = new Map<string, Attempt>();
  const closing = new AbortController();
  let cancel = (): void => undefined;

  const lookUp = async (request: OutcomeRequest): Promise<void> => {
    const missing = new Set(request.ids);
    let cursor: string | null = null;
    for (let page = 0; page < MAX_PAGES && missing.size > 0; page++) {
      const { rows, cursor: next } = await readHistory(request, cursor, closing.signal);
      const closed = findClosed(rows, missing);
      journal.explain(closed);
      for (const id of closed.keys()) missing.delete(id);
      if (next === null) break;
      cursor = next;
    }
    for (const id of request.ids) {
      if (missing.has(id)) attempts.set(id, toNext(attempts.get(id), elapsed()));
      else attempts.delete(id);
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
      // Whatever the exchange or the budget refuses now is read later.
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

function toNext(last: Attempt | undefined, now: number): Attempt {
  const count = (last?.count ?? 0) + 1;
  return { count, dueAt: now + Math.min(FIRST_RETRY_MS * 2 ** (count - 1), LAST_RETRY_MS) };
}
