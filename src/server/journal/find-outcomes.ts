import { fieldOf } from '#contract/parse/row-texts.ts';
import { copyOf } from '#server/core/row-list.ts';
import { toInstant } from '#server/core/to-instant.ts';
import type { Schedule } from '#server/core/ports.ts';
import { concernsVenue, isRejectedRequest, VenueFailure } from '#server/core/venue-failure.ts';
import { type Change, idTextOf, type RowText, toId } from './segment/change.ts';
import type { Journal } from './journal.ts';

/**
 * One request to the order history that covers several orders: one product, one day of acceptance.
 *
 * @internal Exported for its test.
 */
export interface OutcomeRequest {
  readonly productId: string;
  readonly begin: string;
  readonly end: string;
  readonly ids: ReadonlySet<string>;
}

const SECOND_MS = 1_000;

/**
 * Sorts the largest request first: it costs no more than any other.
 *
 * @internal Exported for its test.
 */
export function toOutcomeRequests(gone: Iterable<Change>): readonly OutcomeRequest[] {
  const groups = Map.groupBy(
    Array.from(gone, toPlace).filter((place) => place !== null),
    ({ productId, day }) => `${productId} ${day}`,
  );
  return [...groups.values()].map(toRequest).sort((a, b) => b.ids.size - a.ids.size);
}

interface Place {
  readonly id: string;
  readonly productId: string;
  readonly day: string;
  /** In epoch milliseconds. */
  readonly acceptedAt: number;
}

/** Returns null if the row lacks the product or a readable time of acceptance. */
function toPlace({ id, row }: Change): Place | null {
  const [productId = '', time = ''] = [fieldOf(row, 'product_id'), fieldOf(row, 'time')?.slice(1, -1)];
  const acceptedAt = Date.parse(time);
  return Number.isNaN(acceptedAt) || !/^\d+$/.test(productId)
    ? null
    : { id, productId, day: time.slice(0, 10), acceptedAt };
}

function toRequest(places: readonly Place[]): OutcomeRequest {
  const times = places.map(({ acceptedAt }) => acceptedAt);
  return {
    productId: places[0]?.productId ?? '',
    begin: toInstant(Math.min(...times) - SECOND_MS),
    end: toInstant(Math.max(...times) + SECOND_MS),
    ids: new Set(places.map(({ id }) => id)),
  };
}

/**
 * Returns the wanted orders that a page of the history shows as closed.
 *
 * @internal Exported for its test.
 */
export function findClosed(rows: Iterable<RowText>, wanted: ReadonlySet<string>): Map<string, RowText> {
  const closed = new Map<string, RowText>();
  for (const row of rows) {
    const id = toId(idTextOf(row));
    if (wanted.has(id) && fieldOf(row, 'status') === '"Closed"') closed.set(id, copyOf(row));
  }
  return closed;
}

/** A page of the order history with the cursor of the next one. */
export interface HistoryPage {
  readonly rows: Iterable<RowText>;
  readonly cursor: string | null;
}

export interface OutcomeDeps {
  readonly journal: Pick<Journal, 'unexplained' | 'explain'>;
  /** Whether this desk records. */
  readonly records: () => boolean;
  /** Reads with the lowest priority. */
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

/** With those for readings and for what came and went, at most 40 requests in five minutes at the usual cadence. */
const EVERY_MS = 75_000;
/**
 * The history may lag behind the working orders, so an order that it does not show as closed yet is looked up again, at
 * growing intervals.
 */
const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 3_600_000;
const REQUESTS_AT_ONCE = 2;
/** Per request, since there may be many other orders in between. */
const MAX_PAGES = 3;

interface Attempt {
  readonly count: number;
  readonly dueAt: number;
}

export function createOutcomes(deps: OutcomeDeps): Outcomes {
  const { journal, records, schedule, elapsed, report } = deps;
  const attempts = new Map<string, Attempt>();
  const closing = new AbortController();
  let cancel = (): void => undefined;

  /**
   * A request that the exchange always rejects must not block the others; after any other failure, the next attempt
   * comes soon.
   */
  const lookUp = async (request: OutcomeRequest): Promise<void> => {
    try {
      const missing = await readOutcomes(deps, request, closing.signal);
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
    if (!records()) return;
    const unexplained = journal.unexplained();
    for (const id of attempts.keys()) if (!unexplained.has(id)) attempts.delete(id);
    const due = [...unexplained.values()].filter(({ id }) => (attempts.get(id)?.dueAt ?? 0) <= elapsed());
    for (const request of toOutcomeRequests(due).slice(0, REQUESTS_AT_ONCE)) await lookUp(request);
  };

  const run = async (): Promise<void> => {
    try {
      await round();
    } catch (error) {
      // A request that does not fit into the budget now is sent in a later round.
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
  { journal, readHistory }: OutcomeDeps,
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

/** Keeps the interval short, because the failure does not mean that the history lags behind. */
function toSame(last: Attempt | undefined, now: number): Attempt {
  return { count: last?.count ?? 0, dueAt: now + FIRST_RETRY_MS };
}
