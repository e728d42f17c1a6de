import type { WindowView } from '#page/client/page-window/page-window.ts';
import type { LoadedPage } from '#page/client/page-window/page-list.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Cursor, Page } from '#contract/exchange/paging.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { describeEnd } from '#page/panels/evidence/end-text.ts';
import { APOSTROPHES, PRODUCT_TYPES_NOTE, toOrderCells, toOrderHeading } from '#model/tables/orders/order-csv.ts';
import type { ApiResponse } from '#model/response.ts';
import { ProblemError } from '#page/client/errors.ts';
import { toRetryTime } from '#page/client/freshness.ts';
import { type PageEnd, readPages } from '#page/client/pages.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { OrderId } from '#contract/exchange/ids.ts';
import { type OrderRow, toOrderRows } from '#model/orders/order-row.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import { type CsvForm, toCsvLines } from '#model/format/csv.ts';

type OrderPage = ApiResponse<Page<Order>>;

export interface ExportProgress {
  readonly requests: number;
  readonly read: number;
  readonly written: number;
  /** The time of the last order read. */
  readonly at: Instant | null;
  /** Epoch milliseconds of the next attempt; null while not waiting. */
  readonly waitsUntil: number | null;
}

/** The exported file, and the evidence of its completeness. */
export interface ExportResult extends ExportProgress {
  readonly file: Blob;
  readonly repeated: number;
  readonly setAside: number;
  /** Null if the export stopped before the end. */
  readonly end: PageEnd | null;
  readonly stoppedBecause: string | null;
  readonly firstResponse: OrderPage | null;
  readonly lastResponse: OrderPage | null;
}

/** Returns whether the end was certainly reached and every row was valid. */
export function isComplete(result: Omit<ExportResult, 'file'>): boolean {
  return result.end !== null && result.setAside === 0 && !endsOnFullPage(result);
}

/**
 * Returns whether a repeated cursor followed a full page. It proves the end only after a page that is not full;
 * otherwise there may be more rows that cannot be requested.
 */
function endsOnFullPage({ end, firstResponse, lastResponse }: Omit<ExportResult, 'file'>): boolean {
  return (
    end === 'repeated cursor' &&
    firstResponse !== null &&
    lastResponse !== null &&
    countRows(lastResponse) >= countRows(firstResponse)
  );
}

function countRows({ value, setAside }: OrderPage): number {
  return value.data.length + setAside.length;
}

export interface ExportInputs {
  readonly fetchPage: (cursor: Cursor | null) => Promise<OrderPage>;
  readonly terms: TermsOf;
  /** How far the exchange's clock is ahead of the server's, in milliseconds. */
  readonly offsetMs: number;
  /** The filter of the page; null if there is none. */
  readonly test: ((row: OrderRow) => boolean) | null;
  readonly form: CsvForm;
  readonly signal: AbortSignal;
  readonly report: (progress: ExportProgress) => void;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

const INITIAL_RESULT: Omit<ExportResult, 'file'> = {
  ...{ requests: 0, read: 0, written: 0, at: null, waitsUntil: null, repeated: 0, setAside: 0 },
  ...{ end: null, stoppedBecause: null, firstResponse: null, lastResponse: null },
};

/** Reads all pages. Each is written before the next is read, so that not all rows must stay in memory. */
export async function exportHistory(inputs: ExportInputs): Promise<ExportResult> {
  const pieces = [new Blob([toCsvLines([toOrderHeading(inputs.form)])])];
  let result = INITIAL_RESULT;
  let previousIds = new Set<OrderId>();
  const report = (waitsUntil: number | null): void => {
    result = { ...result, waitsUntil };
    inputs.report(result);
  };
  const pages = readPages<Order, OrderPage>((cursor) => {
    result = { ...result, requests: result.requests + 1 };
    return fetchWithRetries(inputs, cursor, report);
  });
  try {
    for (let step = await pages.next(); ; step = await pages.next()) {
      if (step.done === true) return { ...result, end: step.value, file: new Blob(pieces) };
      const { data } = step.value.value;
      const fresh = data.filter(({ id }) => !previousIds.has(id));
      previousIds = new Set(data.map(({ id }) => id));
      const rows = toOrderRows(fresh, step.value, inputs.terms, inputs.offsetMs).filter(
        (row) => inputs.test?.(row) ?? true,
      );
      pieces.push(new Blob([toCsvLines(rows.map((row) => toOrderCells(row, 'history', inputs.form)))]));
      result = withPage(result, step.value, fresh, rows.length);
      report(null);
    }
  } catch (error) {
    const stoppedBecause = inputs.signal.aborted
      ? 'Cancelled.'
      : error instanceof Error
        ? error.message
        : String(error);
    return { ...result, stoppedBecause, file: new Blob(pieces) };
  }
}

function withPage(
  result: typeof INITIAL_RESULT,
  response: OrderPage,
  fresh: readonly Order[],
  written: number,
): typeof INITIAL_RESULT {
  return {
    ...result,
    read: result.read + fresh.length,
    written: result.written + written,
    at: fresh.at(-1)?.time ?? result.at,
    repeated: result.repeated + response.value.data.length - fresh.length,
    setAside: result.setAside + response.setAside.length,
    firstResponse: result.firstResponse ?? response,
    lastResponse: response,
  };
}

/** A spent budget does not count as a failure, because it is certain to refill. */
const MAX_FAILURES = 4;

/** Fetches a page. An export takes minutes, so it waits for the budget and retries failures that may pass. */
async function fetchWithRetries(
  inputs: ExportInputs,
  cursor: Cursor | null,
  report: (waitsUntil: number | null) => void,
): Promise<OrderPage> {
  for (let failures = 0; ;) {
    inputs.signal.throwIfAborted();
    try {
      return await inputs.fetchPage(cursor);
    } catch (error) {
      const dueAt = error instanceof Error ? toRetryTime(error, inputs.now()) : Infinity;
      const isBudget = error instanceof ProblemError && error.type === 'budget-spent';
      if (!isBudget) failures += 1;
      if (inputs.signal.aborted || !Number.isFinite(dueAt) || failures >= MAX_FAILURES) throw error;
      report(dueAt);
      await inputs.sleep(dueAt - inputs.now());
    }
  }
}

/** Resolves after the time or on abort. It removes its listener, because the signal outlives many waits. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, milliseconds));
    signal.addEventListener('abort', end);
  });
}

type LoadedView = Pick<WindowView<Order>, 'list' | 'end' | 'setAside' | 'newer'>;

/**
 * Returns the loaded pages if they contain all orders: every page is in memory, the end is certain, no row failed
 * validation, and the last check found nothing newer. Returns null if an export has to read the pages.
 */
export function toLoadedPages({
  list: { spans },
  end,
  setAside,
  newer,
}: LoadedView): readonly LoadedPage<Order>[] | null {
  const isWhole = end !== null && end !== 'repeated cursor' && setAside.size === 0;
  const isNewest = newer.count === 0 && newer.changed === 0 && newer.error === null;
  const pages = spans.flatMap(({ loaded }) => loaded ?? []);
  return isWhole && isNewest && pages.length > 0 && pages.length === spans.length ? pages : null;
}

/** Serves loaded pages to an export, using the next page's index as the cursor. */
export function readLoaded(pages: readonly LoadedPage<Order>[]): ExportInputs['fetchPage'] {
  return (cursor) => {
    const at = Number(cursor ?? 0);
    const page = pages[at];
    if (page === undefined) return Promise.reject(new Error('No such page is loaded.'));
    const next = at + 1 < pages.length ? (String(at + 1) as Cursor) : null;
    const value = { data: page.rows, pagination: { cursor: next } };
    return Promise.resolve({
      ...page.source,
      value,
      setAside: [],
      deviations: [],
      freshSeconds: null,
      staleBecause: null,
      tag: null,
    });
  };
}

interface Subject {
  readonly result: ExportResult;
  readonly file: string;
  /** The filters applied by the exchange. */
  readonly query: Readonly<Record<string, string>>;
  /** The filters applied by the page, one sentence each. */
  readonly filters: readonly string[];
  readonly exportedAt: string;
}

/** Formats the completeness report that accompanies an export. */
export function toHistoryStatement({ result, file, query, filters, exportedAt }: Subject): string {
  const { end, stoppedBecause, read, written, repeated, setAside, requests, firstResponse, lastResponse, at } = result;
  const complete = isComplete(result);
  const statement = {
    file,
    set: complete ? 'complete' : 'INCOMPLETE',
    statement: toSentence(result),
    ended_because: end === null ? null : describeEnd(end),
    stopped_because: stoppedBecause,
    exported_orders: written,
    orders_read: read,
    repeated_orders_left_out: repeated,
    rows_set_aside: setAside,
    requests,
    asked: query,
    filtered_here: filters,
    first_answer_at: firstResponse?.respondedAt ?? null,
    last_answer_at: lastResponse?.respondedAt ?? null,
    last_order_time: at,
    first_request: firstResponse === null ? null : `GET ${firstResponse.target}`,
    exported_at: exportedAt,
    reading: [
      'UTF-8, RFC 4180. Times are UTC, as reported by the exchange.',
      APOSTROPHES,
      PRODUCT_TYPES_NOTE,
      'Each page is as of its read (responded_at). Newest first, orders accepted after the first read are missing.',
      'standing is derived from quantities: the exchange reports only Working or Closed, and not why an order closed.',
    ],
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** States whether the export is complete and, if not, what is missing. */
export function toSentence(result: ExportResult): string {
  const { end, written, read, setAside } = result;
  if (isComplete(result))
    return (
      `Complete: all ${countOf(read, 'matching order')} were read to the end of the list; the file ` +
      `holds ${formatCount(written)} of them.`
    );
  if (end === null)
    return `INCOMPLETE: reading stopped before the end, after ${countOf(read, 'order')}; more may exist.`;
  if (setAside === 0)
    return (
      'INCOMPLETE: the list ended on a full page with a repeated cursor, so more than these ' +
      `${countOf(read, 'order')} may exist.`
    );
  return (
    `INCOMPLETE: ${countOf(setAside, 'row')} failed validation and ${setAside === 1 ? 'is' : 'are'} ` +
    'not in the file.'
  );
}
