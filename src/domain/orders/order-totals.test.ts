import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderLists, readOrders, toRows } from '#testing/order-rows.ts';
import { sumOf } from '../decimal.ts';
import { toNotional, toRemaining } from './order-figures.ts';
import { toOrderTotals } from './order-totals.ts';

const toText = (value: { toFixed: () => string } | null) => value?.toFixed() ?? null;

describe('sums by side', () => {
  it('are those of adding one exact figure to the next', () => {
    fc.assert(
      fc.property(orderLists, (fields) => {
        const rows = toRows(readOrders(fields));
        const totals = toOrderTotals(rows);
        expect(totals.orders).toBe(rows.length);
        for (const side of ['Bid', 'Ask']) {
          const ofSide = rows.filter(({ order }) => order.side === side);
          const sums = totals.sides.find((one) => one.side === side);
          expect(sums?.orders ?? 0).toBe(ofSide.length);
          if (sums === undefined) continue;
          expect(sums.remaining.toFixed()).toBe(toText(sumOf(ofSide.map((row) => toRemaining(row).value))));
          expect(toText(sums.notional)).toBe(toText(sumOf(ofSide.map((row) => toNotional(row).value))));
          expect(sums.withoutUsd).toBe(ofSide.filter((row) => toNotional(row).value === null).length);
        }
      }),
    );
  });

  it('of groups add up to those of all', () => {
    fc.assert(
      fc.property(orderLists, (fields) => {
        const rows = toRows(readOrders(fields));
        const groups = [...Map.groupBy(rows, ({ order }) => order.account_id).values()].map(toOrderTotals);
        const sum = (side: string) => toText(sumOf(groups.flatMap(({ sides }) => sides.filter((one) => one.side === side).map(({ notional }) => notional))));
        for (const { side, notional } of toOrderTotals(rows).sides) expect(sum(side)).toBe(toText(notional));
      }),
    );
  });

  it('keep a cent that floats lose', () => {
    const rows = toRows(readOrders([{ id: '1', product_id: 1, price: 9_007_199_254_740_991, quantity_requested: 100_000, quantity_filled: 0 }, { id: '2', product_id: 1, price: 20, quantity_requested: 1, quantity_filled: 0 }]));
    expect(toOrderTotals(rows).sides[0]?.notional?.toFixed()).toBe('450359962737049550.01');
  });
});
