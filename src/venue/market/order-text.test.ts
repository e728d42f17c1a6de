import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Order as WireOrder } from '#contract/exchange/order.ts';
import { createParser } from '#contract/parse/parse.ts';
import { makeOrder, near, option, perpetual, products, spread } from '#testing/http/small-universe.ts';
import type { Order } from '../core/model.ts';
import { toOrderText, toWorkingText } from './working-orders.ts';

const { strict } = createParser(WireOrder);
const read = (order: Order, product = perpetual) => strict(toOrderText(order, product));

describe('an order as JSON', () => {
  it('has every field as the interface names it, in its order', () => {
    const order = makeOrder(1, {
      filled: 3,
      filledTicks: 52_503,
      requested: 5,
      lastModifiedNs: 1_786_000_000_000_000_001n,
    });
    expect(toOrderText(order, perpetual)).toBe(
      '{"symbol":"PBTCUCZ50","time":"2026-08-17T16:59:00.496334704Z","last_modified":"2026-08-06T07:06:40.000000001Z",' +
        '"product_id":5614,"product_type":"Future","id":"7674028327896836522","connection_id":"3f",' +
        '"clearing_firm_code":"HALC","account_id":"HALC-101","open_ack_id":"7674028327897836522","side":"Ask",' +
        '"price":17501,"avg_price":17501,"quantity_requested":5,"quantity_filled":3,"status":"Working","time_in_force":"GTC"}',
    );
  });

  it('is ASCII, whatever characters its names have', () => {
    const account = { ...makeOrder(1).account, id: 'Zürich 東京 🂡' };
    const text = toOrderText(makeOrder(1, { account }), perpetual);
    expect(Buffer.byteLength(text)).toBe(text.length);
    expect(JSON.parse(text)).toMatchObject({ account_id: account.id, symbol: perpetual.symbol });
  });

  it('has no average price before the first fill', () => {
    expect(read(makeOrder(1)).avg_price).toBeNull();
  });

  it('may have an average price that is fractional, zero or negative', () => {
    expect(read(makeOrder(1, { filled: 3, filledTicks: 10, price: 3 })).avg_price).toBe(10 / 3);
    expect(read(makeOrder(1, { filled: 3, filledTicks: 0, price: 0 }), spread).avg_price).toBe(0);
    expect(read(makeOrder(1, { filled: 3, filledTicks: -7, price: -3 }), spread)).toMatchObject({
      price: -3,
      avg_price: -7 / 3,
    });
  });

  it('has the type Future for perpetuals and dated contracts', () => {
    expect([perpetual, near, spread, option].map((product) => read(makeOrder(1), product).product_type)).toEqual([
      'Future',
      'Future',
      'Spread',
      'Option',
    ]);
  });

  it('is valid JSON for any account name', () => {
    const account = { id: 'A "quoted" \\ name', firm: 'Müller\n& Söhne', connectionId: '3f' };
    expect(read(makeOrder(1, { account }))).toMatchObject({ account_id: account.id, clearing_firm_code: account.firm });
  });

  it('passes strict parsing for any order, with ids and times to the last digit', () => {
    const orders = fc
      .record({
        id: fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
        openAckId: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
        timeNs: fc.bigInt({ min: 0n, max: 4_102_444_800_000_000_000n }),
        openNs: fc.bigInt({ min: 0n, max: 4_102_444_800_000_000_000n }),
        side: fc.constantFrom<Order['side']>('Bid', 'Ask'),
        timeInForce: fc.constantFrom<Order['timeInForce']>('IOC', 'Day', 'GTC'),
        status: fc.constantFrom<Order['status']>('Working', 'Closed'),
        price: fc.integer({ min: -1e9, max: 1e9 }),
        requested: fc.integer({ min: 1, max: 1e6 }),
        filled: fc.integer({ min: 0, max: 1e6 }),
        filledShare: fc.float({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ openNs, filled, filledShare, ...fields }) => {
        const most = Math.min(filled, fields.requested);
        // No trade is beyond the limit.
        const better = Math.round(filledShare * 1e9) * (fields.side === 'Bid' ? -1 : 1);
        return makeOrder(1, {
          ...fields,
          filled: most,
          filledTicks: most * (fields.price + better),
          lastModifiedNs: fields.timeNs + openNs,
        });
      });
    fc.assert(
      fc.property(orders, fc.constantFrom(...products), (order, product) => {
        const wire = read(order, product);
        expect(wire).toMatchObject({
          id: String(order.id),
          open_ack_id: String(order.openAckId),
          price: order.price,
          symbol: product.symbol,
        });
        expect(wire.avg_price).toBe(order.filled === 0 ? null : order.filledTicks / order.filled);
        for (const [text, nanos] of [
          [wire.time, order.timeNs],
          [wire.last_modified, order.lastModifiedNs],
        ] as const) {
          expect(text && BigInt(Date.parse(`${text.slice(0, 19)}Z`)) * 1_000_000n + BigInt(text.slice(20, 29))).toBe(
            nanos,
          );
        }
      }),
    );
  });
});

describe('a working order as JSON', () => {
  it('has the live quantities, and average price and last change as persisted', () => {
    const persisted = makeOrder(1, { filled: 1, filledTicks: 17_502 });
    const live = { ...persisted, filled: 4, filledTicks: 70_012, lastModifiedNs: persisted.lastModifiedNs + 5n };
    const wire = strict(toWorkingText(live, persisted, perpetual));
    expect(wire).toMatchObject({ quantity_filled: 4, avg_price: 17_502, last_modified: wire.time });
  });
});
