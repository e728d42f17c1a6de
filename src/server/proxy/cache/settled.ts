import type { SettledRule } from '#contract/exchange/endpoints.ts';
import { parseInstant, toEpochMillis } from '#contract/exchange/instant.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { VenueRequest, VenueResponse } from '#server/core/ports.ts';
import { parseRows, toRowCheck, type Row } from '#server/core/rows.ts';

/** Whether the requested range has both ends, and ended as long ago as the endpoint table requires. */
export function isLongOver({ endpoint: { settled }, query }: VenueRequest, now: number): boolean {
  if (settled === null) return false;
  const end = endOf(query);
  return end !== null && end + settled.afterSeconds * 1_000 <= now;
}

/** Whether the response can never change again. A past range is not enough: the exchange may publish late. */
export function isSettled(request: VenueRequest, response: VenueResponse, answeredAt: number): boolean {
  const { settled, rows } = request.endpoint;
  if (settled === null || rows.timeField === null) return false;
  const end = endOf(request.query);
  if (end === null || !isLongOver(request, answeredAt) || !namesProduct(request.query, settled)) return false;
  return (
    isSound(request, response, answeredAt) &&
    reaches(end, { ...settled, timeField: rows.timeField }, parseRows(response))
  );
}

function namesProduct(query: VenueRequest['query'], { namedBy }: SettledRule): boolean {
  return namedBy.length === 0 || query.some(([name]) => namedBy.includes(name));
}

function endOf(query: VenueRequest['query']): number | null {
  const values = new Map(query);
  const end = parseInstant(values.get('end_time') ?? '');
  return end === null || !values.has('begin_time') ? null : toEpochMillis(end);
}

/** Whether the rows reach the requested end, and the newest of them is complete. */
function reaches(
  end: number,
  { timeField, everySeconds, lateFields }: SettledRule & { readonly timeField: string },
  rows: readonly Row[],
): boolean {
  const timeOf = (row: Row): number => Date.parse(String(row[timeField]));
  const newest = rows.reduce((latest, row) => Math.max(latest, timeOf(row)), -Infinity);
  const isLastThere = end - newest <= everySeconds * 1_000;
  return isLastThere && rows.every((row) => timeOf(row) < newest || lateFields.every((field) => row[field] !== null));
}

/** Whether it matches its schema and answers the request: a maintenance notice may be well-formed JSON, too. */
function isSound(request: VenueRequest, { body }: VenueResponse, answeredAt: number): boolean {
  const { value, setAside } = createParser(request.endpoint.response).tolerant(
    body.toString(),
    toRowCheck(request, answeredAt),
  );
  return value !== null && setAside.length === 0;
}
