import { formatInstant, parseInstant } from '#contract/exchange/instant.ts';
import { toNextCursor, type Cursor } from '#contract/exchange/paging.ts';
import type { RowCheck } from '#contract/parse/row-check.ts';
import type { VenueResponse } from '#server/core/ports.ts';
import { splitList } from '#contract/parse/json-split.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';

/** A settled print as the exchange wrote it, with its place in time. */
export interface PrintRow {
  /** The end of its interval with nine fractional digits, so that text order is time order. */
  readonly endAt: string;
  readonly text: string;
}

export interface PrintPage {
  /** In the exchange's order. */
  readonly rows: readonly PrintRow[];
  /** Rows that do not answer the request. */
  readonly leftOut: readonly PrintRow[];
  readonly toCursorAfter: (sent: readonly (Cursor | null)[]) => Cursor | null;
}

/**
 * Reads a page without changing its rows. A row without a readable end takes the place of the row before it (the first
 * one takes `startAt`), so that the screen can show it as broken.
 */
export function readPrintPage({ body }: VenueResponse, startAt: string, check: RowCheck): PrintPage {
  const text = body.toString();
  const page = parsePage(text);
  const texts = splitRows(text, page.data.length);
  const { leftOut } = check(page.data);
  const isLeftOut = (index: number): boolean => leftOut.has(index);
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

/** The text of each row. Several fields may be called `data`: the right one has as many rows as were parsed. */
function splitRows(text: string, count: number): readonly string[] {
  for (const { index, 0: opening } of text.matchAll(DATA)) {
    const rows = splitList(text, index + opening.length);
    if (rows.length === count) return rows;
  }
  throw unreadable();
}
