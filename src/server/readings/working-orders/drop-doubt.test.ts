import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DropState, type Listing, startDrops, takeAnswer, takeListing } from './drop-check.ts';

const SECOND = 1_000;

function list(at: number, ids: Iterable<number>, isComplete = true): Listing {
  return {
    at: at * SECOND,
    isComplete,
    list: { keys: Array.from(ids, String), rows: Array.from(ids, (id) => `{"id":"${String(id)}"}`) },
  };
}

const upTo = (count: number, from = 0): readonly number[] => Array.from({ length: count }, (_, at) => from + at);

/** Processes one event at a time. */
function open(first: Listing) {
  let state: DropState<Listing> = takeListing(startDrops<Listing>(null), first).state;
  const settled: ReturnType<typeof takeListing<Listing>>['settled'][number][] = [];
  const take = (step: ReturnType<typeof takeListing<Listing>>): void => {
    state = step.state;
    settled.push(...step.settled);
  };
  return {
    settled: () => settled.map(({ listing, isComplete }) => [listing.at / SECOND, isComplete]),
    state: () => state,
    read: (listing: Listing): void => {
      take(takeListing(state, listing));
    },
    answer: (about: Listing, working: readonly number[], closed: readonly number[], at = about.at): void => {
      take(takeAnswer(state, { about, at, working: working.map(String), closed: closed.map(String) }));
    },
  };
}

test.each([
  [100, 80, false],
  [100, 79, true],
  [90, 70, false],
  [1_200, 1_167, false],
  [1_131, 562, true],
])('of %i orders, a reading with %i is in doubt: %s', (before, after, isInDoubt) => {
  const { read, state, settled } = open(list(1, upTo(before)));
  read(list(5, upTo(after)));
  expect(state().doubt !== null).toBe(isInDoubt);
  expect(settled()).toEqual(isInDoubt ? [] : [[5, true]]);
});

test('where the next reading has the orders again, the one in doubt was incomplete', () => {
  const { read, state, settled } = open(list(1, upTo(100)));
  read(list(5, upTo(50)));
  read(list(9, upTo(101)));
  expect(settled()).toEqual([
    [5, false],
    [9, true],
  ]);
  expect(state()).toMatchObject({ doubt: null, unverified: 0, believed: { at: 9 * SECOND } });
});

test('orders that the history has closed are gone with the reading that lacked them first', () => {
  const { read, answer, state, settled } = open(list(1, upTo(100)));
  const [first, second] = [list(5, upTo(50)), list(9, upTo(49))];
  read(first);
  read(second);
  answer(first, [], [99, 98]);
  expect(settled()).toEqual([
    [5, true],
    [9, true],
  ]);
  expect(state().doubt).toBeNull();
});

test('an order that works in the history makes readings incomplete for as long as it is not listed', () => {
  const { read, answer, state, settled } = open(list(1, upTo(100)));
  const first = list(5, upTo(50));
  read(first);
  answer(first, [99], [98]);
  for (const at of [9, 13, 17]) read(list(at, upTo(50)));
  expect(settled()).toEqual([
    [5, false],
    [9, false],
    [13, false],
    [17, false],
  ]);
  expect(state().doubt).toMatchObject({ working: 1, missing: { size: 50 } });
  read(list(21, upTo(100)));
  expect(settled().at(-1)).toEqual([21, true]);
});

test('a history that lagged behind is believed once it has caught up', () => {
  const { read, answer, state } = open(list(1, upTo(100)));
  const [first, second] = [list(5, upTo(50)), list(40, upTo(50))];
  read(first);
  answer(first, upTo(50, 50), []);
  read(second);
  answer(second, [], upTo(50, 50));
  expect(state()).toMatchObject({ doubt: null, unverified: 0 });
});

test('a history that contradicts the list for ten minutes is wrong, and one that never answers decides nothing', () => {
  const contradicted = open(list(1, upTo(100)));
  const first = list(5, upTo(50));
  contradicted.read(first);
  contradicted.answer(first, [99], []);
  contradicted.read(list(604, upTo(50)));
  expect(contradicted.state().doubt).not.toBeNull();
  contradicted.read(list(606, upTo(50)));
  expect(contradicted.state()).toMatchObject({ doubt: null, unverified: 50 });
  const silent = open(list(1, upTo(100)));
  for (const at of [5, 9]) silent.read(list(at, upTo(50)));
  expect(silent.settled()).toEqual([]);
  silent.read(list(13, upTo(50)));
  expect(silent.settled()).toEqual([
    [5, true],
    [9, true],
    [13, true],
  ]);
  expect(silent.state()).toMatchObject({ doubt: null, unverified: 50 });
});

test('answers from before the reading, of no missing order, or about a doubt that is over, say nothing', () => {
  const { read, answer, state } = open(list(1, upTo(100)));
  const first = list(5, upTo(50));
  read(first);
  answer(first, [], [99], first.at - 1);
  answer(first, [], []);
  expect(state().doubt).not.toBeNull();
  read(list(9, upTo(100)));
  answer(first, [], [99]);
  expect(state().believed?.list.keys).toHaveLength(100);
});

test('a truncated reading that follows a true drop is in doubt itself', () => {
  const { read, answer, state, settled } = open(list(1, upTo(200)));
  const first = list(5, upTo(120));
  read(first);
  read(list(9, upTo(60)));
  answer(first, [], [199]);
  expect(settled()).toEqual([[5, true]]);
  expect(state()).toMatchObject({ believed: { at: first.at }, doubt: { missing: { size: 60 } } });
});

test('readings that are incomplete by themselves are neither believed nor do they hold a doubt', () => {
  const { read, settled, state } = open(list(1, upTo(100)));
  read(list(5, upTo(10), false));
  expect([state().doubt, settled()]).toEqual([null, [[5, false]]]);
  read(list(9, upTo(50)));
  read(list(13, upTo(5), false));
  read(list(17, upTo(5), false));
  expect(settled()).toEqual([
    [5, false],
    [9, true],
    [13, false],
    [17, false],
  ]);
});

const event = fc.record({
  /** The number of orders to cancel, and the first of them. */
  cancels: fc.option(fc.tuple(fc.nat(150), fc.nat(150)), { freq: 2 }),
  placed: fc.nat(10),
  /** The fraction of the working orders in the list. */
  listed: fc.constantFrom(1, 1, 1, 0.95, 0.5, 0.1, 0),
  isComplete: fc.constantFrom(true, true, true, false),
  /** The delay of the history in readings; null if it does not respond. */
  lag: fc.constantFrom(0, 0, 0, 1, null),
});

type Event = typeof event extends fc.Arbitrary<infer One> ? One : never;

/** An exchange whose list may be truncated, and whose history may lag behind. */
function createExchange() {
  let [working, next] = [upTo(150), 150];
  const pasts: (readonly number[])[] = [];
  return {
    working: () => working,
    pass: ({ cancels, placed }: Event): void => {
      const [from, count] = cancels ?? [0, 0];
      working = [...working.filter((_, at) => at < from || at >= from + count), ...upTo(placed, next)];
      next += placed;
      pasts.push(working);
    },
    list: (at: number, { listed, isComplete }: Event): Listing =>
      list(at, working.slice(0, Math.ceil(working.length * listed)), isComplete),
    history: (ids: Iterable<string>, lag: number): readonly [working: readonly number[], closed: readonly number[]] => {
      const past = new Set(pasts[Math.max(0, pasts.length - 1 - lag)]);
      const numbers = Array.from(ids, Number);
      return [numbers.filter((id) => past.has(id)), numbers.filter((id) => !past.has(id))];
    },
  };
}

/** Counts the working orders that are believed to be gone, if there are too many to be accepted. */
function countLost(before: DropState<Listing>, after: DropState<Listing>, working: readonly number[]): number {
  if (before.believed === null || after.believed === null || after.unverified > 0) return 0;
  const lost = working.filter(
    (id) => before.believed?.list.keys.includes(String(id)) === true && !after.believed?.list.keys.includes(String(id)),
  ).length;
  return lost > 20 && lost * 5 > before.believed.list.keys.length ? lost : 0;
}

test('no order is ever gone that works, unless so few were missing, or nothing was verified; and no doubt lasts', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 60 }), (events) => {
      const exchange = createExchange();
      const { read, answer, state, settled } = open(list(0, exchange.working()));
      for (const [place, one] of events.entries()) {
        exchange.pass(one);
        const before = state();
        read(exchange.list(5 * (place + 1), one));
        const { doubt } = state();
        if (doubt !== null && one.lag !== null)
          answer(doubt.newest, ...exchange.history(doubt.missing.keys(), one.lag));
        expect(countLost(before, state(), exchange.working())).toBe(0);
        expect(state().doubt?.waiting.length ?? 0).toBeLessThan(3);
      }
      const times = settled().map(([at]) => Number(at));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      // However the doubt began, the list alone ends it within three readings, or ten minutes.
      for (const at of [1, 2, 3, 200]) read(list(5 * (events.length + at), exchange.working()));
      expect(state().doubt).toBeNull();
    }),
    { numRuns: 500 },
  );
});
