import { describe, expect, it } from 'vitest';
import { orderLists, readOrders, readOrderText, toRows } from '#testing/order-rows.ts';
import { toExposures, toFilledTotals, toOrderTotals } from './order-totals.ts';
import { Decimal, sumOf } from '../units/decimal.ts';
import type { UnderlyingValue } from './order-terms.ts';
import fc from 'fast-check';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toOrderDepth } from './order-depth.ts';
import { toNotional, toRemaining } from './order-figures.ts';
import type { OrderRow } from './order-row.ts';

it('adds up what was filled by side, without signs, and counts fills without a value', () => {
  const rows = toRows(
    readOrders([
      { id: '1', side: 'Bid', product_id: 1, quantity_filled: 3, quantity_requested: 5, avg_price: 20_000 },
      {
        id: '2',
        side: 'Bid',
        product_id: 1,
        quantity_filled: 1,
        quantity_requested: 1,
        avg_price: -20_000,
        product_type: 'Spread',
      },
      { id: '3', side: 'Bid', product_id: 4, quantity_filled: 2, quantity_requested: 2, avg_price: 7 },
      { id: '4', side: 'Ask', product_id: 1, quantity_filled: 0, quantity_requested: 2, avg_price: null },
    ]),
  );
  expect(
    toFilledTotals(rows).map(({ filled, value, ...rest }) => ({
      ...rest,
      filled: filled?.toFixed(),
      value: value?.toFixed(),
    })),
  ).toEqual([
    { side: 'Bid', orders: 3, filled: '6', value: '40', unvalued: 1, isPending: false },
    { side: 'Ask', orders: 1, filled: '0', value: undefined, unvalued: 0, isPending: false },
  ]);
});

it('awaits values while what decides on the tick size is being read, and does not once it is known', () => {
  const rows = toRows(readOrders([{ id: '1', side: 'Bid', product_id: 1 }]));
  const withCheck = (verdict: 'pending' | 'unchecked') =>
    rows.map((row) => ({ ...row, terms: { ...row.terms, check: { verdict, comparison: null, reason: null } } }));
  expect(toOrderTotals(withCheck('pending')).sides[0]?.isPending).toBe(true);
  expect(toOrderTotals(withCheck('unchecked')).sides[0]?.isPending).toBe(false);
});

const price = {
  value: new Decimal(100),
  unit: 'USD',
  withheld: null,
  provenance: { kind: 'derived', how: '', from: [] },
} as const;
const underlying: UnderlyingValue = { of: 'product GOOD', units: new Decimal('0.5'), price, usdPerContract: 50 };
const base = { quantity_filled: 0, product_id: 1 };

it('bids and asks of each account are apart, with their difference and their sum; what has no value is counted', () => {
  const orders = readOrders([
    { ...base, id: '1', account_id: 'A', side: 'Bid', quantity_requested: 3 },
    { ...base, id: '2', account_id: 'B', side: 'Ask', quantity_requested: 1 },
    { ...base, id: '3', account_id: 'A', side: 'Ask', quantity_requested: 10 },
    { ...base, id: '4', account_id: 'A', side: 'Ask', quantity_requested: 7, product_id: 4 },
    { ...base, id: '5', account_id: 'C', side: 'Bid', quantity_requested: 7, product_id: 4 },
  ]);
  const valued = toRows(orders).map((row) =>
    row.terms.productId === 1 ? { ...row, terms: { ...row.terms, underlying } } : row,
  );
  const texts = toExposures(valued).map(({ account, orders: count, bid, ask, net, gross, unvalued }) => [
    account,
    count,
    ...[bid, ask, net, gross].map((figure) => figure?.toFixed() ?? null),
    unvalued,
  ]);
  expect(texts).toEqual([
    ['A', 3, '150', '500', '-350', '650', 1],
    ['B', 1, '0', '50', '-50', '50', 0],
    ['C', 1, null, '0', null, null, 1],
  ]);
});

const toText = (value: { toFixed: () => string } | null) => value?.toFixed() ?? null;

/** A spread's price may be negative; totals use absolute values. */
const toAmount = (row: OrderRow) => toNotional(row).value?.abs() ?? null;

describe('totals by side', () => {
  it('equal the sum of exact figures', () => {
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
          expect(toText(sums.remaining)).toBe(toText(sumOf(ofSide.map((row) => toRemaining(row).value))));
          expect(toText(sums.values.outright)).toBe(toText(sumOf(ofSide.map(toAmount))));
          expect(sums.withoutUsd + sums.uncounted).toBe(ofSide.filter((row) => toNotional(row).value === null).length);
        }
      }),
    );
  });

  it('of groups sum to those of all', () => {
    fc.assert(
      fc.property(orderLists, (fields) => {
        const rows = toRows(readOrders(fields));
        const groups = [...Map.groupBy(rows, ({ order }) => order.account_id).values()].map(toOrderTotals);
        const sum = (side: string) =>
          toText(
            sumOf(
              groups.flatMap(({ sides }) =>
                sides.filter((one) => one.side === side).map(({ values }) => values.outright),
              ),
            ),
          );
        for (const { side, values } of toOrderTotals(rows).sides) expect(sum(side)).toBe(toText(values.outright));
      }),
    );
  });

  it('are exact for fractions and for integers past 2^53', () => {
    const digits = [
      ['12.25', '0.05', '100.5'],
      ['9007199254740993', '0', '1'],
      ['2', '1', '1e22'],
      ['3', '1', '20'],
    ] as const;
    const text = digits.map(([quantity_requested, quantity_filled, price], id) =>
      JSON.stringify({
        ...sampleResponses.ordersWorking[0],
        id: String(id),
        product_id: 1,
        side: 'Bid',
        quantity_requested,
        quantity_filled,
        price,
      }),
    );
    const rows = toRows(
      readOrderText(
        `[${text.join().replaceAll(/("(?:quantity_requested|quantity_filled|price)":)"([^"]*)"/g, '$1$2')}]`,
      ),
    );
    const [bid] = toOrderTotals(rows).sides;
    expect(toText(bid?.remaining ?? null)).toBe(toText(sumOf(rows.map((row) => toRemaining(row).value))));
    expect(toText(bid?.values.outright ?? null)).toBe(toText(sumOf(rows.map(toAmount))));
  });

  it('have no part of an order whose quantity is impossible, and count it', () => {
    const overfilled = { id: '2', product_id: 1, side: 'Bid', price: 20, quantity_requested: 5, quantity_filled: 10 };
    const [sound, broken] = toRows(readOrders([{ ...overfilled, id: '1', quantity_filled: 2 }, overfilled]));
    if (sound === undefined || broken === undefined) return expect.fail('no rows');
    const [alone, both, none] = [[sound], [sound, broken], [broken]].map((rows) => toOrderTotals(rows).sides[0]);
    expect([alone?.orders, both?.orders, both?.uncounted]).toEqual([1, 2, 1]);
    expect(both).toMatchObject({ remaining: alone?.remaining, values: alone?.values, withoutUsd: 0 });
    expect(none).toMatchObject({ orders: 1, uncounted: 1, remaining: null, values: { outright: null }, withoutUsd: 0 });
    expect([toRemaining(broken), toNotional(broken)]).toMatchObject(
      Array(2).fill({
        value: null,
        withheld: 'Impossible value: expected quantity_filled ≤ quantity_requested, found 10 of 5.',
      }),
    );
    expect(toOrderDepth([sound, broken]).bids).toMatchObject([{ orders: 1, remaining: 3 }]);
  });

  it('do not offset a spread’s negative price against a positive one', () => {
    const order = { product_id: 1, quantity_requested: 2, quantity_filled: 0 };
    const sumOfTwo = (price: number) =>
      toText(
        toOrderTotals(
          toRows(
            readOrders([
              { ...order, id: '1', price: 20 },
              { ...order, id: '2', price },
            ]),
          ),
        ).sides[0]?.values.outright ?? null,
      );
    expect([sumOfTwo(-20), sumOfTwo(-15)]).toEqual([sumOfTwo(20), sumOfTwo(15)]);
  });

  it('keep a cent that floats would lose', () => {
    const rows = toRows(
      readOrders([
        { id: '1', product_id: 1, price: 9_007_199_254_740_991, quantity_requested: 100_000, quantity_filled: 0 },
        { id: '2', product_id: 1, price: 20, quantity_requested: 1, quantity_filled: 0 },
      ]),
    );
    expect(toOrderTotals(rows).sides[0]?.values.outright?.toFixed()).toBe('450359962737049550.01');
  });
});
