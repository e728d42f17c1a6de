import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeskWorking } from '#contract/desk/desk.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { toOrderDepth } from './order-depth.ts';
import { findNeighbours } from './order-neighbours.ts';
import type { OrderRow } from './order-row.ts';
import { toWorkingProof } from '#testing/working-proof.ts';
import { compareNewest, mergeNewest, toSetWord, toWorkingSet } from './working-set.ts';

function responseOf(ids: readonly string[], change: Partial<DeskWorking> = {}): DeskWorking {
  const orders = [...readOrders(ids.map((id) => ({ id })))];
  const { parts, ...proof } = toWorkingProof(ids.length);
  return { ...proof, parts: parts as unknown as DeskWorking['parts'], orders, ...change };
}

describe('the completeness check of a working set', () => {
  const [part] = responseOf(['1', '2', '2']).parts;

  it.each([
    ['with different prices', { price: 1 }, { price: 2 }, [part]],
    ['on different sides, in different reads', { side: 'Ask' }, { side: 'Bid' }, [part, part]],
  ])('lists no order that came twice %s', (_, one, other, parts) => {
    const orders = [...readOrders([{ id: '1' }, { id: '2', ...one }, { id: '2', ...other }])];
    const set = toWorkingSet(responseOf(['1', '2', '2'], { orders, parts: parts as DeskWorking['parts'] }), 0);
    expect(set.orders.map(({ id }) => id)).toEqual(['1']);
    expect(set.completeness).toMatchObject({ complete: false, orders: 1, repeated: 1 });
    expect(set.completeness.reasons).toContain('1 order was received with different data, and is not in the list.');
  });

  it('passes where the parts have as many orders as were received, without duplicates', () => {
    const { orders, completeness } = toWorkingSet(responseOf(['1', '2', '3']), 0);
    expect(orders).toHaveLength(3);
    expect(completeness).toMatchObject({
      complete: true,
      reasons: [],
      orders: 3,
      repeated: 0,
      parts: [{ filter: 'no filter', count: 3 }],
    });
  });

  it.each([
    [
      'an order failed validation',
      responseOf(['1', '2'], { parts: responseOf(['1', '2', '3']).parts }),
      1,
      /1 order failed validation and is not in the list/,
    ],
    ['an order came twice', responseOf(['1', '2', '2']), 0, /1 order received more than once/],
    [
      'the parts report more orders than arrived',
      responseOf(['1'], { parts: responseOf(['1', '2']).parts }),
      0,
      /report 2 orders, but 1 was received/,
    ],
    [
      'Perpdesk gives a reason',
      responseOf(['1'], { complete: false, unproven: ['A part is missing.'] }),
      0,
      /A part is missing/,
    ],
    [
      'listed orders contradict other responses',
      responseOf(['1', '2'], {
        conflicts: ['1', '2'].map((id) => ({ order_id: id, reason: `Order ${id}: side is wrong.` })) as never,
      }),
      0,
      /^2 orders in conflict with other responses\. Order 1: side is wrong\.$/,
    ],
    ['Perpdesk gives no reason', responseOf(['1'], { complete: false }), 0, /incomplete but gives no reason/],
  ])('fails where %s', (_, working, unreadable, reason) => {
    const { completeness } = toWorkingSet(working, unreadable);
    expect(completeness.complete).toBe(false);
    expect(completeness.reasons.join(' ')).toMatch(reason);
  });

  it('counts and lists an order that two reads have once, with its last values', () => {
    const orders = [
      ...readOrders([
        { id: '1', quantity_filled: 1 },
        { id: '1', quantity_filled: 2 },
      ]),
    ];
    const { parts } = responseOf(['1']);
    const set = toWorkingSet(responseOf(['1', '1'], { orders, parts: [...parts, ...parts] }), 0);
    expect(set.orders.map(({ quantity_filled: filled }) => String(filled))).toEqual(['2']);
    expect(set.completeness).toMatchObject({ orders: 1, repeated: 1 });
  });
});

it.each([
  [false, false, 'INCOMPLETE'],
  [true, true, 'STALE'],
  [false, true, 'INCOMPLETE STALE'],
  [true, false, 'complete'],
])('each row of an export says whether its list is complete (%s) and stale (%s)', (isComplete, isStale, word) => {
  const { completeness } = toWorkingSet(responseOf(['1'], { complete: isComplete }), 0);
  expect(toSetWord({ completeness, isStale })).toBe(word);
});

it('merging two lists that are sorted newest first gives what sorting both gives', () => {
  const ids = fc.uniqueArray(fc.nat(60), { maxLength: 40 });
  fc.assert(
    fc.property(ids, fc.nat(40), (numbers, cut) => {
      const rows = toRows(readOrders(numbers.map((id) => ({ id: String(id) }))));
      const sort = (some: typeof rows) => some.toSorted((a, b) => compareNewest(a.order, b.order));
      expect(mergeNewest(sort(rows.slice(0, cut)), sort(rows.slice(cut)))).toEqual(sort(rows));
    }),
  );
});

describe('orders around an order', () => {
  it('ids are sorted as integers, newest first', () => {
    const orders = readOrders(['9', '10', '7674028327896836521', '7674028327896836520'].map((id) => ({ id })));
    expect(orders.toSorted(compareNewest).map(({ id }) => id)).toEqual([
      '7674028327896836521',
      '7674028327896836520',
      '10',
      '9',
    ]);
  });

  it('depth accumulates from the best price outwards on both sides, without filled orders', () => {
    const rows = toRows(
      readOrders([
        { id: '1', product_id: 1, side: 'Bid', price: 100, quantity_requested: 5, quantity_filled: 1 },
        { id: '2', product_id: 1, side: 'Bid', price: 90, quantity_requested: 7, quantity_filled: 0 },
        { id: '3', product_id: 1, side: 'Bid', price: 100, quantity_requested: 2, quantity_filled: 0 },
        { id: '4', product_id: 1, side: 'Ask', price: 120, quantity_requested: 3, quantity_filled: 0 },
        { id: '5', product_id: 1, side: 'Ask', price: 110, quantity_requested: 3, quantity_filled: 3 },
      ]),
    );
    const { bids, asks } = toOrderDepth(rows);
    const figuresOf = (levels: typeof bids) =>
      levels.map(({ ticks, orders, remaining, cumulative }) => [ticks.toNumber(), orders, remaining, cumulative]);
    expect(figuresOf(bids)).toEqual([
      [100, 2, 6, 6],
      [90, 1, 7, 13],
    ]);
    expect(figuresOf(asks)).toEqual([[120, 1, 3, 3]]);
    expect(bids[0]?.price.value?.toFixed()).toBe('5');
  });

  it.each([
    [1, 'USD'],
    [3, 'ticks'],
    [4, 'ticks'],
  ])('depth of product %i has prices in %s', (product_id, unit) => {
    expect(toOrderDepth(toRows(readOrders([{ product_id }]))).unit).toBe(unit);
  });

  it('neighbours are the nearest by price within the product, and by time among all', () => {
    const at = (nanos: string) => `2026-08-17T23:45:21.49633470${nanos}Z`;
    const rows = toRows(
      readOrders([
        { id: '1', product_id: 1, price: 100, time: at('4') },
        { id: '2', product_id: 1, price: 101, time: at('6') },
        { id: '3', product_id: 1, price: 150, time: at('7') },
        { id: '4', product_id: 1, price: 99, time: at('3') },
        { id: '5', product_id: 2, price: 100, time: at('5') },
      ]),
    );
    const [row] = rows;
    const gone = toRows(readOrders([{ id: '6', product_id: 1, price: 100, time: at('5') }])).map((other): OrderRow => ({
      ...other,
      absent: 'gone',
    }));
    const found = row && findNeighbours(row, [...rows, ...gone], 1);
    expect(
      [found?.above, found?.below, found?.before, found?.after].map((some) => some?.map(({ order }) => order.id)),
    ).toEqual([['2'], ['4'], ['4'], ['5']]);
  });
});
