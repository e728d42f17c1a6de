import { expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { compareBooks } from '../../orders/compare-books.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { createDifferenceColumns, toAddedColumns } from './difference-columns.ts';

const before = toRows(
  readOrders([{ id: '3', quantity_filled: 0, price: 125, avg_price: null }, { id: '2' }, { id: '1' }]),
);
const after = toRows(
  readOrders([{ id: '4' }, { id: '3', quantity_filled: 5, price: 130, avg_price: null }, { id: '2' }]),
);
const comparison = compareBooks(before, after);

it('say how an order differs, and its fields before and after', () => {
  const [change, edits] = createDifferenceColumns(comparison, false);
  expect(comparison.rows.map((row) => change?.text(row))).toEqual(['Added', 'Changed', 'Unchanged', 'Gone']);
  expect(edits?.text(comparison.rows[1] ?? (after[0] as never))).toMatch(/^Price .+ → .+, Filled 0 → 5 of /);
  expect(change?.compare?.('Added', 'Unchanged')).toBeLessThan(0);
});

it('are in the file, with the figures of the earlier time as digits', () => {
  const { heading, cells } = toAddedColumns(comparison, {
    completeness: { readTo: '2026-08-17T23:45:23Z' as Instant },
  });
  const lines = comparison.rows.map((row): Readonly<Record<string, unknown>> =>
    Object.fromEntries(cells(row).map((cell, place) => [heading[place] ?? '', cell] as const)),
  );
  expect(lines[0]).toMatchObject({ difference: 'added', price_ticks_before: null });
  expect(lines[1]).toMatchObject({
    difference: 'changed',
    compared_with: '2026-08-17T23:45:23Z',
    changed_fields: 'price quantity_filled',
    price_ticks_before: { digits: '125' },
    quantity_filled_before: { digits: '0' },
  });
  expect(lines[3]).toMatchObject({ difference: 'gone', changed_fields: '' });
});
