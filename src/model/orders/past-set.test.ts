import { expect, it } from 'vitest';
import type { DeskJournalBook } from '#contract/desk/journal.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { readOrders } from '#testing/order-rows.ts';
import { toPastSet } from './past-set.ts';

const AT = '2026-08-17T23:45:23Z' as Instant;

function bookOf(ids: readonly string[], change: Partial<DeskJournalBook> = {}): DeskJournalBook {
  return {
    read_from: AT,
    read_to: AT,
    complete: true,
    next_read_at: null,
    in_gap: false,
    orders: [...readOrders(ids.map((id) => ({ id })))],
    ...change,
  };
}

it('a complete reading makes a complete set', () => {
  expect(toPastSet(bookOf(['1', '2']), 0).completeness).toMatchObject({
    complete: true,
    reasons: [],
    orders: 2,
    repeated: 0,
    readTo: AT,
  });
});

it.each([
  ['the reading was not complete', bookOf(['1'], { complete: false }), 0, /did not cover all orders/],
  ['the instant is in a gap', bookOf(['1'], { in_gap: true }), 0, /unseen/],
  ['an order failed validation', bookOf(['1']), 1, /1 order failed validation and is not in the list/],
  ['an order came twice', bookOf(['1', '1']), 0, /1 order received more than once/],
])('it is incomplete where %s', (_, book, unreadable, reason) => {
  const { orders, completeness } = toPastSet(book, unreadable);
  expect(completeness.complete).toBe(false);
  expect(completeness.reasons.join(' ')).toMatch(reason);
  expect(orders).toHaveLength(1);
});
