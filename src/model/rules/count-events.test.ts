import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityRule } from '#contract/desk/rules.ts';
import { readOrders } from '#testing/order-rows.ts';
import { createEventCount, type CountEvents } from './count-events.ts';
import { groupRows, type OrderTest, toOrderTest } from './rule-subjects.ts';
import type { OrderEvent } from './readings.ts';

const rule: ActivityRule = {
  id: 'r',
  name: 'R',
  enabled: true,
  severity: 'info',
  channels: [],
  for_seconds: 0,
  about: 'activity',
  measure: 'placed',
  window_seconds: 60,
  filter: {},
  each: 'all',
  comparison: 'over',
  value: 1,
  unit: 'orders',
};
const orders = readOrders(['A-1', 'B-1', 'C-1'].map((account_id, index) => ({ id: String(index + 1), account_id })));

/** Counts all events from scratch. */
function countNaively(
  { measure, window_seconds: seconds, each }: ActivityRule,
  test: OrderTest,
  events: readonly OrderEvent[],
  now: number,
) {
  const inside = events.filter(({ at, order }) => at > now - seconds * 1_000 && at <= now && test(order));
  const lastGone = new Map<string, OrderEvent>();
  const takenBack = new Set<OrderEvent | undefined>();
  for (const event of inside) {
    if (event.kind === 'gone') lastGone.set(event.order.id, event);
    if (event.kind !== 'returned') continue;
    takenBack.add(lastGone.get(event.order.id));
    lastGone.delete(event.order.id);
  }
  const found = inside.filter((event) => event.kind === measure && !takenBack.has(event));
  return new Map(
    [...groupRows(found, ({ order }) => order, each)].map(([subject, all]) => [
      subject,
      { total: all.length, newest: all.slice(-20) },
    ]),
  );
}

const step = fc.record({
  /** The change of the clock, which may be set back. */
  passes: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 25_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -90_000, max: 90_000 }) },
  ),
  /** Relative to the newest event so far, which may be in the future by the clock. */
  found: fc.array(
    fc.record({
      after: fc.constantFrom(0, 1, 400, 5_000),
      kind: fc.constantFrom('placed' as const, 'gone' as const, 'returned' as const),
      owner: fc.nat(2),
    }),
    { maxLength: 30 },
  ),
  /** How many of the oldest events are forgotten. */
  forgets: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(40) }),
  /** Whether all known events are read again, as for a longer window. */
  isRead: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  isLooked: fc.boolean(),
});

describe('the count of events', () => {
  it('is after each step what counting all of them anew gives: as events come, leave the window, are forgotten or found again, and the clock is set', () => {
    const rules = fc.record({
      measure: fc.constantFrom('placed' as const, 'gone' as const),
      each: fc.constantFrom('all' as const, 'account' as const),
      window_seconds: fc.constantFrom(1, 60, 86_400),
      filter: fc.constantFrom({}, { account_id: 'B-1' }),
    });
    fc.assert(
      fc.property(rules, fc.array(step, { maxLength: 40 }), (some, steps) => {
        const whole = { ...rule, ...some };
        const test = toOrderTest(whole.filter);
        const count = createEventCount(whole, test);
        let [events, number, now, at]: [readonly OrderEvent[], number, number, number] = [[], 0, 1_000_000, 1_000_000];
        for (const { passes, found, forgets, isRead, isLooked } of steps) {
          now += passes;
          const fresh = found.flatMap(({ after, kind, owner }): readonly OrderEvent[] => {
            at += after;
            const order = orders[owner];
            return order === undefined ? [] : [{ number: ++number, kind, at, order }];
          });
          events = [...events, ...fresh].slice(forgets);
          if (isRead) events = events.map((event) => ({ ...event, number: ++number }));
          if (isLooked) expect(new Map(count(events, now))).toEqual(countNaively(whole, test, events, now));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('looks at an event once, however often it is counted', () => {
    let looks = 0;
    const count: CountEvents = createEventCount(rule, () => ++looks > 0);
    const [order] = orders;
    if (order === undefined) expect.fail();
    const events = Array.from({ length: 10_000 }, (_, index): OrderEvent => ({
      number: index + 1,
      kind: 'placed',
      at: index * 10,
      order,
    }));
    for (let now = 0; now <= 200_000; now += 1_000) count(events, now);
    expect(looks).toBe(10_000);
    expect(count(events, 100_000).get('')).toMatchObject({ total: 5_999 });
  });
});
