import type { Cursor } from '#contract/exchange/paging.ts';
import type { RowCheck } from '#contract/parse/row-check.ts';
import type { ReadCause, VenueResponse } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { leavesGap, toNextPrintTime } from './funding-time.ts';
import type { Perpetual, StoredPrint } from './funding-reads.ts';
import type { FundingStore } from './funding-store.ts';
import { readPrintPage, type PrintPage, type PrintRow } from './print-rows.ts';

/** Requests prints of a perpetual that ended at `beginTime` or later, oldest first. */
export interface PrintRequest {
  readonly productId: number;
  readonly beginTime: string;
  readonly cursor: Cursor | null;
}

export interface PrintParts {
  readonly store: FundingStore;
  readonly fetchPage: (request: PrintRequest, cause: ReadCause) => Promise<VenueResponse>;
  /** What the rows of a response to a request must prove. */
  readonly toCheck: (request: PrintRequest) => RowCheck;
  readonly now: () => number;
  readonly venueNow: () => number;
  /** Receives new prints. */
  readonly onPrints: (perpetual: Perpetual, rows: readonly PrintRow[]) => Promise<void>;
}

/** Before the first perpetual. */
const FIRST_TIME = '2000-01-01T00:00:00Z';
/** A century of rates at a hundred per page: more pages than that never end. */
const MAX_PAGES = 1_100;

export async function newestOf(store: FundingStore, productId: number): Promise<StoredPrint | undefined> {
  const [newest] = await store.read(productId, { from: '', after: null, limit: 1 });
  return newest;
}

/** Whether the exchange should have a newer print. */
export function isBehind({ venueNow }: PrintParts, newest: PrintRow | undefined): boolean {
  // A print without a date says nothing about what came after it.
  return newest === undefined || !(venueNow() < toNextPrintTime(newest));
}

/** Where prints go as they are read: to the store at once, or to a buffer until all have arrived. */
interface PrintSink {
  readonly newest: () => Promise<PrintRow | undefined>;
  readonly put: (rows: readonly PrintRow[], isFirstPage: boolean) => Promise<void>;
}

/**
 * Reads from the newest known print on, or from before a recent gap, since a print may be published late. Pages read
 * before a failure are kept. If the past has changed, all of it is read before any known print is replaced. Resolves to
 * whether anything new was found.
 */
export async function updatePrints(parts: PrintParts, perpetual: Perpetual, cause: ReadCause): Promise<boolean> {
  const { store } = parts;
  const { productId } = perpetual;
  const newest = await newestOf(store, productId);
  const beforeGap = await findBeforeGap(store, productId);
  const isSamePast =
    beforeGap === undefined
      ? await readPages(parts, perpetual, { cause, known: datedOf(newest), sink: toStore(parts, perpetual) })
      : await readBuffered(parts, perpetual, { cause, known: beforeGap, put: store.replace });
  if (isSamePast) return (await newestOf(store, productId))?.endAt !== newest?.endAt;
  await readBuffered(parts, perpetual, { cause, known: undefined, put: store.replaceAll });
  return true;
}

/** About a week of prints: older gaps will not be filled any more. */
const RECENT = 21;

async function findBeforeGap(store: FundingStore, productId: number): Promise<StoredPrint | undefined> {
  const recent = await store.read(productId, { from: '', after: null, limit: RECENT });
  return recent.findLast((print, index) => leavesGap(print, recent[index - 1]));
}

interface BufferedRead {
  readonly cause: ReadCause;
  readonly known: PrintRow | undefined;
  readonly put: FundingStore['replace'];
}

/** Replaces known prints only once all new ones have arrived. Resolves to whether the past is unchanged. */
async function readBuffered(
  parts: PrintParts,
  perpetual: Perpetual,
  { cause, known, put }: BufferedRead,
): Promise<boolean> {
  const rows: PrintRow[] = [];
  const isSamePast = await readPages(parts, perpetual, { cause, known, sink: toBuffer(rows) });
  if (!isSamePast) return false;
  if (rows.length === 0)
    throw new VenueFailure({
      type: 'venue-answer-unreadable',
      detail: 'The exchange no longer returns funding rates that it returned before.',
    });
  await put(perpetual.productId, rows);
  await parts.onPrints(perpetual, rows);
  return true;
}

interface PagedRead {
  readonly cause: ReadCause;
  readonly known: PrintRow | undefined;
  readonly sink: PrintSink;
}

/**
 * Reads page by page, oldest first, until there can be no newer print: a page that reaches the present is the last one,
 * however few rows the exchange returns at a time and whatever cursor it sends. Resolves to whether the past is unchanged;
 * if not, nothing was stored.
 */
async function readPages(parts: PrintParts, perpetual: Perpetual, { cause, known, sink }: PagedRead): Promise<boolean> {
  const sent: (Cursor | null)[] = [];
  for (let cursor: Cursor | null = null; sent.length < MAX_PAGES;) {
    const page = await readPage(parts, perpetual, { cause, known, cursor });
    if (cursor === null && contradicts(page, known)) return false;
    const last = await sink.newest();
    await sink.put(page.rows, cursor === null);
    const newest = await sink.newest();
    sent.push(cursor);
    cursor = newest?.endAt !== last?.endAt && isBehind(parts, newest) ? page.toCursorAfter(sent) : null;
    if (cursor === null) return true;
  }
  throw new VenueFailure({
    type: 'venue-answer-unreadable',
    detail: 'The exchange keeps returning pages of funding rates without an end.',
  });
}

interface PageRead extends Omit<PagedRead, 'sink'> {
  readonly cursor: Cursor | null;
}

async function readPage(
  { fetchPage, toCheck, store, now }: PrintParts,
  perpetual: Perpetual,
  { cause, known, cursor }: PageRead,
): Promise<PrintPage> {
  const { productId } = perpetual;
  const request: PrintRequest = { productId, beginTime: known?.endAt ?? FIRST_TIME, cursor };
  const response = await fetchPage(request, cause);
  await store.recordRead(perpetual, now());
  const start = known?.endAt ?? UNDATED;
  const page = readPrintPage(response, start, toCheck(request));
  if (isReversed(page) && page.toCursorAfter([]) !== null)
    throw new VenueFailure({
      type: 'venue-answer-unreadable',
      detail:
        'The exchange returned funding rates newest first, although oldest first was requested: their pages cannot be put together.',
    });
  await store.recordLeftOut(productId, cursor === null ? start : null, page.leftOut);
  return page;
}

/** A few rows in the wrong place are put in order by the store; the pages of a reversed list lead away from the newest print. */
function isReversed({ rows }: PrintPage): boolean {
  return (rows[0]?.endAt ?? '') > (rows.at(-1)?.endAt ?? '');
}

/** The end of prints that precede all prints with a readable date. */
const UNDATED = '';

/** A print without a date is no place to continue reading from. */
export function datedOf(newest: StoredPrint | undefined): StoredPrint | undefined {
  return newest?.endAt === UNDATED ? undefined : newest;
}

function toStore({ store, onPrints }: PrintParts, perpetual: Perpetual): PrintSink {
  const { productId } = perpetual;
  return {
    newest: () => newestOf(store, productId),
    put: async (rows, isFirstPage) => {
      if (!isFirstPage) await store.append(productId, rows);
      // Without a dated print, reading started over and all prints came again.
      else if ((await newestOf(store, productId))?.endAt === UNDATED) await store.replaceAll(productId, rows);
      else await store.replace(productId, rows);
      await onPrints(perpetual, rows);
    },
  };
}

function toBuffer(buffer: PrintRow[]): PrintSink {
  let newest: PrintRow | undefined;
  return {
    newest: () => Promise.resolve(newest),
    put: (rows) => {
      for (const row of rows) {
        buffer.push(row);
        if (newest === undefined || row.endAt >= newest.endAt) newest = row;
      }
      return Promise.resolve();
    },
  };
}

/** The last known print comes again: if it is different now, the past has changed and is read anew. */
function contradicts({ rows }: PrintPage, known: PrintRow | undefined): boolean {
  if (known === undefined) return false;
  const again = rows.filter(({ endAt }) => endAt === known.endAt);
  return again.length > 0 && !again.some(({ text }) => text === known.text);
}
