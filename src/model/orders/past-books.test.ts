import { expect, it } from 'vitest';
import type { DeskJournalBook } from '#contract/desk/journal.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { orderLists, readOrders, toRows } from '#testing/order-rows.ts';
import { compareBooks, toPastSet } from './past-books.ts';
import fc from 'fast-check';
import { isPresent, type OrderRow, toRowStatus } from './order-row.ts';
import { compareNewest } from './working-set.ts';

const AT = '2026-08-17T23:45:23Z' as Instant;

function bookOf(ids: readonly string[], change: Partial<DeskJournalBook> = {}): DeskJournalBook {
  return {
    read_from: AT,
    read_to: AT,
    complete: true,
    next_read_at: null,
    in_gap: false,
    gap_cause: null,
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

const rowsOf = (fields: readonly object[]) => toRows(readOrders(fields).toSorted(compareNewest));
const idsOf = (rows: readonly OrderRow[]) => rows.map(({ order }) => order.id);

it('each order is added, changed, gone or the same, as by a plain comparison', () => {
  fc.assert(
    fc.property(orderLists, orderLists, (before, after) => {
      const [earlier, later] = [rowsOf(before), rowsOf(after)];
      const { rows, differences, counts } = compareBooks(earlier, later);
      const all = new Set([...idsOf(earlier), ...idsOf(later)]);
      expect(new Set(idsOf(rows))).toEqual(all);
      expect(rows.map(({ order }) => order)).toEqual(rows.map(({ order }) => order).toSorted(compareNewest));
      expect(idsOf(rows.filter(isPresent))).toEqual(idsOf(later));
      expect(differences.size).toBe(all.size);
      for (const [id, { kind, before: was, fields }] of differences) {
        const [old, next] = [before, after].map((list) => list.find((one) => one.id === id));
        const changed =
          old &&
          next &&
          Object.keys(next).filter((name) => old[name as keyof typeof old] !== next[name as keyof typeof next]);
        expect(kind).toBe(
          old === undefined ? 'added' : next === undefined ? 'gone' : changed?.length === 0 ? 'same' : 'changed',
        );
        expect(fields.toSorted()).toEqual(kind === 'changed' ? changed?.toSorted() : []);
        expect(was?.order.id).toBe(old === undefined ? undefined : id);
      }
      expect(counts.added + counts.changed + counts.gone + counts.same).toBe(all.size);
      expect(counts.added - counts.gone).toBe(later.length - earlier.length);
    }),
  );
});

it('compares as backwards as forwards: what is added is gone the other way round', () => {
  fc.assert(
    fc.property(orderLists, orderLists, (before, after) => {
      const [on, back] = [
        compareBooks(rowsOf(before), rowsOf(after)).counts,
        compareBooks(rowsOf(after), rowsOf(before)).counts,
      ];
      expect(on).toEqual({ ...back, added: back.gone, gone: back.added });
    }),
  );
});

it('a gone order is as it was at the earlier time, in no sum, and says so', () => {
  const { rows } = compareBooks(rowsOf([{ id: '1', quantity_filled: 2 }]), []);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  expect(isPresent(row)).toBe(false);
  expect(toRowStatus(row)).toMatchObject({
    label: 'No longer working',
    explanation: expect.stringContaining('at the earlier of the two times') as string,
  });
});
