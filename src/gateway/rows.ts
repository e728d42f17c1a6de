import { VenueFailure, type VenueAnswer } from './ports.ts';

/** A row as it came: nothing is known of its fields yet. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of a list or a page. */
export function parseRows({ body }: VenueAnswer): readonly Row[] {
  const value = parse(body.toString());
  return toRows(isRow(value) ? value['data'] : value);
}

/** The rows of a list, and of nothing else: who cuts its brackets off has the text of its rows. */
export function parseList(text: string): readonly Row[] {
  return toRows(parse(text));
}

function toRows(rows: unknown): readonly Row[] {
  if (!Array.isArray(rows) || !rows.every(isRow)) throw unreadable('is not a list of rows');
  return rows;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable('is not JSON', error);
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(detail: string, cause?: unknown): VenueFailure {
  return new VenueFailure({ type: 'venue-answer-unreadable', detail: `The venue’s answer ${detail}.` }, cause);
}
