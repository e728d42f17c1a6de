import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOrders, readOrderText, toRows } from '#testing/order-rows.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import {
  toFilledNotional,
  toFilledShare,
  toNotional,
  toPrice,
  toRemaining,
  toSortableNotional,
  toSortablePrice,
  toTicks,
} from './order-figures.ts';
import { toOrderStatus, toRowStatus } from './order-row.ts';

function rowOf(fields: object) {
  const [row] = toRows(readOrders([fields]));
  if (row === undefined) throw new Error('There is a row.');
  return row;
}

/** Filters treat 0 and −0 as equal. */
function unsigned(value: number | null): number {
  return (value ?? NaN) + 0;
}

describe('prices', () => {
  it('are ticks × the published tick size, with that provenance', () => {
    const row = rowOf({ product_id: 1, price: 17_502 });
    expect(toPrice(row)).toMatchObject({
      unit: 'USD',
      withheld: null,
      provenance: { field: 'price', wireText: '17502', factor: '0.05', spec: { symbol: 'GOOD' } },
    });
    expect(toPrice(row).value?.toFixed()).toBe('875.1');
  });

  it('keep all digits of an average price', () => {
    const text = JSON.stringify(sampleResponses.ordersWorking)
      .replace('17501.5', '17501.123456789012345678')
      .replace('1602,', '1,')
      .replace('BUSH27', 'GOOD');
    const [row] = toRows(readOrderText(text));
    expect(row && toPrice(row, 'avg_price').value?.toFixed()).toBe('875.0561728394506172839');
  });

  it('are withheld where the tick size check failed, and so is everything computed from them', () => {
    const row = rowOf({ product_id: 3 });
    for (const figure of [toPrice(row), toPrice(row, 'avg_price'), toNotional(row), toFilledNotional(row)]) {
      expect(figure).toMatchObject({ value: null, withheld: 'a thousand times too much' });
    }
    expect(toTicks(row).value?.toFixed()).toBe('17502');
    expect([toSortablePrice(row), toSortableNotional(row)]).toEqual([null, null]);
  });

  it.each([4, 9])('stay in ticks where product %i publishes no tick size', (id) => {
    const row = rowOf({ product_id: id });
    expect(toPrice(row)).toMatchObject({ unit: 'ticks', withheld: null });
    expect(toNotional(row)).toMatchObject({ value: null, unit: 'USD', withheld: null });
    expect([toSortablePrice(row), toSortableNotional(row)]).toEqual([null, null]);
  });

  it('are filtered by the float that a typed price stands for', () => {
    const ticks = fc.integer({ min: -10_000_000, max: 10_000_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2),
        ticks,
        ticks.map((n) => n / 2),
        fc.integer({ min: 0, max: 9_999 }),
        (product_id, price, avg_price, quantity_requested) => {
          const row = rowOf({ product_id, price, avg_price, quantity_requested, quantity_filled: 7 });
          const bounded = [toSortablePrice(row), toSortablePrice(row, 'avg_price'), toSortableNotional(row)];
          expect(bounded.map(unsigned)).toEqual(
            [toPrice(row), toPrice(row, 'avg_price'), toNotional(row)].map(({ value }) =>
              unsigned(Number(value?.toFixed())),
            ),
          );
        },
      ),
    );
  });

  it('are null, not zero, without fills', () => {
    const row = rowOf({ product_id: 1, avg_price: null });
    expect(toPrice(row, 'avg_price').value).toBeNull();
    expect(toSortablePrice(row, 'avg_price')).toBeNull();
  });
});

describe('quantities', () => {
  it('the working quantity is the quantity minus fills; its value has the sign of the price', () => {
    const row = rowOf({ product_id: 1, price: -40, quantity_requested: 12, quantity_filled: 4 });
    expect(toRemaining(row).value?.toFixed()).toBe('8');
    expect(toNotional(row).value?.toFixed()).toBe('-0.16');
  });

  it.each([
    [12, 4, 1 / 3],
    [0, 0, null],
    [3, 5, null],
  ])('of %i contracts %i are filled: a share of %j', (requested, filled, share) => {
    expect(toFilledShare(rowOf({ quantity_requested: requested, quantity_filled: filled }))).toBe(share);
  });
});

describe('the status of an order', () => {
  it.each([
    ['Working', 0, 'Working', false],
    ['Working', 4, 'Partially filled', true],
    ['Working', 12, 'Filled, not yet closed', true],
    ['Closed', 12, 'Filled', true],
    ['Closed', 4, 'Closed, partially filled', true],
    ['Closed', 0, 'Closed, unfilled', true],
    ['Closed', 13, 'Quantity withheld', true],
    ['Working', -1, 'Quantity withheld', true],
    ['Suspended', 4, 'Suspended', false],
  ])('%s with %i of 12 filled: %s', (status, filled, label, derived) => {
    expect(toOrderStatus(rowOf({ status, quantity_requested: 12, quantity_filled: filled }).order)).toMatchObject({
      label,
      derived,
    });
  });

  it('of an order missing from the last response replaces its reported status', () => {
    const row = rowOf({ status: 'Working', quantity_requested: 12, quantity_filled: 4 });
    expect(toRowStatus(row).label).toBe('Partially filled');
    expect(toRowStatus({ ...row, absent: 'gone' })).toMatchObject({ label: 'No longer working', derived: true });
    expect(toRowStatus({ ...row, absent: 'unread' })).toMatchObject({ label: 'Unconfirmed', derived: true });
  });

  it('does not claim a reason for closing', () => {
    for (const filled of [0, 4, 12]) {
      const { label, explanation } = toOrderStatus(
        rowOf({ status: 'Closed', quantity_requested: 12, quantity_filled: filled }).order,
      );
      expect(`${label} ${explanation}`).not.toMatch(/cancel|expire|reject/i);
    }
  });
});
