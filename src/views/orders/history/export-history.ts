import type { Answer } from '#api/answer.ts';
import { ProblemError } from '#api/errors.ts';
import { toRetryTime } from '#api/freshness.ts';
import { readPages, type PageEnd } from '#api/pages.ts';
import type { Instant } from '#contract/instant.ts';
import type { Order } from '#contract/order.ts';
import type { Cursor, Page } from '#contract/paging.ts';
import type { OrderId } from '#contract/ids.ts';
import { toOrderRows, type OrderRow } from '#domain/orders/order-row.ts';
import type { TermsOf } from '#domain/orders/order-terms.ts';
import { toCsvLines } from '#ui/csv.ts';
import { ORDER_CSV_HEADING, toOrderCells } from '../order-csv.ts';

type OrderPage = Answer<Page<Order>>;

/** How far an export has come. */
export interface ExportProgress {
  readonly requests: number;
  readonly read: number;
  readonly written: number;
  /** Time of the last order read. */
  readonly at: Instant | null;
  /** Epoch milliseconds until which it waits before it asks again; null: it does not wait. */
  readonly waitsUntil: number | null;
}

/** What was exported, and what proves how much of the whole it is. */
export interface ExportResult extends ExportProgress {
  readonly file: Blob;
  readonly repeated: number;
  readonly setAside: number;
  /** Null: it was stopped before the end. */
  readonly end: PageEnd | null;
  readonly stoppedBecause: string | null;
  readonly firstAnswer: OrderPage | null;
  readonly lastAnswer: OrderPage | null;
}

/** Whether it is proven to be all that the venue has, and all of it could be believed. */
export function isComplete(result: Omit<ExportResult, 'file'>): boolean {
  return result.end !== null && result.setAside === 0 && !endsInDoubt(result);
}

/** A cursor that comes again is an end only after a page with room left: after a full one, more may follow that nobody can ask for. */
function endsInDoubt({ end, firstAnswer, lastAnswer }: Omit<ExportResult, 'file'>): boolean {
  return end === 'repeated cursor' && firstAnswer !== null && lastAnswer !== null && countOnTheWire(lastAnswer) >= countOnTheWire(firstAnswer);
}

function countOnTheWire({ value, setAside }: OrderPage): number {
  return value.data.length + setAside.length;
}

export interface ExportParts {
  readonly ask: (cursor: Cursor | null) => Promise<OrderPage>;
  readonly terms: TermsOf;
  /** How far the venue's clock is ahead of the desk's. */
  readonly aheadMs: number;
  /** Null: everything. */
  readonly test: ((row: OrderRow) => boolean) | null;
  readonly signal: AbortSignal;
  readonly report: (progress: ExportProgress) => void;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

const NOTHING: Omit<ExportResult, 'file'> = {
  ...{ requests: 0, read: 0, written: 0, at: null, waitsUntil: null, repeated: 0, setAside: 0 },
  ...{ end: null, stoppedBecause: null, firstAnswer: null, lastAnswer: null },
};

/** Reads all pages and writes them piece by piece: what is written leaves the page's memory. */
export async function exportHistory(parts: ExportParts): Promise<ExportResult> {
  const pieces = [new Blob([toCsvLines([ORDER_CSV_HEADING])])];
  let result = NOTHING;
  let before = new Set<OrderId>();
  const report = (waitsUntil: number | null): void => {
    result = { ...result, waitsUntil };
    parts.report(result);
  };
  const pages = readPages<Order, OrderPage>((cursor) => {
    result = { ...result, requests: result.requests + 1 };
    return askPatiently(parts, cursor, report);
  });
  try {
    for (let step = await pages.next(); ; step = await pages.next()) {
      if (step.done === true) return { ...result, end: step.value, file: new Blob(pieces) };
      const { data } = step.value.value;
      const fresh = data.filter(({ id }) => !before.has(id));
      before = new Set(data.map(({ id }) => id));
      const rows = toOrderRows(fresh, step.value, parts.terms, parts.aheadMs).filter((row) => parts.test?.(row) ?? true);
      pieces.push(new Blob([toCsvLines(rows.map((row) => toOrderCells(row, 'history')))]));
      result = withPage(result, step.value, fresh, rows.length);
      report(null);
    }
  } catch (error) {
    const stoppedBecause = parts.signal.aborted ? 'It was cancelled.' : error instanceof Error ? error.message : String(error);
    return { ...result, stoppedBecause, file: new Blob(pieces) };
  }
}

function withPage(result: typeof NOTHING, answer: OrderPage, fresh: readonly Order[], written: number): typeof NOTHING {
  return {
    ...result,
    read: result.read + fresh.length,
    written: result.written + written,
    at: fresh.at(-1)?.time ?? result.at,
    repeated: result.repeated + answer.value.data.length - fresh.length,
    setAside: result.setAside + answer.setAside.length,
    firstAnswer: result.firstAnswer ?? answer,
    lastAnswer: answer,
  };
}

/** Beside a spent budget, which comes back for certain. */
const MOST_TRIES = 4;

/** An export takes minutes: it waits for the budget, and does not give up for a moment’s failure. */
async function askPatiently(parts: ExportParts, cursor: Cursor | null, report: (waitsUntil: number | null) => void): Promise<OrderPage> {
  for (let tries = 1; ; ) {
    parts.signal.throwIfAborted();
    try {
      return await parts.ask(cursor);
    } catch (error) {
      const dueAt = error instanceof Error ? toRetryTime(error, parts.now()) : Infinity;
      const isBudget = error instanceof ProblemError && error.type === 'budget-spent';
      if (parts.signal.aborted || !Number.isFinite(dueAt) || tries >= MOST_TRIES) throw error;
      if (!isBudget) tries += 1;
      report(dueAt);
      await parts.sleep(dueAt - parts.now());
    }
  }
}
