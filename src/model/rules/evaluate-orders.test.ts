import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityRule, OrdersRule } from '#contract/desk/rules.ts';
import { orderLists, readOrders, toRows } from '#testing/order-rows.ts';
import { toAgeSeconds } from '../orders/order-row.ts';
import { evaluateOrders } from './evaluate-orders.ts';
import { toOrderTest } from './rule-subjects.ts';
import { type Evaluation, isMissing, type OrderEvent, type SubjectReading, type WorkingReading } from './readings.ts';
import { createEventCount } from './count-events.ts';
import { evaluateActivity } from './evaluate-activity.ts';

const RULE: OrdersRule = {
  ...{ id: 'r', name: 'R', enabled: true, severity: 'info', channels: [], for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'all', comparison: 'over', value: 3, unit: 'orders' },
};
const FILTERS = [{}, { account_id: 'A-1' }];
const TESTS = FILTERS.map(toOrderTest);

function toWorking(orders: readonly object[]): WorkingReading {
  return { rows: toRows(readOrders(orders)), complete: true, unreadable: 0, pricesMissing: null };
}

const someRules = fc.array(
  fc.record({
    filter: fc.nat(FILTERS.length - 1),
    measure: fc.constantFrom('count', 'quantity', 'notional', 'oldest_age', 'distance', 'twins'),
    each: fc.constantFrom('all', 'account', 'product', 'firm', 'connection'),
    comparison: fc.constantFrom('over', 'under'),
    value: fc.nat(1_000),
  }),
  { minLength: 2, maxLength: 8 },
);

it('rules on one reading, which share what they find, say what each says on a reading of its own', () => {
  fc.assert(
    fc.property(orderLists, someRules, (list, rules) => {
      const together = toWorking(list);
      for (const { filter, ...rule } of rules) {
        const test = TESTS[filter] ?? (() => false);
        const evaluated = evaluateOrders({ ...RULE, ...rule }, together, test);
        expect(evaluated).toEqual(
          evaluateOrders({ ...RULE, ...rule }, { ...together }, toOrderTest(FILTERS[filter] ?? {})),
        );
      }
    }),
  );
});

it('evidence of an extreme begins with the furthest order, and of equally far ones with the first', () => {
  const ages = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(ages, fc.integer({ min: 0, max: 30 }), (minutes, limit) => {
      const working = toWorking(
        minutes.map((age, index) => ({
          id: String(index + 1),
          time: new Date(Date.parse('2026-08-18T00:00:00Z') - age * 60_000).toISOString(),
        })),
      );
      const found = evaluateOrders(
        { ...RULE, measure: 'oldest_age', unit: 'seconds', value: limit * 60 },
        working,
        () => true,
      );
      const aged = working.rows.map((row) => ({ id: row.order.id, age: toAgeSeconds(row) ?? 0 }));
      const beyond = aged.filter(({ age }) => age > limit * 60).sort((a, b) => b.age - a.age);
      const evidence = isMissing(found) ? undefined : found[0]?.evidence;
      expect([evidence?.total, evidence?.orders.map(({ id }) => id)]).toEqual([
        beyond.length,
        beyond.slice(0, 200).map(({ id }) => id),
      ]);
    }),
  );
});

const common: Pick<OrdersRule, 'id' | 'name' | 'enabled' | 'severity' | 'channels' | 'for_seconds'> = {
  id: 'r',
  name: 'R',
  enabled: true,
  severity: 'info',
  channels: [],
  for_seconds: 0,
};
const rule: OrdersRule = {
  ...common,
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'all', comparison: 'over', value: 3, unit: 'orders' },
};

function working(orders: readonly object[], parts: Partial<WorkingReading> = {}): WorkingReading {
  return { rows: toRows(readOrders(orders)), complete: true, unreadable: 0, pricesMissing: null, ...parts };
}

function evaluate(some: Partial<OrdersRule>, reading: WorkingReading): Evaluation {
  const whole = { ...rule, ...some };
  return evaluateOrders(whole, reading, toOrderTest(whole.filter));
}

function only(evaluation: Evaluation): SubjectReading {
  if (isMissing(evaluation) || evaluation[0] === undefined) throw new Error('Nothing was found.');
  return evaluation[0];
}

describe('working orders', () => {
  it('are counted and added up for each account and product as a naive count says, with a filter or without', () => {
    fc.assert(
      fc.property(
        orderLists,
        fc.constantFrom('account', 'product'),
        fc.constantFrom('count', 'quantity'),
        fc.option(fc.constantFrom('A-1', 'B-1'), { nil: undefined }),
        fc.integer({ min: 0, max: 5 }),
        (list, each, measure, account, limit) => {
          const found = evaluate(
            { each, measure, value: limit, filter: account === undefined ? {} : { account_id: account } },
            working(list),
          );
          const naive = new Map<string, number>();
          for (const order of list) {
            if (account !== undefined && order.account_id !== account) continue;
            const subject = each === 'account' ? order.account_id : (order.symbol ?? '');
            naive.set(
              subject,
              (naive.get(subject) ?? 0) + (measure === 'count' ? 1 : order.quantity_requested - order.quantity_filled),
            );
          }
          // The account named by the filter is reported even without orders.
          if (each === 'account' && account !== undefined && !naive.has(account)) naive.set(account, 0);
          expect(
            isMissing(found)
              ? null
              : new Map(found.map(({ group: subject, value, holds }) => [subject, [value?.toNumber(), holds]])),
          ).toEqual(new Map([...naive].map(([subject, sum]) => [subject, [sum, sum > limit]])));
        },
      ),
    );
  });

  it('are none where nothing matches, which a rule for all can be about', () => {
    expect(only(evaluate({ comparison: 'under', value: 1 }, working([])))).toMatchObject({ group: '', holds: true });
    expect(evaluate({ each: 'account' }, working([]))).toEqual([]);
  });

  it('may be more than those of an incomplete set: what is not known decides nothing', () => {
    const incomplete = working([{ id: '1' }, { id: '2' }], { complete: false });
    expect(only(evaluate({ value: 1 }, incomplete))).toMatchObject({
      holds: true,
      because: 'The working set is not proven complete.',
    });
    expect(only(evaluate({ value: 2 }, incomplete)).holds).toBeNull();
    expect(only(evaluate({ comparison: 'under', value: 3 }, incomplete)).holds).toBeNull();
    expect(only(evaluate({ comparison: 'under', value: 2 }, incomplete)).holds).toBe(false);
    expect(only(evaluate({ value: 2 }, working([{ id: '1' }, { id: '2' }], { unreadable: 3 }))).because).toBe(
      'Some orders could not be read.',
    );
  });

  it('have no notional without market prices, and say so', () => {
    const notional = { measure: 'notional', unit: 'USD' } as const;
    expect(evaluate(notional, working([{ id: '1' }], { pricesMissing: 'No prices.' }))).toEqual({
      missing: 'No prices.',
    });
    expect(only(evaluate(notional, working([{ id: '1', product_id: 4 }])))).toMatchObject({
      holds: null,
      value: null,
      because: 'It is unknown for 1 order.',
    });
  });

  it('are as old as the oldest of them, which is the evidence', () => {
    const at = (minutes: number) => new Date(Date.parse('2026-08-18T00:00:00Z') - minutes * 60_000).toISOString();
    const aged = [5, 90, 61].map((minutes, index) => ({
      id: String(index + 1),
      time: at(minutes),
      last_modified: at(minutes),
    }));
    const found = only(evaluate({ measure: 'oldest_age', value: 3_600, unit: 'seconds' }, working(aged)));
    expect([found.value?.toNumber(), found.holds, found.evidence.orders.map(({ id }) => id)]).toEqual([
      5_400,
      true,
      ['2', '3'],
    ]);
  });

  it('that repeat another are counted', () => {
    const reading = working([{ id: '1' }, { id: '2' }, { id: '3' }]);
    const rows = reading.rows.map((row, index) => ({ ...row, twins: index === 2 ? 0 : 1 }));
    expect(only(evaluate({ measure: 'twins', value: 0 }, { ...reading, rows }))).toMatchObject({
      holds: true,
      evidence: { total: 2 },
    });
  });

  it('are evidence only as far as a person would read them, the worst first, and their number is said', () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ id: String(index + 1), quantity_requested: index + 1 }));
    const { evidence } = only(evaluate({ measure: 'quantity', unit: 'contracts' }, working(many)));
    expect([evidence.total, evidence.orders.length]).toEqual([250, 200]);
    expect(evidence.orders.slice(0, 2).map(({ id }) => id)).toEqual(['250', '249']);
  });
});

describe('activity', () => {
  const activityRule: ActivityRule = {
    ...common,
    about: 'activity',
    measure: 'placed',
    window_seconds: 60,
    filter: {},
    each: 'all',
    comparison: 'over',
    value: 1,
    unit: 'orders',
  };
  const [order] = readOrders([{ id: '1', account_id: 'A-1' }]);
  let eventCount = 0;
  const event = (at: number, kind: OrderEvent['kind'] = 'placed'): OrderEvent[] =>
    order === undefined ? [] : [{ number: ++eventCount, kind, at, order }];
  const look = (
    some: Partial<ActivityRule>,
    activity: {
      readonly events: readonly OrderEvent[];
      readonly from?: number;
      readonly to?: number;
      readonly knownTo?: number;
      readonly gaps?: readonly { readonly from: number; readonly to: number }[];
    },
    remembered: readonly string[] = [],
  ) => {
    const whole = { ...activityRule, ...some };
    const data = {
      now: 100_000,
      working: working([{ id: '9', account_id: 'B-1' }]),
      activity: { from: 0, to: 100_000, knownTo: 100_000, gaps: [], ...activity },
    };
    return evaluateActivity(whole, data, { test: () => true, count: createEventCount(whole, () => true), remembered });
  };

  it('is missed only in a window that ends with what is known', () => {
    const few = { comparison: 'under', value: 1 } as const;
    expect(only(look(few, { events: event(39_000), knownTo: 100_000 })).holds).toBe(true);
    // What was accepted in the last ten seconds is not known yet.
    expect(only(look(few, { events: event(39_000), knownTo: 90_000 })).holds).toBe(false);
    expect(only(look(few, { events: event(95_000), knownTo: 30_000 })).holds).toBe(false);
    expect(only(look(few, { events: [], knownTo: 30_000, from: 0 })).holds).toBeNull();
    expect(only(look({}, { events: [...event(39_000), ...event(41_000)], knownTo: 30_000 })).holds).toBe(false);
  });

  it('is counted in the window by its kind', () => {
    const events = [...event(40_000), ...event(40_001), ...event(99_000), ...event(99_000, 'gone')];
    expect(only(look({}, { events }))).toMatchObject({ holds: true });
    expect(only(look({}, { events })).value?.toNumber()).toBe(2);
    expect(only(look({ value: 2 }, { events })).holds).toBe(false);
  });

  it('of none is known only where the window is known as a whole', () => {
    const none = { comparison: 'under', value: 1 } as const;
    expect(only(look(none, { events: [] })).holds).toBe(true);
    expect(only(look(none, { events: [], from: 50_000 }))).toMatchObject({
      holds: null,
      because: 'The journal does not reach back to the beginning of the window.',
    });
    expect(only(look(none, { events: [], gaps: [{ from: 45_000, to: 60_000 }] }))).toMatchObject({
      holds: null,
      because: 'The journal has a gap in the window.',
    });
    expect(only(look(none, { events: [], to: 200_000 }))).toMatchObject({
      holds: null,
      because: 'The clock was set back: the journal is ahead of it.',
    });
    expect(only(look(none, { events: [], to: 101_000 })).holds).toBe(true);
    expect(only(look(none, { events: [], gaps: [{ from: 1, to: 30_000 }] })).holds).toBe(true);
    expect(only(look(none, { events: event(99_000), gaps: [{ from: 45_000, to: 60_000 }] })).holds).toBe(false);
  });

  it('of an owner with orders but without any is none', () => {
    const found = look({ each: 'account', comparison: 'under', value: 1 }, { events: event(99_000) });
    expect(isMissing(found) ? null : found.map(({ group: subject, holds }) => [subject, holds])).toEqual([
      ['A-1', false],
      ['B-1', true],
    ]);
  });

  it('of an owner without any order is none, if the filter names it or it is remembered', () => {
    const silent = { each: 'account', comparison: 'under', value: 1, filter: { account_id: 'ALGO-999' } } as const;
    const found = look(silent, { events: event(99_000) }, ['C-1', 'A-1']);
    expect(isMissing(found) ? null : found.map(({ group: subject, holds }) => [subject, holds])).toEqual([
      ['A-1', false],
      ['B-1', true],
      ['C-1', true],
      ['ALGO-999', true],
    ]);
    expect(only(look({ ...silent, each: 'all' }, { events: [] })).group).toBe('');
    const connection = look({ ...silent, each: 'connection', filter: { connection_id: 'ABC' } }, { events: [] }, [
      'abc',
    ]);
    expect(
      isMissing(connection)
        ? null
        : connection.map(({ group: subject }) => subject).filter((subject) => subject.toLowerCase() === 'abc'),
    ).toEqual(['abc']);
  });
});

it('the result says when the orders were read if they could not be read since', () => {
  const working = { ...toWorking([{ id: '1' }]), readAt: '2026-11-28T13:54:40.000Z' };
  expect(evaluateOrders(RULE, working, () => true)).toMatchObject([
    { because: 'Read at 2026-11-28T13:54:40.000Z, and not since.' },
  ]);
  expect(evaluateOrders(RULE, { ...working, complete: false }, () => true)).toMatchObject([
    { because: 'The working set is not proven complete. Read at 2026-11-28T13:54:40.000Z, and not since.' },
  ]);
});
