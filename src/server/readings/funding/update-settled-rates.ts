import { FUNDING_INTERVAL_HOURS } from '#contract/exchange/market-data.ts';
import { formatInstant, parseInstant, toEpochMillis } from '#contract/exchange/instant.ts';
import { type Cursor, toNextCursor } from '#contract/exchange/paging.ts';
import type { RowCheck } from '#contract/parse/row-check.ts';
import { splitList } from '#contract/parse/json-split.ts';
import type { ReadCause, VenueResponse } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { FundingStore, Perpetual, PrintRow, StoredPrint } from './funding-store.ts';
import { isPrint, saysTheSame } from './print-facts.ts';

interface PrintPage {
  /** In the exchange's order. */
  readonly rows: readonly PrintRow[];
  /** Rows that do not match the request or cannot be used. */
  readonly leftOut: readonly PrintRow[];
  readonly toCursorAfter: (sent: readonly (Cursor | null)[]) => Cursor | null;
}

/**
 * Reads a page without changing its rows. A row without a readable end gets the position of the row before it (the
 * first one gets `startAt`), so that the screen can show it as broken.
 */
function readPrintPage({ body }: VenueResponse, startAt: string, check: RowCheck): PrintPage {
  const text = body.toString();
  const page = parsePage(text);
  const texts = splitRows(text, page.data.length);
  const { leftOut } = check(page.data);
  const isLeftOut = (index: number): boolean => leftOut.has(index) || !isPrint(page.data[index]);
  const place = (indexes: readonly number[]): readonly PrintRow[] => {
    let endAt = startAt;
    return indexes.map((index) => {
      endAt = toEndAt(page.data[index]) ?? endAt;
      return { endAt, text: texts[index] ?? '' };
    });
  };
  const indexes = [...page.data.keys()];
  return {
    rows: place(indexes.filter((index) => !isLeftOut(index))),
    leftOut: place(indexes.filter(isLeftOut)),
    toCursorAfter: (sent) => toNextCursor(page, sent),
  };
}

interface ParsedPage {
  readonly data: readonly unknown[];
  readonly pagination: { readonly cursor?: Cursor | null };
}

function parsePage(text: string): ParsedPage {
  try {
    const { data, pagination } = JSON.parse(text) as Partial<ParsedPage>;
    if (Array.isArray(data)) return { data, pagination: pagination ?? {} };
  } catch (error) {
    throw unreadable(error);
  }
  throw unreadable();
}

function unreadable(cause?: unknown): VenueFailure {
  return new VenueFailure(
    { type: 'venue-answer-unreadable', detail: 'The exchange’s response is not a page of funding rates.' },
    cause,
  );
}

function toEndAt(row: unknown): string | null {
  const end: unknown = typeof row === 'object' && row !== null && 'interval_end' in row ? row.interval_end : null;
  const nanos = typeof end === 'string' ? parseInstant(end) : null;
  return nanos === null ? null : formatInstant(nanos);
}

const DATA = /"data"\s*:\s*\[/g;

/** Returns the text of each row. Several fields may be called `data`: the right one has as many rows as were parsed. */
function splitRows(text: string, count: number): readonly string[] {
  for (const { index, 0: opening } of text.matchAll(DATA)) {
    const rows = splitList(text, index + opening.length);
    if (rows.length === count) return rows;
  }
  throw unreadable();
}

const HOUR_MS = 3_600_000;
const INTERVAL_MS = FUNDING_INTERVAL_HOURS * HOUR_MS;
const MAX_INTERVAL_MS = 24 * HOUR_MS;
/** The delay between a funding time and the publication of its rate. */
const PUBLICATION_MS = 5_000;

/** Returns when the next rate can be read, by the exchange’s clock: one interval of the same length after the last. */
function toNextPrintTime({ endAt, text }: PrintRow): number {
  const end = toMillis(endAt);
  const length = end - toMillis(beginOf(text) ?? '');
  return end + (length > 0 && length <= MAX_INTERVAL_MS ? length : INTERVAL_MS) + PUBLICATION_MS;
}

/** Whether intervals are missing between two settled rates. */
function leavesGap(print: PrintRow, next: PrintRow | undefined): boolean {
  return next !== undefined && toMillis(beginOf(next.text) ?? '') > toMillis(print.endAt);
}

/** Returns how many funding times have passed whose rates should be published, by the exchange’s clock. */
export function countFundingTimes(venueNow: number): number {
  return Math.floor((venueNow - PUBLICATION_MS) / INTERVAL_MS);
}

/** Returns the start of a rate’s interval, as the exchange wrote it. */
export function beginOf(text: string): string | null {
  const row = JSON.parse(text) as unknown;
  const begin: unknown = typeof row === 'object' && row !== null && 'interval_start' in row ? row.interval_start : null;
  return typeof begin === 'string' && parseInstant(begin) !== null ? begin : null;
}

function toMillis(text: string): number {
  const nanos = parseInstant(text);
  return nanos === null ? Number.NaN : toEpochMillis(nanos);
}

/** A request for the settled rates of a perpetual that ended at `beginTime` or later, oldest first. */
export interface PrintRequest {
  readonly productId: number;
  readonly beginTime: string;
  /** If set, only rates that ended no later. */
  readonly endTime?: string;
  readonly cursor: Cursor | null;
}

export interface PrintDeps {
  readonly store: FundingStore;
  readonly fetchPage: (request: PrintRequest, cause: ReadCause) => Promise<VenueResponse>;
  /** Returns the check that the rows of a response must pass. */
  readonly toCheck: (request: PrintRequest) => RowCheck;
  readonly now: () => number;
  readonly venueNow: () => number;
  /** Receives new rates. */
  readonly onPrints: (perpetual: Perpetual, rows: readonly PrintRow[]) => Promise<void>;
}

/** Earlier than the first perpetual. */
const FIRST_TIME = '2000-01-01T00:00:00Z';
/** A century of rates at a hundred per page: a longer list would never end. */
const MAX_PAGES = 1_100;

export async function newestOf(store: FundingStore, productId: number): Promise<StoredPrint | undefined> {
  const [newest] = await store.read(productId, { from: '', after: null, limit: 1 });
  return newest;
}

/** Whether the exchange should have a newer rate. */
export function isBehind({ venueNow }: PrintDeps, newest: PrintRow | undefined): boolean {
  // A rate without a date says nothing about what came after it.
  return newest === undefined || !(venueNow() < toNextPrintTime(newest));
}

/** Takes rates as they are read: into the store at once, or into a buffer until all have arrived. */
interface PrintSink {
  /** Whether it may take a first page that differs from the last known rate. */
  readonly takes: (page: PrintPage, known: PrintRow | undefined) => boolean;
  readonly newest: () => PrintRow | undefined;
  /** False if another desk has stored rates since the last ones: then it takes nothing. */
  readonly put: (rows: readonly PrintRow[], isFirstPage: boolean) => Promise<boolean>;
}

/** What became of reading pages: if the past has changed, or another desk is reading too, nothing was stored. */
type PagesOutcome = 'read' | 'past changed' | 'overtaken';

/** How often an update begins again because another desk stores rates of the same perpetual at the same moment. */
const MOST_OVERTAKEN = 20;

/**
 * Reads from the newest known rate on, or from before a recent gap, because a rate may be published late. Pages read
 * before a failure are kept. If the past has changed, all of it is read before any known rate is replaced. Resolves to
 * whether anything new was found.
 */
export async function updatePrints(deps: PrintDeps, perpetual: Perpetual, cause: ReadCause): Promise<boolean> {
  const { store } = deps;
  const { productId } = perpetual;
  const newest = await newestOf(store, productId);
  let outcome: PagesOutcome = 'overtaken';
  for (let attempt = 0; attempt < MOST_OVERTAKEN && outcome === 'overtaken'; attempt++)
    outcome = await readNewer(deps, perpetual, cause);
  if (outcome === 'past changed') await readAgain(deps, perpetual, cause, undefined);
  if (newest === undefined) await recordCheck(deps, perpetual, cause);
  return (await newestOf(store, productId))?.endAt !== newest?.endAt;
}

async function readNewer(deps: PrintDeps, perpetual: Perpetual, cause: ReadCause): Promise<PagesOutcome> {
  const { productId } = perpetual;
  const newest = await newestOf(deps.store, productId);
  // Another desk may have read them meanwhile.
  const beforeGap = await findBeforeGap(deps.store, productId);
  if (beforeGap === undefined)
    return readPages(deps, perpetual, { cause, known: datedOf(newest), sink: toStore(deps, perpetual, newest) });
  await readAgain(deps, perpetual, cause, beforeGap);
  return 'read';
}

/** Reads all known rates again, or those since one of them, and compares them. */
export async function comparePrints(
  deps: PrintDeps,
  perpetual: Perpetual,
  cause: ReadCause,
  since: StoredPrint | undefined,
): Promise<void> {
  await readAgain(deps, perpetual, cause, since);
  if (since === undefined) await recordCheck(deps, perpetual, cause);
}

async function recordCheck(deps: PrintDeps, perpetual: Perpetual, cause: ReadCause): Promise<void> {
  const beginsHere = await confirmBegin(deps, perpetual, cause);
  await deps.store.recordCheck(perpetual.productId, { checkedAt: deps.now(), beginsHere });
}

/**
 * Asks for rates before the first known one: a shortened history begins later than the perpetual. Resolves to null if
 * that could not be read, or without a dated rate.
 */
async function confirmBegin(deps: PrintDeps, perpetual: Perpetual, cause: ReadCause): Promise<boolean | null> {
  const { fetchPage, store, toCheck, now } = deps;
  const { productId } = perpetual;
  const oldest = await store.view((reads) => reads.oldest(productId));
  const endTime = oldest && beginOf(oldest.text);
  if (oldest === undefined || endTime === undefined || endTime === null) return null;
  const request: PrintRequest = { productId, beginTime: FIRST_TIME, endTime, cursor: null };
  try {
    const page = readPrintPage(await fetchPage(request, cause), UNDATED, toCheck(request));
    await store.recordRead(perpetual, now());
    return [...page.rows, ...page.leftOut].every(({ endAt }) => endAt === oldest.endAt);
  } catch (error) {
    if (error instanceof VenueFailure) return null;
    throw error;
  }
}

/** About a week of rates: older gaps will not be filled any more. */
const RECENT = 21;

async function findBeforeGap(store: FundingStore, productId: number): Promise<StoredPrint | undefined> {
  const recent = await store.read(productId, { from: '', after: null, limit: RECENT });
  return recent.findLast((print, index) => leavesGap(print, recent[index - 1]));
}

/** Compares rates with the known ones only once all of them have arrived. */
async function readAgain(
  deps: PrintDeps,
  perpetual: Perpetual,
  cause: ReadCause,
  since: PrintRow | undefined,
): Promise<void> {
  const rows: PrintRow[] = [];
  await readPages(deps, perpetual, { cause, known: since, sink: toBuffer(rows) });
  if (rows.length === 0)
    throw new VenueFailure({
      type: 'venue-answer-unreadable',
      detail: 'The exchange no longer returns funding rates that it returned before.',
    });
  await deps.store.revise(perpetual.productId, rows, deps.now());
  await deps.onPrints(perpetual, rows);
}

interface PagedRead {
  readonly cause: ReadCause;
  readonly known: PrintRow | undefined;
  readonly sink: PrintSink;
}

/**
 * Reads page by page, oldest first, until there can be no newer rate: a page that reaches the present is the last one,
 * however few rows the exchange returns at a time and regardless of the cursor.
 */
async function readPages(
  deps: PrintDeps,
  perpetual: Perpetual,
  { cause, known, sink }: PagedRead,
): Promise<PagesOutcome> {
  const sent: (Cursor | null)[] = [];
  for (let cursor: Cursor | null = null; sent.length < MAX_PAGES;) {
    const page = await readPage(deps, perpetual, { cause, known, cursor });
    if (cursor === null && !sink.takes(page, known)) return 'past changed';
    const last = sink.newest();
    if (!(await sink.put(page.rows, cursor === null))) return 'overtaken';
    const newest = sink.newest();
    sent.push(cursor);
    cursor = newest?.endAt !== last?.endAt && isBehind(deps, newest) ? page.toCursorAfter(sent) : null;
    if (cursor === null) return 'read';
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
  { fetchPage, toCheck, store, now }: PrintDeps,
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
        'The exchange returned funding rates newest first, although oldest first was requested: their ' +
        'pages cannot be put together.',
    });
  await store.recordLeftOut(productId, cursor === null ? start : null, page.leftOut);
  return page;
}

/**
 * Detects a reversed list, whose pages lead away from the newest rate. A few misplaced rows are sorted by the store.
 */
function isReversed({ rows }: PrintPage): boolean {
  return (rows[0]?.endAt ?? '') > (rows.at(-1)?.endAt ?? '');
}

/** The end that is stored for rates before the first readable date. */
const UNDATED = '';

/** Returns the rate only if it has a date: without one, it is no place to continue reading from. */
export function datedOf(newest: StoredPrint | undefined): StoredPrint | undefined {
  return newest?.endAt === UNDATED ? undefined : newest;
}

function toStore({ store, onPrints }: PrintDeps, perpetual: Perpetual, found: StoredPrint | undefined): PrintSink {
  const { productId } = perpetual;
  let newest = found;
  return {
    takes: (page, known) => !contradicts(page, known),
    newest: () => newest,
    put: async (rows, isFirstPage) => {
      // Without a dated rate, reading started over, and all rates came again.
      const begin = newest?.endAt === UNDATED ? store.replaceAll : store.replace;
      const put = await (isFirstPage ? begin : store.append)(productId, rows, { newest });
      if (put === null) return false;
      ({ newest } = put);
      await onPrints(perpetual, rows);
      return true;
    },
  };
}

function toBuffer(buffer: PrintRow[]): PrintSink {
  let newest: PrintRow | undefined;
  return {
    takes: () => true,
    newest: () => newest,
    put: (rows) => {
      for (const row of rows) {
        buffer.push(row);
        if (newest === undefined || row.endAt >= newest.endAt) newest = row;
      }
      return Promise.resolve(true);
    },
  };
}

/** Compares the last known rate, which comes again: if it differs, the past has changed and is read anew. */
function contradicts({ rows }: PrintPage, known: PrintRow | undefined): boolean {
  if (known === undefined) return false;
  const again = rows.filter(({ endAt }) => endAt === known.endAt);
  return again.length > 0 && !again.some((print) => saysTheSame([print], [known]));
}

/** Returns the rates of a response without a range: the latest of each product. Null if it is unreadable. */
export function readLatest(response: VenueResponse, check: RowCheck): ReadonlyMap<number, readonly PrintRow[]> | null {
  try {
    const { rows } = readPrintPage(response, UNDATED, check);
    return Map.groupBy(rows, ({ text }) => Number((JSON.parse(text) as { readonly product_id: unknown }).product_id));
  } catch (error) {
    if (error instanceof VenueFailure) return null;
    throw error;
  }
}
