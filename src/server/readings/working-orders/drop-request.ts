import { fieldOf } from '#contract/parse/row-texts.ts';
import type { RowText } from '#server/journal/segment/change.ts';
import { toText, type Pairs } from '#server/core/order-rows.ts';
import { toInstant } from '#server/core/to-instant.ts';

/** What may narrow a request, so that a page has fewer other orders. */
const NARROWING = ['product_id', 'account_id'] as const;
const SECOND_MS = 1_000;

/**
 * The page of the order history with as many of the newest of these orders as one can have: accepted from the oldest to the
 * newest of them, the newest first, of their product and account where all have the same. Null: none says when it was
 * accepted.
 */
export function toDropRequest(orders: Iterable<RowText>): Pairs | null {
  const rows = [...orders];
  const times = rows.map((row) => Date.parse(toText(fieldOf(row, 'time')))).filter((time) => !Number.isNaN(time));
  if (times.length === 0) return null;
  const [oldest, newest] = times.reduce(
    ([least, most], time) => [Math.min(least, time), Math.max(most, time)],
    [Infinity, -Infinity],
  );
  const narrowing = NARROWING.flatMap((name) => {
    const [value = '', ...others] = new Set(rows.map((row) => toText(fieldOf(row, name))));
    return value === '' || others.length > 0 ? [] : [[name, value] as const];
  });
  return [
    ...narrowing,
    ['begin_time', toInstant(oldest - SECOND_MS)],
    ['end_time', toInstant(newest + SECOND_MS)],
    ['order', 'desc'],
  ];
}
