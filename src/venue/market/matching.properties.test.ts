import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeOrder, near, ourOther, ours, perpetual, products, theirs } from '#testing/http/small-universe.ts';
import type { Order } from '../core/model.ts';
import { createMatching, type Matching, type MatchResult } from './matching.ts';

const ACTIONS_PER_RUN = 300;
const RUNS = 100;
const byId = new Map(products.map((product) => [product.id, product]));
const traded = [perpetual.id, near.id] as const;
const makers = ['maker a', 'maker b'] as const;

const side = fc.constantFrom<Order['side']>('Bid', 'Ask');
const price = fc.integer({ min: 90, max: 110 });
const productId = fc.constantFrom(...traded);
const submit = fc.record({
  kind: fc.constant('submit' as const),
  order: fc.record({
    productId,
    account: fc.constantFrom(ours, ourOther, theirs),
    side,
    price,
    requested: fc.integer({ min: 1, max: 12 }),
    timeInForce: fc.constantFrom<Order['timeInForce']>('IOC', 'Day', 'GTC'),
  }),
});
const quote = fc.record({
  kind: fc.constant('quote' as const),
  maker: fc.constantFrom(...makers),
  productId,
  quotes: fc.array(fc.record({ side, price, quantity: fc.integer({ min: 1, max: 12 }) }), { maxLength: 5 }),
});
const cancel = fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat({ max: 1000 }) });
const endSession = fc.record({ kind: fc.constant('endSession' as const), productId });
const restarted = fc.constant({ kind: 'restart' } as const);
const action = fc.oneof(
  { weight: 50, arbitrary: submit },
  { weight: 30, arbitrary: quote },
  { weight: 12, arbitrary: cancel },
  { weight: 2, arbitrary: endSession },
  { weight: 2, arbitrary: restarted },
);
type Action = typeof action extends fc.Arbitrary<infer Kind> ? Kind : never;

/** Performs an action. Times and ids grow with every step, as the exchange's do. */
function act(matching: Matching, given: Action, step: number): MatchResult {
  const base = makeOrder(step);
  const timeNs = makeOrder(0).timeNs + BigInt(step) * 1_000_000n;
  if (given.kind === 'submit') return matching.submit({ ...base, timeNs, lastModifiedNs: timeNs, ...given.order });
  if (given.kind === 'quote') return matching.quote(given.maker, given.productId, given.quotes, timeNs);
  if (given.kind === 'endSession') return matching.endSession(given.productId, timeNs);
  if (given.kind === 'restart') return { orders: [], trades: [] };
  const resting = [...matching.orders()];
  return matching.cancel(resting[given.pick % (resting.length + 1)]?.id ?? 0n, timeNs);
}

/** Restarts the matching, which then has the saved orders but no quotes. */
function restart(before: Matching, saved: ReadonlyMap<bigint, Order>): Matching {
  const after = createMatching(byId);
  after.restore([...saved.values()].filter(({ status }) => status === 'Working').reverse());
  for (const id of traded) {
    for (const maker of makers) before.quote(maker, id, [], 0n);
    for (const way of ['Bid', 'Ask'] as const)
      expect(after.book(id).entries(way)).toEqual(before.book(id).entries(way));
  }
  return after;
}

function sumOf<Row>(rows: Iterable<Row>, amount: (row: Row) => number): number {
  return Array.from(rows, amount).reduce((sum, one) => sum + one, 0);
}

describe('matching under random actions', () => {
  const totals = { actions: 0, trades: 0, restarts: 0, ordersKnown: 0 };

  const run = (actions: readonly Action[]): void => {
    let matching = createMatching(byId);
    const saved = new Map<bigint, Order>();
    actions.forEach((given, index) => {
      const before = restingIn(matching);
      const outcome = act(matching, given, index + 1);
      checkStep(saved, outcome);
      if (given.kind === 'submit') checkContracts({ before, after: restingIn(matching) }, outcome);
      for (const order of outcome.orders) saved.set(order.id, order);
      totals.trades += outcome.trades.length;
      if (given.kind === 'restart') {
        matching = restart(matching, saved);
        totals.restarts += 1;
      }
    });
    expect([...matching.orders()].sort(byOrderId)).toEqual(
      [...saved.values()].filter(({ status }) => status === 'Working').sort(byOrderId),
    );
    totals.actions += actions.length;
    totals.ordersKnown += saved.size;
  };

  it('fills no order beyond its quantity or limit, loses none, and continues after a restart as if there were none', () => {
    fc.assert(fc.property(fc.array(action, { minLength: ACTIONS_PER_RUN, maxLength: ACTIONS_PER_RUN }), run), {
      numRuns: RUNS,
    });
    console.log(`floor under random actions: ${JSON.stringify(totals)}`);
    expect(totals.actions).toBe(ACTIONS_PER_RUN * RUNS);
    expect(totals.trades).toBeGreaterThan(1_000);
    expect(totals.restarts).toBeGreaterThan(100);
  }, 60_000);
});

/** Checks what must hold for every step: each order continues from its previous state. */
function checkStep(saved: ReadonlyMap<bigint, Order>, { orders, trades }: MatchResult): void {
  const volume = sumOf(trades, ({ quantity }) => quantity);
  for (const order of orders) {
    const before = saved.get(order.id);
    if (before?.status === 'Closed') throw new Error(`order ${String(order.id)} changed after it was closed`);
    const filled = order.filled - (before?.filled ?? 0);
    if (filled < 0 || filled > volume) throw new Error(`order ${String(order.id)} filled without a trade`);
    checkLimit(order, filled, order.filledTicks - (before?.filledTicks ?? 0));
    checkStatus(order);
  }
}

function checkLimit({ id, side: way, price: limit }: Order, filled: number, ticks: number): void {
  const within = way === 'Bid' ? ticks <= limit * filled : ticks >= limit * filled;
  if (!within) throw new Error(`order ${String(id)} filled beyond its limit`);
}

function checkStatus({ id, filled, requested, timeInForce, status }: Order): void {
  const mustBeClosed = filled === requested || timeInForce === 'IOC';
  const impossible = filled > requested || (mustBeClosed && status !== 'Closed');
  if (impossible) throw new Error(`order ${String(id)} is ${status} with ${filled} of ${requested}`);
}

/** Checks that open quantity grows by new resting quantity and shrinks by trades. */
function checkContracts(
  resting: { readonly before: number; readonly after: number },
  { orders, trades }: MatchResult,
): void {
  const came = orders.slice(0, 1).filter(({ status }) => status === 'Working');
  const rested = sumOf(came, ({ requested, filled }) => requested - filled);
  expect(resting.after - resting.before).toBe(rested - sumOf(trades, ({ quantity }) => quantity));
}

function restingIn(matching: Matching): number {
  const levels = traded.flatMap((id) => [...matching.book(id).levels('Bid'), ...matching.book(id).levels('Ask')]);
  return sumOf(levels, ({ quantity }) => quantity);
}

function byOrderId(a: Order, b: Order): number {
  return a.id < b.id ? -1 : 1;
}
