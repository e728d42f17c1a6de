import { formatInstant, toEpochNanos } from '#contract/instant.ts';
import type { Cursor } from '#contract/paging.ts';
import { VenueFailure, type Purpose, type VenueAnswer } from '../../ports.ts';
import { leavesGap, toNextPrintTime } from './boundary.ts';
import type { FundingStore, Perpetual, StoredPrint } from './funding-store.ts';
import { readPrintPage, type PrintPage, type PrintRow } from './print-rows.ts';

/** What is asked of the venue: prints of a perpetual that ended then or later, oldest first. */
export interface PrintQuestion {
  readonly productId: number;
  readonly beginTime: string;
  readonly cursor: Cursor | null;
}

export interface PrintParts {
  readonly store: FundingStore;
  readonly ask: (question: PrintQuestion, purpose: Purpose) => Promise<VenueAnswer>;
  readonly now: () => number;
  readonly venueNow: () => number;
  /** Told of prints that are new. */
  readonly onPrints: (perpetual: Perpetual, rows: readonly PrintRow[]) => void;
}

/** Before any perpetual there was. */
const FIRST_TIME = '2000-01-01T00:00:00Z';
/** A century of rates, a hundred a page: what has no end by then has none. */
const MOST_PAGES = 1_100;

export function newestOf(store: FundingStore, productId: number): StoredPrint | undefined {
  return store.read(productId, { from: '', after: null, limit: 1 })[0];
}

/** Whether the venue has, or should have, a print after this one. */
export function isBehind({ venueNow }: PrintParts, newest: PrintRow | undefined): boolean {
  // After one that cannot be dated anything may have come.
  return newest === undefined || !(venueNow() < toNextPrintTime(newest));
}

/** Where prints are put as they are read: on disk at once, or aside until all are there. */
interface Shelf {
  readonly newest: () => PrintRow | undefined;
  readonly put: (rows: readonly PrintRow[], isFirstPage: boolean) => void;
}

/**
 * Reads on from the newest print known, or from before a gap in the last days, since a print may be published late. What
 * was read before a failure is kept. Where the past is not what it was, all of it is read before anything that is known is
 * let go. Resolves to whether anything new came.
 */
export async function readOn(parts: PrintParts, perpetual: Perpetual, purpose: Purpose): Promise<boolean> {
  const { store } = parts;
  const { productId } = perpetual;
  const newest = newestOf(store, productId);
  const beforeGap = findBeforeGap(store, productId);
  const isSamePast =
    beforeGap === undefined
      ? await readPages(parts, perpetual, { purpose, known: datedOf(newest), shelf: onDisk(parts, perpetual) })
      : await readAside(parts, perpetual, { purpose, known: beforeGap, put: store.replace });
  if (isSamePast) return newestOf(store, productId)?.endAt !== newest?.endAt;
  await readAside(parts, perpetual, { purpose, known: undefined, put: store.replaceAll });
  return true;
}

/** About a week of prints: what is missing from before it will not come any more. */
const RECENT = 21;

function findBeforeGap(store: FundingStore, productId: number): StoredPrint | undefined {
  const recent = store.read(productId, { from: '', after: null, limit: RECENT });
  return recent.findLast((print, index) => leavesGap(print, recent[index - 1]));
}

interface ReadingAside {
  readonly purpose: Purpose;
  readonly known: PrintRow | undefined;
  readonly put: FundingStore['replace'];
}

/** What is known is let go only when all of what takes its place is there. Resolves to whether the past is what it was. */
async function readAside(parts: PrintParts, perpetual: Perpetual, { purpose, known, put }: ReadingAside): Promise<boolean> {
  const rows: PrintRow[] = [];
  const isSamePast = await readPages(parts, perpetual, { purpose, known, shelf: aside(rows) });
  if (!isSamePast) return false;
  if (rows.length === 0) throw new VenueFailure({ type: 'venue-answer-unreadable', detail: 'The venue gives none of the funding that it gave before.' });
  put(perpetual.productId, rows);
  parts.onPrints(perpetual, rows);
  return true;
}

interface Reading {
  readonly purpose: Purpose;
  readonly known: PrintRow | undefined;
  readonly shelf: Shelf;
}

/**
 * Reads page by page, oldest first, until there can be no newer print: a page that ends at the present proves itself
 * whole, however few rows a venue gives at a time and whatever cursor comes with the last of them. Resolves to whether the
 * past is what it was; where it is not, nothing was put.
 */
async function readPages(parts: PrintParts, perpetual: Perpetual, { purpose, known, shelf }: Reading): Promise<boolean> {
  const sent: (Cursor | null)[] = [];
  for (let cursor: Cursor | null = null; sent.length < MOST_PAGES; ) {
    const page = await readPage(parts, perpetual, { purpose, known, cursor });
    if (cursor === null && contradicts(page, known)) return false;
    const last = shelf.newest()?.endAt;
    shelf.put(settledOf(parts, page), cursor === null);
    sent.push(cursor);
    cursor = shelf.newest()?.endAt !== last && isBehind(parts, shelf.newest()) ? page.toCursorAfter(sent) : null;
    if (cursor === null) return true;
  }
  throw new VenueFailure({ type: 'venue-answer-unreadable', detail: 'The venue’s pages of funding do not end.' });
}

interface PageReading extends Omit<Reading, 'shelf'> {
  readonly cursor: Cursor | null;
}

async function readPage({ ask, store, now }: PrintParts, perpetual: Perpetual, { purpose, known, cursor }: PageReading): Promise<PrintPage> {
  const answer = await ask({ productId: perpetual.productId, beginTime: known?.endAt ?? FIRST_TIME, cursor }, purpose);
  store.noteRead(perpetual, now());
  return readPrintPage(answer, known?.endAt ?? UNDATED);
}

/** Stands in for the end of prints before which there is none that could be dated. */
const UNDATED = '';

/** Prints that could not be dated are no place to read on from. */
export function datedOf(newest: StoredPrint | undefined): StoredPrint | undefined {
  return newest?.endAt === UNDATED ? undefined : newest;
}

/** By so much this machine may be wrong about the venue's clock. */
const CLOCK_DOUBT_MS = 60_000;

/** What has not ended has not settled, whatever list it comes in: it would stand for what will, and hide that it is due. */
function settledOf({ venueNow }: PrintParts, page: PrintPage): readonly PrintRow[] {
  const present: string = formatInstant(toEpochNanos(venueNow() + CLOCK_DOUBT_MS));
  return page.rows.filter(({ endAt }) => endAt <= present);
}

function onDisk({ store, onPrints }: PrintParts, perpetual: Perpetual): Shelf {
  const { productId } = perpetual;
  return {
    newest: () => newestOf(store, productId),
    put: (rows, isFirstPage) => {
      if (!isFirstPage) store.append(productId, rows);
      // Prints that could not be dated are no place to read on from: all have come again.
      else if (newestOf(store, productId)?.endAt === UNDATED) store.replaceAll(productId, rows);
      else store.replace(productId, rows);
      onPrints(perpetual, rows);
    },
  };
}

function aside(kept: PrintRow[]): Shelf {
  let newest: PrintRow | undefined;
  return {
    newest: () => newest,
    put: (rows) => {
      for (const row of rows) {
        kept.push(row);
        if (newest === undefined || row.endAt >= newest.endAt) newest = row;
      }
    },
  };
}

/** The last print known comes again: where it is another now, the past is not what it was, and is read anew. */
function contradicts({ rows }: PrintPage, known: PrintRow | undefined): boolean {
  if (known === undefined) return false;
  const again = rows.filter(({ endAt }) => endAt === known.endAt);
  return again.length > 0 && !again.some(({ text }) => text === known.text);
}
