import { createCrossings } from '#model/rules/crossings.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActivityRule, DeskRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import type { ActivityReading, RuleData } from '#model/rules/readings.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import type { AlertEvent } from '../notifications/notification.ts';
import type { AlertState } from './alert-state.ts';
import { createAlertLinks } from './alert-links.ts';
import { type AlertBoard, createAlertBoard, restoreAlerts } from './alert-board.ts';
import { findExpressionMistake, toExpressionTest } from './order-tests.ts';
import { createRuleEngine } from './rule-engine.ts';
import type { StoredSilence, StoredState } from './rule-store.ts';

const common: Pick<Rule, 'name' | 'enabled' | 'severity' | 'channels' | 'for_seconds'> = {
  name: 'R',
  enabled: true,
  severity: 'warning',
  channels: ['ops'],
  for_seconds: 0,
};
const many: OrdersRule = {
  ...common,
  id: 'many',
  about: 'orders',
  measure: 'count',
  filter: {},
  each: 'account',
  comparison: 'over',
  value: 1,
  unit: 'orders',
};
const gone: ActivityRule = {
  ...common,
  ...{ id: 'gone', about: 'activity', measure: 'gone', filter: {}, each: 'account', window_seconds: 120 },
  ...{ comparison: 'over', value: 0, unit: 'orders' },
};
const away: DeskRule = { ...common, id: 'away', about: 'desk', measure: 'venue_away' };

let board: AlertBoard;
let stored: Map<string, StoredState>;
let history: string[];
let called: AlertEvent[];
let failsToStore: boolean;
let logged: string[];
let now: number;

const start = () =>
  createRuleEngine({
    crossingsOf: ({ value }) => createCrossings(toDecimal(String(value))),
    board,
    known: { of: () => [], note: () => undefined, hasMatched: () => true },
    baselines: { of: () => new Set(), update: () => Promise.resolve() },
    holidays: () => null,
    yield: () => Promise.resolve(),
    write: (states, changes, events) => {
      if (failsToStore) return Promise.reject(new Error('full'));
      for (const state of states)
        stored.set(`${state.rule.id} ${state.group}`, JSON.parse(JSON.stringify(state)) as StoredState);
      history.push(...changes.map(({ body }) => body));
      called.push(...events.map(({ event }) => event));
      return Promise.resolve();
    },
    channelsOf: ({ channels }) => channels,
    linksOf: createAlertLinks((kind, code) => `${kind}-${code.toLowerCase()}`),
    returned: () => [],
    testOf: () => () => true,
    textOf: JSON.stringify,
    log: (_, event) => void logged.push(event),
  });
let engine: ReturnType<typeof start>;

beforeEach(() => {
  board = createAlertBoard();
  stored = new Map();
  [history, called, logged, failsToStore, now] = [[], [], [], false, 1_000_000];
  engine = start();
});

interface Moment {
  readonly accounts?: readonly string[];
  readonly missing?: string;
  readonly activity?: Pick<ActivityReading, 'events' | 'gaps'>;
  readonly away?: string | null;
  readonly rules?: readonly Rule[];
  readonly silences?: readonly StoredSilence[];
}

/** Runs one round, a minute after the previous one. */
async function run({
  accounts = [],
  missing,
  activity,
  away: reason = null,
  rules = [many, away],
  silences = [],
}: Moment): Promise<readonly string[]> {
  now += 60_000;
  const rows = toRows(readOrders(accounts.map((account_id, index) => ({ id: String(index + 1), account_id }))));
  const working = missing === undefined ? { rows, complete: true, unreadable: 0, pricesMissing: null } : { missing };
  const none = { missing: 'none' };
  const desk = {
    ageOf: () => none,
    unproven: none,
    drift: none,
    budget: null,
    away: reason,
    contact: { isInDoubt: false, lastResponseAt: reason === null ? now : null },
    gaps: none,
  };
  const data: RuleData = {
    now,
    venueNow: now,
    working,
    activity: activity === undefined ? none : { ...activity, from: 0, to: now, knownTo: now },
    market: none,
    perpetuals: none,
    fundingOf: () => ({ settled: none, predicted: none }),
    desk,
  };
  const before = called.length;
  await engine.run({ enabled: rules, ready: rules, data, silences });
  return called
    .slice(before)
    .map(({ ruleId, group: subject, state }) => `${ruleId} ${subject} ${state}`.replace('  ', ' '));
}

describe('the engine', () => {
  it('calls once for each group, with a sentence, and when it is over', async () => {
    expect(await run({ accounts: ['A', 'A', 'B'] })).toEqual(['many A firing']);
    expect(called[0]).toMatchObject({
      sentence: 'A: 2 working orders, over 1.',
      startedAt: now,
      at: now,
      path: '/rules?alert=many&group=account-a',
      ordersPath: `/orders?own=account%3Ais%3A*account-a*&at=${encodeURIComponent(new Date(now).toISOString())}`,
    });
    expect(await run({ accounts: ['A', 'A', 'B', 'B'] })).toEqual(['many B firing']);
    expect(await run({ accounts: ['B', 'B'] })).toEqual(['many A resolved']);
    expect(await run({ accounts: ['B', 'B'] })).toEqual([]);
  });

  it('calls by the same key again if it died before it knew that it had called, and not at all if it knew', async () => {
    await run({ accounts: ['A', 'A'] });
    const states = [...stored.values()];
    const restart = (change: Partial<AlertState>): void => {
      board = createAlertBoard();
      board.load(
        states.flatMap(({ group: subject, state }) =>
          state === null
            ? []
            : [{ rule: many, group: subject, state: { ...state, ...change }, reading: null, missing: null }],
        ),
        new Map(),
      );
      engine = start();
    };
    restart({});
    expect(await run({ accounts: ['A', 'A'] })).toEqual([]);
    restart({ called: null, notified: {} });
    expect(await run({ accounts: ['A', 'A'] })).toEqual(['many A firing']);
    expect(new Set(called.map(({ key }) => key)).size).toBe(1);
  });

  it('calls once it can, where the store could not be written', async () => {
    failsToStore = true;
    await expect(run({ accounts: ['A', 'A'] })).rejects.toThrow('full');
    expect(called).toEqual([]);
    failsToStore = false;
    expect(await run({ accounts: ['A', 'A'] })).toEqual(['many A firing']);
    expect(stored.get('many A')?.state).toMatchObject({ status: 'firing', called: 'firing' });
  });

  it('says that it has no data once for a rule, whatever the number of its groups, and keeps what fires', async () => {
    await run({ accounts: ['A', 'A', 'B', 'B'] });
    expect(await run({ missing: 'It timed out.' })).toEqual(['many no data']);
    expect(called.at(-1)?.sentence).toBe('R cannot be evaluated. It timed out.');
    expect(await run({ accounts: ['A', 'A'] })).toEqual(['many B resolved', 'many data again']);
  });

  it('says that it has no data once for a gap of the journal, though one account had enough events without it', async () => {
    const accounts = ['A', 'B', 'C'];
    const [order] = readOrders([{ id: '9', account_id: 'A' }]);
    const at = now + 60_000;
    const events = order === undefined ? [] : [{ number: 1, kind: 'gone' as const, at, order }];
    const gaps = [{ from: at, to: at + 60_000 }];
    expect(await run({ accounts, rules: [gone], activity: { events, gaps: [] } })).toEqual(['gone A firing']);
    expect(await run({ accounts, rules: [gone], activity: { events, gaps } })).toEqual(['gone no data']);
    expect(called.at(-1)?.sentence).toBe(
      'R cannot be evaluated. The journal has a gap in the window. This concerns 2 of 3 accounts.',
    );
    // The event has left the window, the gap has not.
    expect(await run({ accounts, rules: [gone], activity: { events: [], gaps } })).toEqual([]);
    expect(board.find('gone', 'A')?.state.status).toBe('firing');
    expect(await run({ accounts, rules: [gone], activity: { events: [], gaps } })).toEqual([
      'gone A resolved',
      'gone data again',
    ]);
  });

  it('calls only for the reason where the exchange is away, and for what is left of the rest when it is back', async () => {
    expect(await run({ missing: 'It timed out.', away: 'It timed out.' })).toEqual(['away firing']);
    expect(await run({ missing: 'It timed out.', away: 'It timed out.' })).toEqual([]);
    expect(await run({ accounts: ['A', 'A'], away: null })).toEqual(['away resolved', 'many A firing']);
  });

  it('waits with what is explained while the reason is only pending', async () => {
    const slow = { ...away, for_seconds: 100 };
    expect(await run({ missing: 'Away.', away: 'Away.', rules: [many, slow] })).toEqual([]);
    expect(await run({ missing: 'Away.', away: 'Away.', rules: [many, slow] })).toEqual([]);
    expect(await run({ missing: 'Away.', away: 'Away.', rules: [many, slow] })).toEqual(['away firing']);
    expect(await run({ missing: 'Away.', away: 'Away.', rules: [many, slow] })).toEqual([]);
  });

  it('does not call while it is silenced, by rule, group or severity', async () => {
    const silence = (match: StoredSilence['match']): StoredSilence => ({
      id: 's',
      match,
      until: now + 90_000,
      by: 'local',
      at: 0,
      note: '',
    });
    expect(await run({ accounts: ['A', 'A'], silences: [silence({ group: 'A', severity: 'warning' })] })).toEqual([]);
    expect(await run({ accounts: ['A', 'A'], silences: [silence({ rule_id: 'away' })] })).toEqual(['many A firing']);
  });

  it('calls off what it called of a rule that is off or says something else now', async () => {
    await run({ accounts: ['A', 'A'] });
    expect(await run({ accounts: ['A', 'A'], rules: [{ ...many, name: 'Renamed' }] })).toEqual([]);
    expect(await run({ accounts: ['A', 'A'], rules: [{ ...many, value: 5 }] })).toEqual(['many A ended']);
    const sentence = 'Renamed is no longer evaluated for A: the rule was changed, turned off or deleted.';
    expect(called.at(-1)?.sentence).toBe(sentence);
    expect(JSON.parse(history.at(-1) ?? '')).toMatchObject({ group: 'A', state: 'ended', sentence, value: null });
    await run({ accounts: ['A', 'A'] });
    expect(await run({ rules: [] })).toEqual(['many A ended']);
    expect(board.all()).toEqual([]);
  });

  it('takes over what was stored of a rule as of the rule as it was: after a change of it meanwhile, that is over, and the rule begins anew', async () => {
    const takeOver = async (rules: readonly Rule[]): Promise<void> => {
      board = createAlertBoard();
      const states = [...stored.values()].flatMap(({ rule, group: subject, state }) =>
        state === null ? [] : [{ ruleId: rule.id, rule, group: subject, state }],
      );
      await restoreAlerts(
        { states: () => Promise.resolve(states), lastFired: () => Promise.resolve(new Map()) },
        rules,
        board,
      );
      engine = start();
    };
    await run({ accounts: ['A', 'A'] });
    const renamed = { ...many, name: 'Renamed', for_seconds: 0 };
    await takeOver([renamed, away]);
    expect(board.all()).toMatchObject([{ rule: { name: 'Renamed' }, group: 'A' }]);
    expect(await run({ accounts: ['A', 'A'], rules: [renamed, away] })).toEqual([]);
    const changed = { ...many, expression: 'order.price > 0' };
    await takeOver([changed, away]);
    expect(await run({ accounts: ['A', 'A'], rules: [changed, away] })).toEqual(['many A ended', 'many A firing']);
    expect(board.find('many', 'A')?.state.startedAt).toBe(now);
    await takeOver([]);
    expect(await run({ accounts: ['A', 'A'], rules: [] })).toEqual(['many A ended']);
  });

  it('goes on with the others where one cannot be evaluated', async () => {
    board = createAlertBoard();
    engine = createRuleEngine({
      crossingsOf: ({ value }) => createCrossings(toDecimal(String(value))),
      channelsOf: ({ channels }) => channels,
      linksOf: createAlertLinks((kind, code) => `${kind}-${code.toLowerCase()}`),
      board,
      known: { of: () => [], note: () => undefined, hasMatched: () => true },
      baselines: { of: () => new Set(), update: () => Promise.resolve() },
      holidays: () => null,
      yield: () => Promise.resolve(),
      write: (_states, _changes, events) => Promise.resolve(void called.push(...events.map(({ event }) => event))),
      returned: () => [],
      textOf: JSON.stringify,
      log: (_, event) => void logged.push(event),
      testOf: () => () => {
        throw new Error('No such key: fee');
      },
    });
    expect(await run({ accounts: ['A'], away: null, rules: [many, { ...away, id: 'other' }] })).toEqual([
      'many no data',
    ]);
    expect(called[0]?.sentence).toBe('R cannot be evaluated. It could not be evaluated: No such key: fee');
    await run({ accounts: ['A'], rules: [many] });
    expect(logged).toEqual(['rule failed']);
  });
});

describe('an expression', () => {
  it.each([
    'order.quantity_requested > 100',
    'order.side == "Bid" && order.symbol.startsWith("BTC")',
    'order.account_id in ["A", "B"]',
    'size(order.symbol) > 3',
    'order.avg_price != null && order.avg_price > 100.5',
    'timestamp(order.time) < timestamp("2026-08-17T00:00:00Z")',
  ])('%s is a condition on an order', (expression) => {
    expect(findExpressionMistake(expression)).toBeNull();
  });

  it.each([
    'order.quantity_requested +',
    'other > 3',
    '"text"',
    'order.symbol.matches("(a+)+$")',
    '[1, 2].exists(x, x > order.price)',
    `${'1 + '.repeat(300)}1 > order.price`,
    'order.price_usd > 100000',
    'order.side == "Bid" && size(order.acount_id) > 2',
  ])('%s is none', (expression) => {
    expect(findExpressionMistake(expression)).toMatch(/^must /);
  });

  it('is looked at with the fields of the order', () => {
    const [bid, ask] = readOrders([
      { id: '1', side: 'Bid' },
      { id: '2', side: 'Ask' },
    ]);
    const test = toExpressionTest('order.side == "Bid"');
    expect([bid && test(bid), ask && test(ask)]).toEqual([true, false]);
  });

  it('fails with a sentence where a field has no value', () => {
    const [unfilled] = readOrders([{ quantity_filled: 0, avg_price: null }]);
    if (unfilled === undefined) throw new Error('There is no order.');
    expect(() => toExpressionTest('order.avg_price > 1')(unfilled)).toThrow(
      /^no such overload: .*null.* A field that may be null must be excluded first/,
    );
    expect(toExpressionTest('order.avg_price != null && order.avg_price > 1')(unfilled)).toBe(false);
  });
});
