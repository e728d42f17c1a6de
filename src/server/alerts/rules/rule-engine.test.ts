import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import type { RuleData } from '#model/rules/readings.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import type { AlertEvent } from '../notifications/notification.ts';
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
const away: DeskRule = { ...common, id: 'away', about: 'desk', measure: 'venue_away' };

let board: AlertBoard;
let stored: Map<string, StoredState>;
let history: string[];
let called: AlertEvent[];
let failsToStore: boolean;
let failsToNotify: boolean;
let logged: string[];
let now: number;

const start = () =>
  createRuleEngine({
    board,
    known: { of: () => [], note: () => undefined, hasMatched: () => true },
    yield: () => Promise.resolve(),
    store: {
      write: (states, changes) => {
        if (failsToStore) return Promise.reject(new Error('full'));
        for (const state of states)
          stored.set(`${state.rule.id} ${state.group}`, JSON.parse(JSON.stringify(state)) as StoredState);
        history.push(...changes.map(({ body }) => body));
        return Promise.resolve();
      },
    },
    channelsOf: ({ channels }) => channels,
    enqueue: (events) => {
      if (failsToNotify) return Promise.reject(new Error('full'));
      called.push(...events);
      return Promise.resolve();
    },
    returned: () => [],
    testOf: () => () => true,
    textOf: JSON.stringify,
    log: (_, event) => void logged.push(event),
  });
let engine: ReturnType<typeof start>;

beforeEach(() => {
  board = createAlertBoard();
  stored = new Map();
  [history, called, logged, failsToStore, failsToNotify, now] = [[], [], [], false, false, 1_000_000];
  engine = start();
});

interface Moment {
  readonly accounts?: readonly string[];
  readonly missing?: string;
  readonly away?: string | null;
  readonly rules?: readonly Rule[];
  readonly silences?: readonly StoredSilence[];
}

/** Runs one round, a minute after the previous one. */
async function run({
  accounts = [],
  missing,
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
    activity: none,
    market: none,
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
      sentence: 'Working orders of A: 2, over 1.',
      startedAt: now,
      at: now,
      path: '/rules?alert=many',
    });
    expect(await run({ accounts: ['A', 'A', 'B', 'B'] })).toEqual(['many B firing']);
    expect(await run({ accounts: ['B', 'B'] })).toEqual(['many A resolved']);
    expect(await run({ accounts: ['B', 'B'] })).toEqual([]);
  });

  it('calls by the same key again if it died before it knew that it had called, and not at all if it knew', async () => {
    await run({ accounts: ['A', 'A'] });
    const states = [...stored.values()];
    const restart = (called: 'firing' | null): void => {
      board = createAlertBoard();
      board.load(
        states.flatMap(({ group: subject, state }) =>
          state === null
            ? []
            : [{ rule: many, group: subject, state: { ...state, called }, reading: null, missing: null }],
        ),
        new Map(),
      );
      engine = start();
    };
    restart('firing');
    expect(await run({ accounts: ['A', 'A'] })).toEqual([]);
    restart(null);
    expect(await run({ accounts: ['A', 'A'] })).toEqual(['many A firing']);
    expect(new Set(called.map(({ key }) => key)).size).toBe(1);
  });

  it('calls once it can, where the store could not be written or the call not be left', async () => {
    failsToStore = true;
    await expect(run({ accounts: ['A', 'A'] })).rejects.toThrow('full');
    expect(called).toEqual([]);
    [failsToStore, failsToNotify] = [false, true];
    await expect(run({ accounts: ['A', 'A'] })).rejects.toThrow('full');
    failsToNotify = false;
    expect(await run({ accounts: ['A', 'A'] })).toEqual(['many A firing']);
    expect(stored.get('many A')?.state).toMatchObject({ status: 'firing', called: 'firing' });
  });

  it('says that it has no data once for a rule, whatever the number of its groups, and keeps what fires', async () => {
    await run({ accounts: ['A', 'A', 'B', 'B'] });
    expect(await run({ missing: 'It timed out.' })).toEqual(['many no data']);
    expect(called.at(-1)?.sentence).toBe('R cannot be evaluated. It timed out.');
    expect(await run({ accounts: ['A', 'A'] })).toEqual(['many B resolved', 'many data again']);
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
      channelsOf: ({ channels }) => channels,
      board,
      known: { of: () => [], note: () => undefined, hasMatched: () => true },
      yield: () => Promise.resolve(),
      store: { write: () => Promise.resolve() },
      enqueue: (events) => Promise.resolve(void called.push(...events)),
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
    expect(() => bid && toExpressionTest('order.fee > 1')(bid)).toThrow('No such key: fee');
  });
});
