import { beforeEach, describe, expect, it } from 'vitest';
import { createCrossings } from '#model/rules/crossings.ts';
import { toDecimal } from '#model/units/decimal.ts';
import type { OrdersRule, Rule } from '#contract/desk/rules.ts';
import { WEEKDAYS } from '#contract/desk/rule-timing.ts';
import type { RuleData, WorkingReading } from '#model/rules/readings.ts';
import { type PricedOrder, toPricedReading } from '#testing/rules/priced-orders.ts';
import type { AlertEvent } from '../notifications/notification.ts';
import { createAlertBoard, type AlertBoard } from './alert-board.ts';
import { createOrderBaselines, type OrderBaselines } from './order-baselines.ts';
import { createAlertLinks } from './alert-links.ts';
import { createRuleEngine, type RuleEngine } from './rule-engine.ts';
import type { StoredBaseline } from './rule-store.ts';

const MANY: OrdersRule = {
  ...{ id: 'many', name: 'Many', enabled: true, severity: 'warning', channels: ['ops'], for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'account', comparison: 'over', value: 2, unit: 'orders' },
};
const MONDAY_NOON = Date.parse('2026-08-17T12:00:00Z');
const MINUTE = 60_000;

let board: AlertBoard;
let engine: RuleEngine;
let baselines: OrderBaselines;
let stored: Map<string, StoredBaseline>;
let events: AlertEvent[];
let now: number;

function start(): void {
  baselines = createOrderBaselines(
    {
      baselines: () => Promise.resolve([...stored.values()]),
      writeBaselines: (kept, dropped) => {
        for (const one of kept) stored.set(one.ruleId, JSON.parse(JSON.stringify(one)) as StoredBaseline);
        for (const id of dropped) stored.delete(id);
        return Promise.resolve();
      },
    },
    () => () => true,
  );
  engine = createRuleEngine({
    board,
    baselines,
    holidays: () => null,
    known: { of: () => [], note: () => undefined, hasMatched: () => true },
    yield: () => Promise.resolve(),
    write: (_states, _changes, sent) => Promise.resolve(void events.push(...sent.map(({ event }) => event))),
    channelsOf: ({ channels }) => channels,
    returned: () => [],
    testOf: () => () => true,
    crossingsOf: ({ value }) => createCrossings(toDecimal(String(value))),
    textOf: JSON.stringify,
    linksOf: createAlertLinks((kind) => kind),
    log: () => undefined,
  });
}

beforeEach(() => {
  [board, events, now] = [createAlertBoard(), [], MONDAY_NOON];
  stored = new Map();
  start();
});

const ofA = (count: number): readonly PricedOrder[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + 1), account_id: 'A' }));

/** Runs one round, some minutes after the previous one. Returns what is notified. */
async function pass(
  rules: readonly Rule[],
  orders: readonly PricedOrder[],
  { minutes = 1, ...parts }: Partial<WorkingReading> & { readonly minutes?: number } = {},
): Promise<readonly string[]> {
  now += minutes * MINUTE;
  const none = { missing: 'none' };
  const contact = { isInDoubt: false, lastResponseAt: now };
  const desk = { ageOf: () => none, unproven: none, drift: none, budget: null, away: null, contact, gaps: none };
  const data: RuleData = {
    ...{ now, venueNow: now, working: toPricedReading(orders, parts), activity: none, market: none },
    ...{ perpetuals: none, fundingOf: () => ({ settled: none, predicted: none }), desk },
  };
  const before = events.length;
  const enabled = rules.filter((rule) => rule.enabled);
  await engine.run({ enabled, ready: enabled, data, silences: [] });
  return events.slice(before).map(({ state, sentence }) => `${state}: ${sentence}`);
}

describe('an alert', () => {
  it('goes on until the value that clears it is reached, and says so', async () => {
    const rules = [{ ...MANY, clear_value: 1 }];
    expect(await pass(rules, ofA(3))).toEqual(['firing: A: 3 working orders, over 2.']);
    expect(await pass(rules, ofA(2))).toEqual([]);
    expect(board.find('many', 'A')?.state.status).toBe('firing');
    expect(await pass(rules, ofA(1))).toEqual(['resolved: A: 1 working order, not over 2.']);
    // Between the two values, nothing begins.
    expect(await pass(rules, ofA(2))).toEqual([]);
    expect(board.find('many', 'A')?.state.status).toBe('resolved');
  });

  it('keeps firing for a while after the condition last held', async () => {
    const rules = [{ ...MANY, keep_seconds: 300 }];
    await pass(rules, ofA(3));
    expect(await pass(rules, ofA(2), { minutes: 1 })).toEqual([]);
    expect(await pass(rules, ofA(3), { minutes: 4 })).toEqual([]);
    expect(await pass(rules, ofA(2), { minutes: 1 })).toEqual([]);
    expect(await pass(rules, ofA(2), { minutes: 4 })).toEqual([]);
    expect(await pass(rules, ofA(2), { minutes: 1 })).toEqual(['resolved: A: 2 working orders, not over 2.']);
  });

  it('is notified at most once in a while, and then if it still fires', async () => {
    const rules = [{ ...MANY, at_most_every_seconds: 600 }];
    const fired = 'firing: A: 3 working orders, over 2.';
    const resolved = 'resolved: A: 2 working orders, not over 2.';
    expect(await pass(rules, ofA(3))).toEqual([fired]);
    expect(await pass(rules, ofA(2))).toEqual([resolved]);
    expect(await pass(rules, ofA(3), { minutes: 8 })).toEqual([]);
    expect(await pass(rules, ofA(3))).toEqual([fired]);
    expect(await pass(rules, ofA(2))).toEqual([resolved]);
  });

  it('that is over before it may be notified again is not notified at all', async () => {
    const rules = [{ ...MANY, at_most_every_seconds: 600 }];
    await pass(rules, ofA(3));
    await pass(rules, ofA(2));
    expect(await pass(rules, ofA(3), { minutes: 4 })).toEqual([]);
    expect(await pass(rules, ofA(2))).toEqual([]);
  });
});

describe('outside its hours', () => {
  const hours = { zone: 'UTC', days: [...WEEKDAYS], from: '08:00', to: '12:03', except_holidays: false };
  const rules = [{ ...MANY, hours }];

  it('a rule ends its alerts with the reason, and is not evaluated until they begin again', async () => {
    expect(await pass(rules, ofA(3))).toHaveLength(1);
    expect(await pass(rules, ofA(3), { minutes: 2 })).toEqual([
      'ended: Many is no longer evaluated for A: outside its hours, next at Tue 2026-08-18 08:00 UTC.',
    ]);
    expect(await pass(rules, ofA(4))).toEqual([]);
    expect(board.all()).toEqual([]);
    expect(await pass(rules, ofA(4), { minutes: 20 * 60 })).toEqual(['firing: A: 4 working orders, over 2.']);
  });

  it('what is over stays listed', async () => {
    await pass(rules, ofA(3));
    await pass(rules, ofA(2));
    await pass(rules, ofA(3), { minutes: 5 });
    expect(board.find('many', 'A')?.state.status).toBe('resolved');
  });
});

describe('a rule about new orders only', () => {
  const NEW: OrdersRule = { ...MANY, measure: 'distance', each: 'order', value: 20, unit: 'percent', new_only: true };
  const far = (id: string): PricedOrder => ({ id, account_id: 'A', price: 700 });
  const said = (id: string): string => `firing: A · GOOD bid 35.00: 30.00 % from the market, over 20 %.${id}`;

  it('never alerts of orders that met the condition when it was saved, also after a restart', async () => {
    expect(await pass([NEW], [far('1')])).toEqual([]);
    expect(await pass([NEW], [far('1'), far('2')])).toEqual([said('')]);
    start();
    await baselines.load();
    expect(await pass([NEW], [far('1'), far('2'), far('3')])).toEqual([said('')]);
    expect([...board.of('many')].map(({ group: subject }) => subject)).toEqual(['2', '3']);
    expect(await pass([NEW], [far('1'), far('3')])).toEqual([
      'resolved: A · GOOD bid 35.00: no longer meets the condition. It is no longer working.',
    ]);
  });

  it('begins anew when it is turned on again', async () => {
    await pass([NEW], [far('1')]);
    await pass([{ ...NEW, enabled: false }], [far('1'), far('2')]);
    expect(stored.size).toBe(0);
    expect(await pass([NEW], [far('1'), far('2')])).toEqual([]);
    expect(await pass([NEW], [far('1'), far('2'), far('3')])).toEqual([said('')]);
  });

  it('waits for a reading that is proven complete, and says why', async () => {
    expect(await pass([NEW], [far('1')], { complete: false })).toEqual([
      'no data: Many cannot be evaluated. Which orders already meet the condition is unknown. The working set is not proven complete.',
    ]);
    expect(await pass([NEW], [far('1'), far('2')])).toEqual(['data again: Many can be evaluated; nothing is firing.']);
  });
});

it('of the orders whose alerts are over, only the last are listed', async () => {
  const rule: OrdersRule = { ...MANY, measure: 'distance', each: 'order', value: 20, unit: 'percent' };
  for (let round = 0; round < 3; round++) {
    await pass(
      [rule],
      Array.from({ length: 150 }, (_, index) => ({ id: String(round * 1_000 + index), account_id: 'A', price: 700 })),
    );
  }
  await pass([rule], []);
  await pass([rule], []);
  expect(board.of('many')).toHaveLength(200);
  expect(board.find('many', '2149')?.state.status).toBe('resolved');
});
