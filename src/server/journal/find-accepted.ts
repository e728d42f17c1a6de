import { fieldOf } from '#contract/parse/row-texts.ts';
import { copyOf } from '#server/core/row-list.ts';
import type { Schedule } from '#server/core/ports.ts';
import { toInstant } from '#server/core/to-instant.ts';
import { isRejectedRequest, VenueFailure } from '#server/core/venue-failure.ts';
import type { HistoryPage } from './find-outcomes.ts';
import type { FoundOrder } from './gone-orders.ts';
import type { Journal } from './journal.ts';
import { idTextOf, type RowText, toId } from './segment/change.ts';

export interface AcceptedDeps {
  readonly journal: Pick<Journal, 'state' | 'hasOrder' | 'explain' | 'find'>;
  /** Whether this desk records. */
  readonly records: () => boolean;
  /** Reads the orders accepted since an instant of the exchange, newest first. */
  readonly readHistory: (
    begin: string,
    cursor: string | null,
    signal: AbortSignal,
  ) => Promise<HistoryPage & { readonly at: number }>;
  /** How often the history may be read at most. */
  readonly everySeconds: number;
  /** The journal’s share of the budget; null without a limit. */
  readonly share: () => { readonly requests: number; readonly seconds: number } | null;
  readonly schedule: Schedule;
  /** Monotonic. */
  readonly elapsed: () => number;
  readonly now: () => number;
  /** The exchange’s time; null while it is unknown. */
  readonly venueNow: () => number | null;
  readonly report: (error: unknown) => void;
}

/** Looks in the order history for orders that no reading listed, because they came and went between two. */
export interface Accepted {
  /** Called after each reading of the working set. */
  readonly noteReading: () => void;
  readonly close: () => void;
}

/** How much later than newer orders an order may appear in the history; longer if some appeared even later. */
const LEAST_OVERLAP_MS = 60_000;
const MOST_OVERLAP_MS = 600_000;
/** How far before the first wanted order reading begins, to find one that proves that nothing is missing in between. */
const BEFORE_MS = 600_000;
/** The history is read this long after a reading, in intervals: shortly before the next one, which records the finds. */
const AFTER_READING = 0.8;
/** Per round. */
const MAX_PAGES = 5;
/** The part of the journal’s share that the history may use: the rest is for readings. */
const SHARE = 0.5;

/** One pass over the history, newest orders first. It may take several rounds. */
interface Pass {
  /** By the exchange’s clock, like all times of orders. */
  readonly begin: number;
  /** The cursor of the next page; null before the first. */
  cursor: string | null;
  /** When its first page was read; null before that. */
  readAt: number | null;
  /** When each order was accepted. */
  readonly accepted: Map<string, number>;
  readonly closed: Map<string, RowText>;
}

/**
 * Times of orders are the exchange’s, so that the clocks need not agree. A pass begins before the newest order of the
 * last pass, because the history may show orders late.
 */
export function createAccepted(deps: AcceptedDeps): Accepted {
  const { journal, records, readHistory, everySeconds, share, schedule, elapsed, now, venueNow, report } = deps;
  const closing = new AbortController();
  let cancel: (() => void) | null = null;
  let isBegun = false;
  let isReading = false;
  let sent: readonly number[] = [];
  let state = createState();

  const isAffordable = (): boolean => {
    const limit = share();
    if (limit === null) return true;
    sent = sent.filter((at) => at > elapsed() - limit.seconds * 1_000);
    return sent.length < limit.requests * SHARE;
  };
  /** How far the exchange’s clock is ahead. */
  const aheadMs = (): number => (venueNow() ?? now()) - now();

  const startPass = (): Pass => {
    return {
      begin: toBegin(state, state.since ?? now() + aheadMs()),
      cursor: null,
      readAt: null,
      accepted: new Map(),
      closed: new Map(),
    };
  };

  /** Returns whether the pass has all orders since its beginning. */
  const readPage = async (pass: Pass): Promise<boolean> => {
    sent = [...sent, elapsed()];
    const { rows, cursor, at } = await readHistory(toInstant(pass.begin), pass.cursor, closing.signal);
    pass.readAt ??= at;
    const ids = takeRows(pass, rows);
    const isWhole =
      ids.length === 0 ||
      cursor === null ||
      cursor === pass.cursor ||
      ids.some((id) => (state.known.get(id) ?? Infinity) <= pass.begin + 1);
    pass.cursor = cursor;
    if (isWhole) await finish(pass, at);
    return isWhole;
  };

  const finish = async (pass: Pass, at: number): Promise<void> => {
    const { accepted, closed, readAt } = pass;
    state.overlapMs = Math.min(MOST_OVERLAP_MS, Math.max(state.overlapMs, 2 * findDelay(state, pass)));
    journal.explain(closed);
    const found = new Map<string, FoundOrder>();
    state.pending = new Map();
    for (const [id, acceptedAt] of accepted) {
      if (acceptedAt < (state.since ?? 0) || (await journal.hasOrder(id))) continue;
      const row = closed.get(id);
      if (row === undefined) state.pending.set(id, acceptedAt);
      else found.set(id, { row, acceptedAt: acceptedAt - aheadMs() });
    }
    // An order from the future must not hide those until then.
    const latest = venueNow() ?? Infinity;
    state.newest = Math.max(state.newest, ...[...accepted.values()].filter((time) => time <= latest));
    state.known = accepted;
    state.lastBegin = pass.begin;
    journal.find({ at, readTo: readAt ?? at, closed: found });
  };

  const round = async (): Promise<void> => {
    if (!records()) {
      state = createState();
      return;
    }
    const pass = (state.pass ??= startPass());
    for (let page = 0; page < MAX_PAGES && isAffordable(); page++) {
      if (!(await readPage(pass))) continue;
      state.pass = null;
      return;
    }
  };

  const run = async (): Promise<void> => {
    cancel = null;
    if (isReading) return;
    isReading = true;
    try {
      await round();
    } catch (error) {
      // The next round goes on where this one failed, unless the exchange no longer accepts the cursor.
      if (isRejectedRequest(error)) state.pass = null;
      if (!closing.signal.aborted && !(error instanceof VenueFailure)) report(error);
    } finally {
      isReading = false;
    }
  };

  return {
    noteReading: () => {
      const { from, lastReading } = journal.state();
      if (lastReading === null || !records()) return;
      state.since ??= Math.max((lastReading.historyTo ?? now()) - LEAST_OVERLAP_MS, from ?? 0) + aheadMs();
      // Until the history has been read, it is known to be missing since then.
      if (!isBegun && lastReading.historyTo === undefined)
        journal.find({ at: lastReading.to, readTo: lastReading.to, closed: new Map() });
      isBegun = true;
      if (!closing.signal.aborted) cancel ??= schedule(everySeconds * 1_000 * AFTER_READING, () => void run());
    },
    close: () => {
      closing.abort();
      cancel?.();
    },
  };
}

interface State {
  /** Orders accepted earlier are none of the journal’s; null before the first pass. */
  since: number | null;
  /** When the newest order that the history has shown was accepted. */
  newest: number;
  overlapMs: number;
  /** Where the last pass began, and when its orders were accepted. */
  lastBegin: number;
  known: ReadonlyMap<string, number>;
  /** Orders that the history showed as working while no reading had listed them. */
  pending: Map<string, number>;
  /** The pass that is not finished. */
  pass: Pass | null;
}

function createState(): State {
  return {
    since: null,
    newest: -Infinity,
    overlapMs: LEAST_OVERLAP_MS,
    lastBegin: Infinity,
    known: new Map(),
    pending: new Map(),
    pass: null,
  };
}

/** Adds the orders of a page to a pass, and returns their IDs. */
function takeRows({ accepted, closed }: Pass, rows: Iterable<RowText>): readonly string[] {
  return Array.from(rows, (row) => {
    const id = toId(idTextOf(row));
    const acceptedAt = Date.parse(fieldOf(row, 'time')?.slice(1, -1) ?? '');
    if (Number.isNaN(acceptedAt)) return id;
    accepted.set(id, acceptedAt);
    if (fieldOf(row, 'status') === '"Closed"') closed.set(id, copyOf(row));
    return id;
  });
}

/**
 * Returns where a pass begins: at a known order before all that it must find. If a page has that order, it has all
 * later ones, so that no further page must be read, whatever the cursor.
 */
function toBegin({ newest, overlapMs, known, pending }: State, since: number): number {
  const wanted = Math.max(Math.min(newest - overlapMs, ...pending.values()), newest - MOST_OVERLAP_MS);
  const start = newest === -Infinity ? since : wanted;
  const before = Math.max(...[...known.values()].filter((at) => at <= start));
  return (before === -Infinity ? start - BEFORE_MS : before) - 1;
}

/** Returns how much later than newer orders an order appeared, at most. */
function findDelay({ newest, lastBegin, known }: State, { accepted }: Pass): number {
  const late = [...accepted].filter(([id, at]) => at > lastBegin && at < newest && !known.has(id));
  return Math.max(0, ...late.map(([, at]) => newest - at));
}
