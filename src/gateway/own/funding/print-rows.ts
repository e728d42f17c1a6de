import { formatInstant, parseInstant } from '#contract/instant.ts';
import { toNextCursor, type Cursor } from '#contract/paging.ts';
import { VenueFailure, type VenueAnswer } from '../../ports.ts';

/** A settled print as the venue wrote it, with where it stands in time. */
export interface PrintRow {
  /** Its interval's end with all nine digits, so that the order of texts is the order of times. */
  readonly endAt: string;
  readonly text: string;
}

export interface PrintPage {
  /** In the venue's order. */
  readonly rows: readonly PrintRow[];
  readonly toCursorAfter: (sent: readonly (Cursor | null)[]) => Cursor | null;
}

/**
 * Reads a page without touching its rows. One without a readable end stands where the row before it does, so that the
 * screen can show it as what it is: broken; the first of all at `startAt`.
 */
export function readPrintPage({ body }: VenueAnswer, startAt: string): PrintPage {
  const text = body.toString();
  const page = parsePage(text);
  const texts = splitRows(text, page.data.length);
  let endAt = startAt;
  const rows = page.data.map((row, index) => {
    endAt = toEndAt(row) ?? endAt;
    return { endAt, text: texts[index] ?? '' };
  });
  return { rows, toCursorAfter: (sent) => toNextCursor(page, sent) };
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
  return new VenueFailure({ type: 'venue-answer-unreadable', detail: 'The venue’s answer is not a page of funding.' }, cause);
}

function toEndAt(row: unknown): string | null {
  const end: unknown = typeof row === 'object' && row !== null && 'interval_end' in row ? row.interval_end : null;
  const nanos = typeof end === 'string' ? parseInstant(end) : null;
  return nanos === null ? null : formatInstant(nanos);
}

const DATA = /"data"\s*:\s*\[/g;
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},]/g;

/** The rows' own texts. Of several fields called `data` the one that has as many rows as were parsed. */
function splitRows(text: string, count: number): readonly string[] {
  for (const { index, 0: opening } of text.matchAll(DATA)) {
    const rows = splitList(text, index + opening.length);
    if (rows.length === count) return rows;
  }
  throw unreadable();
}

function splitList(text: string, start: number): readonly string[] {
  const rows: string[] = [];
  let depth = 0;
  let rowStart = start;
  TOKENS.lastIndex = start;
  for (let token = TOKENS.exec(text); token !== null; token = TOKENS.exec(text)) {
    const isEnd = token[0] === ']' && depth === 0;
    if (depth === 0 && (isEnd || token[0] === ',')) {
      const row = text.slice(rowStart, token.index).trim();
      if (row !== '') rows.push(row);
      rowStart = token.index + 1;
    }
    if (isEnd) break;
    if (token[0] === '{' || token[0] === '[') depth += 1;
    if (token[0] === '}' || token[0] === ']') depth -= 1;
  }
  return rows;
}
