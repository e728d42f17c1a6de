import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeOrder, near, ourOther, ours, perpetual, products, spread, theirs } from '#testing/http/small-universe.ts';
import { type Order, requireProduct } from '../core/model.ts';
import type { OrderFilter } from '../core/ports.ts';
import { createWorkingSet, PRODUCT_TYPES, toWorkingText, type WorkingSet } from './working-orders.ts';

const byId = new Map(products.map((product) => [product.id, product]));

/** Orders with few ids and times, so that ids repeat and times are shared. */
const order = fc
  .record({
    n: fc.nat({ max: 40 }),
    closes: fc.nat({ max: 3 }).map((n) => n === 0),
    filled: fc.nat({ max: 9 }),
  })
  .map(({ n, closes, filled }): Order => {
    const product = [perpetual, near, spread][n % 3] ?? perpetual;
    const account = [ours, ourOther, theirs][n % 4] ?? ours;
    const timeNs = makeOrder(n % 7).timeNs;
    const status = closes ? 'Closed' : 'Working';
    return makeOrder(n, { timeNs, productId: product.id, account, status, filled, filledTicks: filled * 17_500 });
  });
const change = fc.record({ order, way: fc.constantFrom('follow' as const, 'persist' as const, 'both' as const) });
const filter = fc.record(
  {
    productId: fc.constantFrom(perpetual.id, near.id),
    productType: fc.constantFrom('Future' as const, 'Spread' as const),
    accountId: fc.constantFrom(ours.id, theirs.id),
    accounts: fc.subarray([ours.id, ourOther.id, theirs.id]),
  },
  { requiredKeys: [] },
);

const typeOf = ({ productId }: Order) => PRODUCT_TYPES[requireProduct(byId, productId).kind];

interface Known {
  readonly live: Order;
  readonly persisted: Order | null;
}

/** The naive implementation: stores everything, and sorts for every read. */
class NaiveSet {
  readonly known = new Map<bigint, Known>();

  follow(live: Order): void {
    if (live.status === 'Closed') this.known.delete(live.id);
    else this.known.set(live.id, { live, persisted: this.known.get(live.id)?.persisted ?? null });
  }

  persist(persisted: Order): void {
    const known = this.known.get(persisted.id);
    if (known) this.known.set(persisted.id, { live: known.live, persisted });
  }

  texts(wanted: OrderFilter): string[] {
    return [...this.known.values()]
      .filter(({ live }) => wanted.productId === undefined || live.productId === wanted.productId)
      .filter(({ live }) => wanted.productType === undefined || wanted.productType === typeOf(live))
      .filter(({ live }) => wanted.accountId === undefined || live.account.id === wanted.accountId)
      .filter(({ live }) => wanted.accounts?.includes(live.account.id) ?? true)
      .sort((a, b) => Number(b.live.timeNs - a.live.timeNs) || Number(b.live.id - a.live.id))
      .flatMap(({ live, persisted }) =>
        persisted ? [toWorkingText(live, persisted, requireProduct(byId, live.productId))] : [],
      );
  }
}

function apply(working: WorkingSet, naive: NaiveSet, { order: given, way }: { order: Order; way: string }): void {
  if (way !== 'persist') {
    working.follow([given]);
    naive.follow(given);
  }
  if (way !== 'follow') {
    working.persist([given]);
    naive.persist(given);
  }
}

describe('the working set under random changes', () => {
  it('equals the naive one, for every filter', () => {
    let longest = 0;
    const run = (changes: readonly { order: Order; way: string }[], wanted: OrderFilter) => {
      const [working, naive] = [createWorkingSet(byId), new NaiveSet()];
      for (const one of changes) apply(working, naive, one);
      expect(working.texts(wanted)).toEqual(naive.texts(wanted));
      expect(working.texts({})).toEqual(naive.texts({}));
      longest = Math.max(longest, working.texts({}).length);
    };
    fc.assert(fc.property(fc.array(change, { maxLength: 120, size: 'max' }), filter, run), { numRuns: 300 });
    expect(longest).toBeGreaterThan(15);
  });
});
