import type { Settling } from '#contract/endpoints.ts';
import { parseInstant, toEpochMillis } from '#contract/instant.ts';
import { createParser } from '#contract/parse.ts';
import type { Question, VenueAnswer } from '../ports.ts';
import { parseRows, type Row } from '../rows.ts';

/** Whether the range asked for has both ends, and ended as long ago as the table asks. */
export function isLongOver({ endpoint: { settled }, query }: Question, now: number): boolean {
  if (settled === null) return false;
  const end = endOf(query);
  return end !== null && end + settled.afterSeconds * 1_000 <= now;
}

/** Whether the answer can never change again. That the range was over is not enough: the venue may have published late. */
export function isSettled(question: Question, answer: VenueAnswer, answeredAt: number): boolean {
  const { settled } = question.endpoint;
  if (settled === null) return false;
  const end = endOf(question.query);
  if (end === null || !isLongOver(question, answeredAt) || !namesProduct(question.query, settled)) return false;
  return isOfShape(question, answer) && reaches(end, settled, parseRows(answer));
}

function namesProduct(query: Question['query'], { namedBy }: Settling): boolean {
  return namedBy.length === 0 || query.some(([name]) => namedBy.includes(name));
}

function endOf(query: Question['query']): number | null {
  const values = new Map(query);
  const end = parseInstant(values.get('end_time') ?? '');
  return end === null || !values.has('begin_time') ? null : toEpochMillis(end);
}

/** Whether the rows go on to the end that was asked for, and nothing of the newest is still to come. */
function reaches(end: number, { timeField, everySeconds, lateFields }: Settling, rows: readonly Row[]): boolean {
  const timeOf = (row: Row): number => Date.parse(String(row[timeField]));
  const newest = rows.reduce((latest, row) => Math.max(latest, timeOf(row)), -Infinity);
  const isLastThere = end - newest <= everySeconds * 1_000;
  return isLastThere && rows.every((row) => timeOf(row) < newest || lateFields.every((field) => row[field] !== null));
}

/** Whether it is what was asked for, whole: a notice of maintenance may come as well-formed JSON, too. */
function isOfShape({ endpoint }: Question, { body }: VenueAnswer): boolean {
  const { value, setAside } = createParser(endpoint.response).tolerant(body.toString());
  return value !== null && setAside.length === 0;
}
