import type { ApiResponse } from '#model/response.ts';
import { ProblemError } from '#page/client/errors.ts';
import { toRetryTime } from '#page/client/freshness.ts';
import { readPages, type PageEnd } from '#page/client/pages.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Cursor, Page } from '#contract/exchange/paging.ts';
import type { OrderId } from '#contract/exchange/ids.ts';
import { toOrderRows, type OrderRow } from '#model/orders/order-row.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import { toCsvLines, type CsvForm } from '#model/format/csv.ts';
import { toOrderCells, toOrderHeading } from '#model/tables/orders/order-csv.ts';

type OrderPage = ApiResponse<Page<Order>>;

export interface ExportProgress {
  readonly requests: number;
  readonly read: number;
  readonly written: number;
  /** Time of the last order read. */
  readonly at: Instant | null;
  /** Epoch milliseconds of the next attempt; null while not waiting. */
  readonly waitsUntil: number | null;
}

/** The exported file, and the evidence of its completeness. */
export interface ExportResult extends ExportProgress {
  readonly file: Blob;
  readonly repeated: number;
  readonly setAside: number;
  /** Null: the export stopped before the end. */
  readonly end: PageEnd | null;
  readonly stoppedBecause: string | null;
  readonly firstResponse: OrderPage | null;
  readonly lastResponse: OrderPage | null;
}

/** Whether the end was reached without doubt and every row was valid. */
export function isComplete(result: Omit<ExportResult, 'file'>): boolean {
  return result.end !== null && result.setAside === 0 && !endsOnFullPage(result);
}

/** A repeated cursor proves the end only after a page that is not full: after a full one, more rows may exist that cannot be requested. */
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

export interface ExportParts {
  readonly fetchPage: (cursor: Cursor | null) => Promise<OrderPage>;
  readonly terms: TermsOf;
  /** How far the venue’s clock is ahead of the desk’s. */
  readonly offsetMs: number;
  /** Null: no filter. */
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

/** Reads all pages; each is written before the next is read, so that the rows need not stay in memory. */
export async function exportHistory(parts: ExportParts): Promise<ExportResult> {
  const pieces = [new Blob([toCsvLines([toOrderHeading(parts.form)])])];
  let result = INITIAL_RESULT;
  let previousIds = new Set<OrderId>();
  const report = (waitsUntil: number | null): void => {
    result = { ...result, waitsUntil };
    parts.report(result);
  };
  const pages = readPages<Order, OrderPage>((cursor) => {
    result = { ...result, requests: result.requests + 1 };
    return fetchWithRetries(parts, cursor, report);
  });
  try {
    for (let step = await pages.next(); ; step = await pages.next()) {
      if (step.done === true) return { ...result, end: step.value, file: new Blob(pieces) };
      const { data } = step.value.value;
      const fresh = data.filter(({ id }) => !previousIds.has(id));
      previousIds = new Set(data.map(({ id }) => id));
      const rows = toOrderRows(fresh, step.value, parts.terms, parts.offsetMs).filter(
        (row) => parts.test?.(row) ?? true,
      );
      pieces.push(new Blob([toCsvLines(rows.map((row) => toOrderCells(row, 'history', parts.form)))]));
      result = withPage(result, step.value, fresh, rows.length);
      report(null);
    }
  } catch (error) {
    const stoppedBecause = parts.signal.aborted ? 'Cancelled.' : error instanceof Error ? error.message : String(error);
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

/** A spent budget is no failure: it is certain to refill. */
const MAX_FAILURES = 4;

/** An export takes minutes: it waits for the budget, and retries after failures that may pass. */
async function fetchWithRetries(
  parts: ExportParts,
  cursor: Cursor | null,
  report: (waitsUntil: number | null) => void,
): Promise<OrderPage> {
  for (let failures = 0; ;) {
    parts.signal.throwIfAborted();
    try {
      return await parts.fetchPage(cursor);
    } catch (error) {
      const dueAt = error instanceof Error ? toRetryTime(error, parts.now()) : Infinity;
      const isBudget = error instanceof ProblemError && error.type === 'budget-spent';
      if (!isBudget) failures += 1;
      if (parts.signal.aborted || !Number.isFinite(dueAt) || failures >= MAX_FAILURES) throw error;
      report(dueAt);
      await parts.sleep(dueAt - parts.now());
    }
  }
}

/** Resolves after the time or on abort, and removes its listener, since the signal outlives many waits. */
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
