import { describe, expect, it } from 'vitest';
import { Order as WireOrder } from '#contract/exchange/order.ts';
import { createParser } from '#contract/parse/parse.ts';
import {
  makeOrder,
  near,
  option,
  ourOther,
  ours,
  perpetual,
  products,
  spread,
  theirs,
} from '#testing/http/small-universe.ts';
import type { Order } from '../core/model.ts';
import type { OrderFilter } from '../core/ports.ts';
import { createWorkingSet, type WorkingSet } from './working-orders.ts';

const { strict } = createParser(WireOrder);
const ALL: OrderFilter = {};
const byId = new Map(products.map((product) => [product.id, product]));

function workingSetOf(...orders: readonly Order[]): WorkingSet {
  const working = createWorkingSet(byId);
  working.follow(orders);
  working.persist(orders);
  return working;
}

const read = (working: WorkingSet, filter = ALL) => working.texts(filter).map((text) => strict(text));
const idsOf = (working: WorkingSet, filter = ALL) => read(working, filter).map(({ id }) => BigInt(id));

describe('the working set', () => {
  it('is empty at first', () => {
    expect(createWorkingSet(byId).texts(ALL)).toEqual([]);
  });

  it('is sorted by time, then id, newest first, in whatever order the orders arrived', () => {
    const orders = [4, 1, 3, 2].map((n) => makeOrder(n));
    const twin = { ...makeOrder(9), timeNs: makeOrder(2).timeNs, lastModifiedNs: makeOrder(2).timeNs };
    const [fourth, first, third, second] = orders;
    const newestFirst = [first, twin, second, third, fourth].map((order) => order?.id);
    expect(idsOf(workingSetOf(...orders, twin))).toEqual(newestFirst);
    expect(idsOf(workingSetOf(twin, ...orders.toReversed()))).toEqual(newestFirst);
  });

  it('follows fills: the quantity at once, the average price once persisted', () => {
    const order = makeOrder(1);
    const working = workingSetOf(order);
    const filled = { ...order, filled: 4, filledTicks: 70_000, lastModifiedNs: order.timeNs + 9n };
    working.follow([filled]);
    expect(read(working)).toMatchObject([{ quantity_filled: 4, avg_price: null }]);
    working.persist([filled]);
    expect(read(working)).toMatchObject([{ quantity_filled: 4, avg_price: 17_500 }]);
    expect(read(working)[0]?.last_modified).not.toBe(read(working)[0]?.time);
  });

  it('does not show an order before it is persisted', () => {
    const working = workingSetOf(makeOrder(2));
    working.follow([makeOrder(1)]);
    expect(idsOf(working)).toEqual([makeOrder(2).id]);
    working.persist([makeOrder(1)]);
    expect(idsOf(working)).toEqual([makeOrder(1).id, makeOrder(2).id]);
  });

  it('drops a closed order at once, even if it is persisted later', () => {
    const working = workingSetOf(makeOrder(1), makeOrder(2), makeOrder(3));
    working.follow([makeOrder(2, { status: 'Closed' })]);
    expect(idsOf(working)).toEqual([makeOrder(1).id, makeOrder(3).id]);
    working.persist([makeOrder(2), makeOrder(2, { status: 'Closed' })]);
    expect(idsOf(working)).toEqual([makeOrder(1).id, makeOrder(3).id]);
  });

  it('never lists an order that was accepted and closed in one step', () => {
    const working = workingSetOf(makeOrder(1, { status: 'Closed', timeInForce: 'IOC' }));
    expect(working.texts(ALL)).toEqual([]);
  });

  it('refuses an order of a product that does not exist', () => {
    expect(() => workingSetOf(makeOrder(1, { productId: 1 }))).toThrow('no product 1');
  });
});

describe('filters of the working set', () => {
  const orders = {
    perpetual: makeOrder(1),
    dated: makeOrder(2, { productId: near.id, account: ourOther }),
    spread: makeOrder(3, { productId: spread.id, account: theirs }),
    option: makeOrder(4, { productId: option.id, account: theirs }),
  };
  const working = workingSetOf(...Object.values(orders));

  it.each<[string, OrderFilter, readonly (keyof typeof orders)[]]>([
    ['nothing', {}, ['perpetual', 'dated', 'spread', 'option']],
    ['a product', { productId: near.id }, ['dated']],
    ['a symbol', { symbol: perpetual.symbol }, ['perpetual']],
    ['futures', { productType: 'Future' }, ['perpetual', 'dated']],
    ['spreads', { productType: 'Spread' }, ['spread']],
    ['options', { productType: 'Option' }, ['option']],
    ['a firm', { firm: theirs.firm }, ['spread', 'option']],
    ['an account', { accountId: ours.id }, ['perpetual']],
    ['a connection', { connectionId: ours.connectionId }, ['perpetual', 'dated']],
    ['accounts', { accounts: [ourOther.id, theirs.id] }, ['dated', 'spread', 'option']],
    ['no account at all', { accounts: [] }, []],
    ['two things at once', { productType: 'Future', accountId: ourOther.id }, ['dated']],
    ['things that exclude each other', { productId: near.id, symbol: perpetual.symbol }, []],
  ])('%s', (_, filter, expected) => {
    expect(idsOf(working, filter)).toEqual(expected.map((name) => orders[name].id));
  });
});
