import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Side, TimeInForce } from '../core/model.ts';
import { createBook, type Entry } from './book.ts';

const ACTIONS_PER_RUN = 600;
const RUNS = 200;
const SIDES = ['Bid', 'Ask'] as const satisfies readonly Side[];

type Action =
  | { readonly kind: 'place'; readonly entry: Omit<Entry, 'id'> }
  | { readonly kind: 'cancel' | 'reduce'; readonly pick: number; readonly quantity: number }
  | { readonly kind: 'expire'; readonly timeInForce: TimeInForce };

const timeInForce = fc.constantFrom<TimeInForce>('IOC', 'Day', 'GTC', 'GTC');
const place = fc.record({
  kind: fc.constant('place' as const),
  entry: fc.record({
    owner: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    side: fc.constantFrom<Side>('Bid', 'Ask'),
    price: fc.integer({ min: -15, max: 15 }),
    timeInForce,
    quantity: fc.integer({ min: 1, max: 9 }),
  }),
});
const change = fc.record({
  kind: fc.constantFrom('cancel' as const, 'reduce' as const),
  pick: fc.nat({ max: 1000 }),
  quantity: fc.integer({ min: 1, max: 5 }),
});
const expire = fc.record({
  kind: fc.constant('expire' as const),
  timeInForce: fc.constantFrom<TimeInForce>('Day', 'Day', 'Day', 'GTC'),
});
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 60, arbitrary: place },
  { weight: 25, arbitrary: change },
  { weight: 1, arbitrary: expire },
);

/** The naive book: one list by age, searched from end to end for everything. */
class NaiveBook {
  entries: Entry[] = [];

  inLine(side: Side): Entry[] {
    // Sorting is stable: equal prices stay by age.
    return this.entries
      .filter((one) => one.side === side)
      .sort((a, b) => (side === 'Bid' ? b.price - a.price : a.price - b.price));
  }

  place(incoming: Entry) {
    const fills: { restingId: bigint; price: number; quantity: number }[] = [];
    let left = incoming.quantity;
    let stopped = incoming.timeInForce === 'IOC';
    for (const other of this.inLine(incoming.side === 'Bid' ? 'Ask' : 'Bid')) {
      const meets = incoming.side === 'Bid' ? other.price <= incoming.price : other.price >= incoming.price;
      if (left === 0 || !meets) break;
      if (other.owner === incoming.owner) {
        stopped = true;
        break;
      }
      const quantity = Math.min(left, other.quantity);
      fills.push({ restingId: other.id, price: other.price, quantity });
      this.resize(other.id, other.quantity - quantity);
      left -= quantity;
    }
    if (left > 0 && !stopped) this.entries.push({ ...incoming, quantity: left });
    return stopped ? { fills, rested: 0, cancelled: left } : { fills, rested: left, cancelled: 0 };
  }

  resize(id: bigint, quantity: number): void {
    this.entries = this.entries
      .map((one) => (one.id === id ? { ...one, quantity: Math.min(quantity, one.quantity) } : one))
      .filter((one) => one.quantity > 0);
  }
}

const contractsOf = (entries: readonly { readonly quantity: number }[]) =>
  entries.reduce((sum, { quantity }) => sum + quantity, 0);

/** Applies the same action to both books and returns both results. */
function act(book: ReturnType<typeof createBook>, naive: NaiveBook, given: Action, id: bigint) {
  if (given.kind === 'place') {
    const entry = { id, ...given.entry };
    return { result: book.place(entry), expected: naive.place(entry) };
  }
  if (given.kind === 'expire') {
    const left = naive.entries.filter((one) => one.timeInForce !== given.timeInForce);
    const expected = { gone: contractsOf(naive.entries) - contractsOf(left) };
    naive.entries = left;
    return { result: { gone: contractsOf(book.expire(given.timeInForce)) }, expected };
  }
  // The id belongs to a resting entry or, at times, to one that never rested.
  const picked = naive.entries[given.pick % (naive.entries.length + 1)];
  const pickedId = picked?.id ?? -1n;
  const left = given.kind === 'cancel' ? 0 : given.quantity;
  naive.resize(pickedId, left);
  if (given.kind === 'cancel') return { result: book.cancel(pickedId), expected: picked ?? null };
  const expected = picked ? { ...picked, quantity: Math.min(picked.quantity, left) } : null;
  return { result: book.reduce(pickedId, left), expected };
}

describe('a book under random actions', () => {
  const totals = { actions: 0, fills: 0, selfMatches: 0, deepest: 0 };

  /** Checks what must hold for any book, independently of the naive one. */
  const checkRules = (book: ReturnType<typeof createBook>, given: Action, result: unknown): void => {
    const [bid, ask] = [book.best('Bid'), book.best('Ask')];
    if (bid && ask && bid.price >= ask.price) throw new Error(`crossed: ${bid.price} ${ask.price}`);
    if (given.kind !== 'place') return;
    const { fills, rested, cancelled } = result as ReturnType<typeof book.place>;
    const { side, price, quantity } = given.entry;
    if (contractsOf(fills) + rested + cancelled !== quantity) throw new Error('contracts appear or vanish');
    if (fills.some((fill) => (side === 'Bid' ? fill.price > price : fill.price < price)))
      throw new Error('beyond the limit');
    totals.fills += fills.length;
    if (cancelled > 0 && given.entry.timeInForce !== 'IOC') totals.selfMatches += 1;
  };

  const checkSame = (book: ReturnType<typeof createBook>, naive: NaiveBook): void => {
    for (const side of SIDES) {
      const inLine = naive.inLine(side);
      expect(book.entries(side)).toEqual(inLine);
      expect(contractsOf(book.levels(side))).toBe(contractsOf(inLine));
      const ticks = inLine.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
      expect(book.meanPrice(side)).toBe(inLine.length === 0 ? null : ticks / contractsOf(inLine));
    }
    expect(book.size()).toBe(naive.entries.length);
    totals.deepest = Math.max(totals.deepest, naive.entries.length);
  };

  it('equals the naive book, is never crossed, and neither creates nor loses a contract', () => {
    const run = (actions: readonly Action[]): void => {
      const [book, naive] = [createBook(), new NaiveBook()];
      actions.forEach((given, index) => {
        const { result, expected } = act(book, naive, given, BigInt(index + 1));
        if (toText(result) !== toText(expected)) expect(result).toEqual(expected);
        checkRules(book, given, result);
        if (index % 40 === 0) checkSame(book, naive);
        totals.actions += 1;
      });
      checkSame(book, naive);
    };
    const arrays = fc.array(action, { minLength: ACTIONS_PER_RUN, maxLength: ACTIONS_PER_RUN });
    fc.assert(fc.property(arrays, run), { numRuns: RUNS });
    console.log(`book against the obvious one: ${JSON.stringify(totals)}`);
    expect(totals.actions).toBeGreaterThanOrEqual(100_000);
    expect(totals.fills).toBeGreaterThan(10_000);
    expect(totals.selfMatches).toBeGreaterThan(1_000);
  }, 60_000);
});

/**
 * Writes a value as text. Comparing texts is much faster than `expect`, which is used to report a difference only if
 * there is one.
 */
function toText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${String(part)}n` : part));
}
