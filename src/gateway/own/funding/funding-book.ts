import { LARGEST_LIMIT } from '#contract/parameters.ts';
import type { Cursor } from '#contract/paging.ts';
import { VenueFailure, type Problem, type VenueAnswer } from '../../ports.ts';
import { toNextPrintTime } from './boundary.ts';
import type { FundingStore, KnownFunding, Perpetual, StoredPrint } from './funding-store.ts';
import { createPatience } from './patience.ts';
import { readPrintPage, type PrintPage, type PrintRow } from './print-rows.ts';

/** What is asked of the venue: prints of a perpetual that ended then or later, newest first. */
export interface PrintQuestion {
  readonly productId: number;
  readonly beginTime: string;
  readonly cursor: Cursor | null;
}

export interface FundingBookParts {
  readonly store: FundingStore;
  readonly ask: (question: PrintQuestion) => Promise<VenueAnswer>;
  readonly now: () => number;
  readonly venueNow: () => number;
  /** Told of prints that are new. */
  readonly onPrints: (perpetual: Perpetual, rows: readonly PrintRow[]) => void;
}

/** The settled funding of every perpetual: on disk, and brought up to date by as few reads as there are new prints. */
export interface FundingBook {
  /** Resolves when what can be known is; with why it is not current, or null. Those who ask at once share the read. */
  readonly bringUpToDate: (perpetual: Perpetual) => Promise<Problem | null>;
  readonly store: FundingStore;
}

/** Before any perpetual there was. */
const FIRST_TIME = '2000-01-01T00:00:00Z';
/** A venue that gives a hundred rows a page is asked for so many pages at a time; the next question goes on from there. */
const MOST_FILL_PAGES = 30;
const PAUSE_AFTER_FAILURE_SECONDS = 5;

export function createFundingBook(parts: FundingBookParts): FundingBook {
  const { store, now, venueNow } = parts;
  const patience = createPatience();
  const troubles = new Map<number, Problem>();
  const underWay = new Map<number, Promise<Problem | null>>();

  const isDue = (productId: number): boolean => {
    const newest = newestOf(store, productId);
    return newest === undefined || venueNow() >= toNextPrintTime(newest);
  };

  const update = async (perpetual: Perpetual): Promise<boolean> => {
    const known = store.find(perpetual.productId);
    if (known === undefined || isUnfilled(known)) return fill(parts, perpetual, null);
    const isNew = isDue(perpetual.productId) && (await readNew(parts, perpetual));
    const isFurther = known.fillCursor !== null && (await fill(parts, perpetual, known.fillCursor));
    return isNew || isFurther;
  };

  const tryUpdate = async (perpetual: Perpetual): Promise<Problem | null> => {
    const { productId } = perpetual;
    try {
      if (await update(perpetual)) patience.broughtSomething(productId);
      else patience.broughtNothing(productId, now());
      troubles.delete(productId);
      return null;
    } catch (error) {
      if (!(error instanceof VenueFailure)) throw error;
      patience.failed(productId, now(), error.problem.retryAfterSeconds ?? PAUSE_AFTER_FAILURE_SECONDS);
      troubles.set(productId, error.problem);
      return error.problem;
    }
  };

  const bringUpToDate = (perpetual: Perpetual): Promise<Problem | null> => {
    const { productId } = perpetual;
    const begun = underWay.get(productId);
    if (begun !== undefined) return begun;
    const known = store.find(productId);
    if (known?.fillCursor === null && !isDue(productId)) return Promise.resolve(null);
    if (!patience.isOver(productId, now())) return Promise.resolve(troubles.get(productId) ?? null);
    const read = tryUpdate(perpetual).finally(() => underWay.delete(productId));
    underWay.set(productId, read);
    return read;
  };

  return { bringUpToDate, store };
}

function isUnfilled({ fillCursor }: KnownFunding): boolean {
  return fillCursor === '';
}

export function newestOf(store: FundingStore, productId: number): StoredPrint | undefined {
  return store.read(productId, { from: '', after: null, limit: 1 })[0];
}

async function readPage({ store, ask, now }: FundingBookParts, perpetual: Perpetual, question: PrintQuestion): Promise<PrintPage> {
  const answer = await ask(question);
  store.noteRead(perpetual, now());
  return readPrintPage(answer);
}

/** Goes back towards the launch, page by page; what was read before a failure is kept. */
async function fill(parts: FundingBookParts, perpetual: Perpetual, from: Cursor | null): Promise<boolean> {
  const { productId } = perpetual;
  let cursor = from;
  let rows = 0;
  for (let pages = 0, size = 0; pages < MOST_FILL_PAGES; pages++) {
    const page = await readPage(parts, perpetual, { productId, beginTime: FIRST_TIME, cursor });
    const next = toCursorAfter(page, cursor, pages === 0 ? null : size);
    parts.store.append(productId, page.rows, next);
    parts.onPrints(perpetual, page.rows);
    rows += page.rows.length;
    if (next === null) break;
    cursor = next;
    size = page.rows.length;
  }
  return rows > 0;
}

/** Whether anything new came. The last print known comes again: where it is another now, the past is read anew. */
async function readNew(parts: FundingBookParts, perpetual: Perpetual): Promise<boolean> {
  const { store } = parts;
  const { productId } = perpetual;
  const newest = newestOf(store, productId);
  const rows: PrintRow[] = [];
  let size = 0;
  for (let cursor: Cursor | null = null; ; ) {
    const page = await readPage(parts, perpetual, { productId, beginTime: newest?.endAt ?? FIRST_TIME, cursor });
    cursor = toCursorAfter(page, cursor, cursor === null ? null : size);
    rows.push(...page.rows);
    size = page.rows.length;
    if (cursor === null) break;
  }
  if (newest !== undefined && rows.some(({ endAt }) => endAt === newest.endAt) && !rows.some(({ text }) => text === newest.text)) {
    store.forget(productId);
    return fill(parts, perpetual, null);
  }
  if (rows.length === 0) return false;
  store.replace(productId, rows);
  parts.onPrints(perpetual, rows);
  return newestOf(store, productId)?.endAt !== newest?.endAt;
}

/** A limit of the venue's own cuts pages at such sizes. */
const CUTS = [50, 64];

/**
 * Some venues give a cursor with the last page, too. Fewer rows than the page before had are the last ones; of a first
 * page, fewer than asked for, unless their number looks like a limit of the venue's own: then the cursor is followed.
 */
function toCursorAfter({ rows, toCursorAfter: next }: PrintPage, sent: Cursor | null, sizeBefore: number | null): Cursor | null {
  const mayBeCut = rows.length >= LARGEST_LIMIT.funding || CUTS.some((size) => rows.length % size === 0);
  const isFull = sizeBefore === null ? mayBeCut : rows.length >= sizeBefore;
  return isFull ? next([null, sent]) : null;
}
