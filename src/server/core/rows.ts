import { createRowCheck, type RowCheck } from '#contract/parse/row-check.ts';
import type { VenueRequest, VenueResponse } from './ports.ts';
import { VenueFailure } from './venue-failure.ts';

/** A row as received: its fields are not checked yet. */
export type Row = Readonly<Record<string, unknown>>;

/** Returns the check that rows must pass to match the request, at a time of the exchange’s clock. */
export function toRowCheck({ endpoint, pathParameters, query }: VenueRequest, venueNow: number | null): RowCheck {
  return createRowCheck(endpoint, [...Object.entries(pathParameters), ...query], venueNow);
}

/** Parses the rows of a list or a page. */
export function parseRows({ body }: VenueResponse): readonly Row[] {
  const value = parse(body.toString());
  return toRows(isRow(value) ? value['data'] : value);
}

/** Parses the rows of a list or a page; none if it is unreadable, which the screen reports. */
export function tryToParseRows(response: VenueResponse): readonly Row[] {
  try {
    return parseRows(response);
  } catch (error) {
    if (error instanceof VenueFailure) return [];
    throw error;
  }
}

const counted = new WeakMap<VenueResponse, number>();

/** Counts the rows of a list or a page; those of a cached response only once. */
export function countRows(response: VenueResponse): number {
  const known = counted.get(response) ?? parseRows(response).length;
  counted.set(response, known);
  return known;
}

/** Counts the rows of a text that Perpdesk composed, which are in the given field. */
export function countRowsIn(text: string, field: string): number {
  const value = parse(text);
  const rows = isRow(value) ? value[field] : null;
  return Array.isArray(rows) ? rows.length : 0;
}

/** Parses the rows of a plain list, whose text without the brackets is the text of its rows. */
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
  return new VenueFailure({ type: 'venue-answer-unreadable', detail: `The exchange’s response ${detail}.` }, cause);
}
