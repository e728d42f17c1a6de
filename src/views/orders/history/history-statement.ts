import { countOf } from '#domain/format-count.ts';
import { describeEnd } from './end-text.ts';
import { isComplete, type ExportResult } from './export-history.ts';

interface Subject {
  readonly result: ExportResult;
  readonly file: string;
  /** What the venue was asked with. */
  readonly question: Readonly<Record<string, string>>;
  /** What this page left out besides, a sentence each. */
  readonly filters: readonly string[];
  readonly exportedAt: string;
}

/** What goes beside an export: whether it is all that was asked for, and what proves that. */
export function toHistoryStatement({ result, file, question, filters, exportedAt }: Subject): string {
  const { end, stoppedBecause, read, written, repeated, setAside, requests, firstAnswer, lastAnswer, at } = result;
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
    asked: question,
    filtered_here: filters,
    first_answer_at: firstAnswer?.answeredAt ?? null,
    last_answer_at: lastAnswer?.answeredAt ?? null,
    last_order_time: at,
    first_request: firstAnswer === null ? null : `GET ${firstAnswer.target}`,
    exported_at: exportedAt,
    reading: [
      'UTF-8, RFC 4180, times in UTC as they came.',
      'An apostrophe before a text keeps spreadsheets from taking it for a number or a formula; it is no part of the text.',
      'Each page is as the venue had it when it was read; orders accepted after the first page was read are not in it, newest first.',
      'standing is derived from quantities; the venue says Working or Closed and never why.',
    ],
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** Whether it is all, and if not, what is missing. */
export function toSentence(result: ExportResult): string {
  const { end, written, read, setAside } = result;
  if (isComplete(result)) return `All ${String(read)} orders that the venue gave for the question were read to the end; ${String(written)} of them are in the file.`;
  if (end === null) return `INCOMPLETE: reading stopped before the end, after ${String(read)} orders; there may be more.`;
  if (setAside === 0) return `INCOMPLETE: reading ended on a full page with a cursor that was given before: it is not proven complete, and there may be more than these ${String(read)} orders.`;
  return `INCOMPLETE: ${countOf(setAside, 'row')} ${setAside === 1 ? 'was' : 'were'} not what the interface promises and ${setAside === 1 ? 'is' : 'are'} not in the file.`;
}
