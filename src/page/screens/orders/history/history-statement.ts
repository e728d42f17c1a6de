import { countOf, formatCount } from '#model/format/count.ts';
import { describeEnd } from '#page/panels/evidence/end-text.ts';
import { APOSTROPHES, PRODUCT_TYPES_NOTE } from '#model/tables/orders/order-csv.ts';
import { isComplete, type ExportResult } from '../export/export-history.ts';

interface Subject {
  readonly result: ExportResult;
  readonly file: string;
  /** The filters that the exchange applied. */
  readonly query: Readonly<Record<string, string>>;
  /** The filters of this page, a sentence each. */
  readonly filters: readonly string[];
  readonly exportedAt: string;
}

/** The completeness report beside an export. */
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
    first_answer_at: firstResponse?.answeredAt ?? null,
    last_answer_at: lastResponse?.answeredAt ?? null,
    last_order_time: at,
    first_request: firstResponse === null ? null : `GET ${firstResponse.target}`,
    exported_at: exportedAt,
    reading: [
      'UTF-8, RFC 4180. Times are UTC, as reported by the exchange.',
      APOSTROPHES,
      PRODUCT_TYPES_NOTE,
      'Each page is as of its read (answered_at). Newest first, orders accepted after the first read are missing.',
      'standing is derived from quantities: the exchange reports only Working or Closed, and not why an order closed.',
    ],
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** Whether the export is complete, and if not, what is missing. */
export function toSentence(result: ExportResult): string {
  const { end, written, read, setAside } = result;
  if (isComplete(result))
    return `Complete: all ${countOf(read, 'matching order')} were read to the end of the list; the file holds ${formatCount(written)} of them.`;
  if (end === null)
    return `INCOMPLETE: reading stopped before the end, after ${countOf(read, 'order')}; more may exist.`;
  if (setAside === 0)
    return `INCOMPLETE: the list ended on a full page with a repeated cursor, so more than these ${countOf(read, 'order')} may exist.`;
  return `INCOMPLETE: ${countOf(setAside, 'row')} failed validation and ${setAside === 1 ? 'is' : 'are'} not in the file.`;
}
