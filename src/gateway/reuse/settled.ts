import { parseInstant, toEpochMillis } from '#contract/instant.ts';
import type { Question } from '../ports.ts';

/** Whether the answer can never change again: its range has both ends, and ended as long ago as the table asks. */
export function isSettled({ endpoint, query }: Question, now: number): boolean {
  if (endpoint.settledAfterSeconds === null) return false;
  const values = new Map(query);
  const end = parseInstant(values.get('end_time') ?? '');
  if (end === null || !values.has('begin_time')) return false;
  return toEpochMillis(end) + endpoint.settledAfterSeconds * 1_000 <= now;
}
