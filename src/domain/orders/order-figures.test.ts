import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOrders, readOrderText, toRows } from '#testing/order-rows.ts';
import { wireAnswers } from '#testing/wire-answers.ts';
import { toFilledNotional, toFilledShare, toNotional, toPrice, toRemaining, toSortableNotional, toSortablePrice, toTicks } from './order-figures.ts';
import { toRowStanding, toStanding } from './order-status.ts';

function rowOf(fields: object) {
  const [row] = toRows(readOrders([fields]));
  if (row === undefined) throw new Error('There is a row.');
  return row;
}

/** Bounds do not tell the two zeros apart. */
function unsigned(value: number | null): number {
  return (value ?? NaN) + 0;
}

describe('prices', () => {
  it('are ticks times the published increment, and say so', () => {
    const row = rowOf({ product_id: 1, price: 17_502 });
    expect(toPrice(row)).toMatchObject({ unit: 'USD', withheld: null, provenance: { field: 'price', wireText: '17502', factor: '0.05', spec: { symbol: 'GOOD' } } });
    expect(toPrice(row).value?.toFixed()).toBe('875.1');
  });

  it('keep all digits of a mean price', () => {
    const text = JSON.stringify(wireAnswers.ordersWorking).replace('17501.5', '17501.123456789012345678').replace('1602', '1');
    const [row] = toRows(readOrderText(text));
    expect(row && toPrice(row, 'avg_price').value?.toFixed()).toBe('875.0561728394506172839');
  });

  it('are withheld where the increment does not hold, and so is all that is computed from them', () => {
    const row = rowOf({ product_id: 3 });
    for (const figure of [toPrice(row), toPrice(row, 'avg_price'), toNotional(row), toFilledNotional(row)]) {
      expect(figure).toMatchObject({ value: null, withheld: 'a thousand times too much' });
    }
    expect(toTicks(row).value?.toFixed()).toBe('17502');
    expect([toSortablePrice(row), toSortableNotional(row)]).toEqual([null, null]);
  });

  it.each([4, 9])('stay in ticks where product %i publishes no increment', (id) => {
    const row = rowOf({ product_id: id });
    expect(toPrice(row)).toMatchObject({ unit: 'ticks', withheld: null });
    expect(toNotional(row)).toMatchObject({ value: null, unit: 'USD', withheld: null });
    expect([toSortablePrice(row), toSortableNotional(row)]).toEqual([null, null]);
  });

  it('are bounded by the float that a reader who types them names', () => {
    const ticks = fc.integer({ min: -10_000_000, max: 10_000_000 });
    fc.assert(
      fc.property(fc.constantFrom(1, 2), ticks, ticks.map((n) => n / 2), fc.integer({ min: 0, max: 9_999 }), (product_id, price, avg_price, quantity_requested) => {
        const row = rowOf({ product_id, price, avg_price, quantity_requested, quantity_filled: 7 });
        const bounded = [toSortablePrice(row), toSortablePrice(row, 'avg_price'), toSortableNotional(row)];
        expect(bounded.map(unsigned)).toEqual([toPrice(row), toPrice(row, 'avg_price'), toNotional(row)].map(({ value }) => unsigned(Number(value?.toFixed()))));
      }),
    );
  });

  it('are none, not zero, where nothing was filled', () => {
    const row = rowOf({ product_id: 1, avg_price: null });
    expect(toPrice(row, 'avg_price').value).toBeNull();
    expect(toSortablePrice(row, 'avg_price')).toBeNull();
  });
});

describe('quantities', () => {
  it('remaining is what was asked for less what was filled; its value has the sign of the price', () => {
    const row = rowOf({ product_id: 1, price: -40, quantity_requested: 12, quantity_filled: 4 });
    expect(toRemaining(row).value?.toFixed()).toBe('8');
    expect(toNotional(row).value?.toFixed()).toBe('-0.16');
  });

  it.each([
    [12, 4, 1 / 3],
    [0, 0, null],
    [3, 5, 1],
  ])('of %i asked for %i are filled: a share of %j', (requested, filled, share) => {
    expect(toFilledShare(rowOf({ quantity_requested: requested, quantity_filled: filled }).order)).toBe(share);
  });
});

describe('standing', () => {
  it.each([
    ['Working', 0, 'Working', false],
    ['Working', 4, 'Working, partly filled', true],
    ['Working', 12, 'Working, filled', true],
    ['Closed', 12, 'Filled', true],
    ['Closed', 4, 'Partly filled, then closed', true],
    ['Closed', 0, 'Closed unfilled', true],
    ['Closed', 13, 'More filled than asked', true],
    ['Suspended', 4, 'Suspended', false],
  ])('%s with %i of 12 filled: %s', (status, filled, word, derived) => {
    expect(toStanding(rowOf({ status, quantity_requested: 12, quantity_filled: filled }).order)).toMatchObject({ word, derived });
  });

  it('of an order that the last answer does not have is gone, or unread, whatever the venue said of it before', () => {
    const row = rowOf({ status: 'Working', quantity_requested: 12, quantity_filled: 4 });
    expect(toRowStanding(row).word).toBe('Working, partly filled');
    expect(toRowStanding({ ...row, absent: 'gone' })).toMatchObject({ word: 'Gone', derived: true });
    expect(toRowStanding({ ...row, absent: 'unread' })).toMatchObject({ word: 'Unread', derived: true });
  });

  it('never says why an order was closed', () => {
    for (const filled of [0, 4, 12]) {
      const { word, how } = toStanding(rowOf({ status: 'Closed', quantity_requested: 12, quantity_filled: filled }).order);
      expect(`${word} ${how}`).not.toMatch(/cancel|expire|reject/i);
    }
  });
});
