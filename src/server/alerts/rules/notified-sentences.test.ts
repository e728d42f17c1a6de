import { createCrossings } from '#model/rules/crossings.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import type { RuleData } from '#model/rules/readings.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { type AlertEvent, toLine } from '../notifications/notification.ts';
import { createAlertLinks } from './alert-links.ts';
import { type AlertBoard, createAlertBoard, restoreAlerts } from './alert-board.ts';
import { MANY_ORDERS } from '#testing/rules/many-orders.ts';
import { createRuleEngine, type RuleEngine } from './rule-engine.ts';
import type { StoredSilence, StoredState } from './rule-store.ts';

/** Shows the notification and the history entry of each transition of an alert. */

const common: Pick<Rule, 'enabled' | 'severity' | 'channels'> = {
  enabled: true,
  severity: 'warning',
  channels: ['ops'],
};
const EACH: OrdersRule = { ...MANY_ORDERS, id: 'each' };
const ALL: OrdersRule = { ...EACH, id: 'all', name: 'All orders', each: 'all' };
const SLOW: OrdersRule = { ...ALL, id: 'slow', name: 'Slow', for_seconds: 90 };
const AWAY: DeskRule = { ...common, id: 'away', name: 'Away', about: 'desk', measure: 'venue_away', for_seconds: 0 };

/** One round, a minute after the previous one. */
interface Moment {
  /** Number of orders of each account; null if they could not be read. */
  readonly orders: Readonly<Record<string, number>> | null;
  /** Whether the reading is complete. */
  readonly complete?: boolean;
  readonly contact?: 'away' | 'in doubt' | 'silent';
  readonly rules?: readonly Rule[];
  readonly isSilenced?: boolean;
  /** Whether another server takes over before the round, or the same one after a restart. */
  readonly restarts?: boolean;
}

let board: AlertBoard;
let engine: RuleEngine;
let stored: Map<string, StoredState>;
let history: { readonly state: string; readonly group: string; readonly sentence: string }[];
let called: AlertEvent[];
let now: number;
let lastResponseAt: number;

const start = (): RuleEngine =>
  createRuleEngine({
    crossingsOf: ({ value }) => createCrossings(toDecimal(String(value))),
    board,
    known: { of: () => [], note: () => undefined, hasMatched: () => true },
    baselines: { of: () => new Set(), update: () => Promise.resolve() },
    holidays: () => null,
    yield: () => Promise.resolve(),
    write: (states, changes, events) => {
      for (const state of states)
        stored.set(`${state.rule.id} ${state.group}`, JSON.parse(JSON.stringify(state)) as StoredState);
      history.push(...changes.map(({ body }) => JSON.parse(body) as (typeof history)[number]));
      called.push(...events.map(({ event }) => event));
      return Promise.resolve();
    },
    returned: () => [],
    channelsOf: ({ channels }) => channels,
    linksOf: createAlertLinks((kind, code) => `${kind}-${code.toLowerCase()}`),
    testOf: () => () => true,
    textOf: JSON.stringify,
    log: () => undefined,
  });

beforeEach(() => {
  board = createAlertBoard();
  [stored, history, called, now, lastResponseAt] = [new Map<string, StoredState>(), [], [], 60_000_000, 0];
  engine = start();
});

async function takeOver(rules: readonly Rule[]): Promise<void> {
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
}

const none = { missing: 'none' };

async function pass({
  orders,
  complete = true,
  contact,
  rules = [EACH],
  isSilenced = false,
  restarts = false,
}: Moment): Promise<readonly string[]> {
  now += 60_000;
  if (restarts) await takeOver(rules);
  if (contact === undefined) lastResponseAt = now;
  const accounts = Object.entries(orders ?? {}).flatMap(([account_id, count]) =>
    Array.from({ length: count }, () => ({ account_id })),
  );
  const rows = toRows(readOrders(accounts.map((order, index) => ({ ...order, id: String(index + 1) }))));
  const working =
    orders === null ? { missing: 'It timed out.' } : { rows, complete, unreadable: 0, pricesMissing: null };
  const desk = {
    ageOf: () => none,
    unproven: none,
    drift: none,
    budget: null,
    away: contact === 'away' ? 'It timed out.' : null,
    contact: { isInDoubt: contact === 'in doubt', lastResponseAt },
    gaps: none,
  };
  const data: RuleData = {
    now,
    venueNow: now,
    working,
    activity: none,
    market: none,
    perpetuals: none,
    fundingOf: () => ({ settled: none, predicted: none }),
    desk,
  };
  const silences: readonly StoredSilence[] = isSilenced
    ? [{ id: 's', match: {}, until: now + 1, by: 'local', at: 0, note: '' }]
    : [];
  const before = called.length;
  await engine.run({ enabled: rules, ready: rules, data, silences });
  return called.slice(before).map(toLine);
}

async function passAll(moments: readonly Moment[]): Promise<readonly (readonly string[])[]> {
  const lines: (readonly string[])[] = [];
  for (const moment of moments) lines.push(await pass(moment));
  return lines;
}

const lost = { orders: null };
const all = (count: number | null): Moment => ({ orders: count === null ? null : { A: count }, rules: [ALL] });
const slow = (count: number | null): Moment => ({ orders: count === null ? null : { A: count }, rules: [SLOW] });

describe('of a rule for each account', () => {
  const fired = 'A: 2 working orders, over 1.';
  const noData = 'No data: Many orders cannot be evaluated. It timed out.';

  it.each<readonly [string, readonly (readonly [Moment, readonly string[]])[]]>([
    [
      'fires, and is resolved with its value',
      [
        [{ orders: { A: 2 } }, [fired]],
        [{ orders: { A: 1 } }, ['Resolved: A: 1 working order, not over 1.']],
      ],
    ],
    [
      'is resolved with its value where no order is left',
      [
        [{ orders: { A: 2 } }, [fired]],
        [{ orders: {} }, ['Resolved: A: 0 working orders, not over 1.']],
      ],
    ],
    [
      'fires on over a time without data, whose end is no all-clear',
      [
        [{ orders: { A: 2 } }, [fired]],
        [lost, [noData]],
        [{ orders: { A: 2 } }, ['Data again: Many orders can be evaluated; 1 account is firing: A.']],
      ],
    ],
    [
      'is resolved by the first evaluation with data',
      [
        [{ orders: { A: 2, B: 2 } }, [fired, 'B: 2 working orders, over 1.']],
        [lost, [noData]],
        [
          { orders: { A: 2 } },
          [
            'Resolved: B: 0 working orders, not over 1.',
            'Data again: Many orders can be evaluated; 1 account is firing: A.',
          ],
        ],
      ],
    ],
    [
      'says where nothing fires once data are back',
      [
        [lost, [noData]],
        [{ orders: { A: 1 } }, ['Data again: Many orders can be evaluated; nothing is firing.']],
      ],
    ],
    [
      'is not resolved by a reading that is not complete',
      [
        [{ orders: { A: 2 } }, [fired]],
        [
          { orders: {}, complete: false },
          ['No data: Many orders cannot be evaluated for A. The working set is not proven complete.'],
        ],
        [{ orders: { A: 2 } }, [fired]],
      ],
    ],
    [
      'that had no data for one account and does not hold then was never firing',
      [
        [
          { orders: { A: 1 }, complete: false },
          ['No data: Many orders cannot be evaluated for A. The working set is not proven complete.'],
        ],
        [
          { orders: { A: 1 } },
          ['Data again: Many orders can be evaluated for A; nothing is firing. A: 1 working order, not over 1.'],
        ],
      ],
    ],
    [
      'without data that begins and ends while it is silenced is not called',
      [
        [{ orders: null, isSilenced: true }, []],
        [{ orders: { A: 1 } }, []],
      ],
    ],
    [
      'that fired before it was silenced is called off all the same',
      [
        [{ orders: { A: 2 } }, [fired]],
        [{ orders: { A: 1 }, isSilenced: true }, ['Resolved: A: 1 working order, not over 1.']],
      ],
    ],
    [
      'that is turned off while it fires is not resolved',
      [
        [{ orders: { A: 2 } }, [fired]],
        [
          { orders: { A: 2 }, rules: [] },
          ['Ended: Many orders is no longer evaluated for A: the rule was changed, turned off or deleted.'],
        ],
      ],
    ],
    [
      'that is changed while it has no data is not resolved',
      [
        [lost, [noData]],
        [
          { orders: { A: 2 }, rules: [{ ...EACH, value: 5 }] },
          ['Ended: Many orders is no longer evaluated: the rule was changed, turned off or deleted.'],
        ],
      ],
    ],
    [
      'is called again by nobody after a restart, and is resolved by what is evaluated then',
      [
        [{ orders: { A: 2, B: 2 } }, [fired, 'B: 2 working orders, over 1.']],
        [{ orders: { A: 2 }, restarts: true }, ['Resolved: B: 0 working orders, not over 1.']],
      ],
    ],
    [
      'that another desk takes over without data fires on',
      [
        [{ orders: { A: 2 } }, [fired]],
        [{ orders: null, restarts: true }, [noData]],
        [{ orders: { A: 2 }, restarts: true }, ['Data again: Many orders can be evaluated; 1 account is firing: A.']],
      ],
    ],
  ])('%s', async (_, steps) => {
    expect(await passAll(steps.map(([moment]) => moment))).toEqual(steps.map(([, lines]) => lines));
  });

  it('names ten accounts that fire, and how many more there are', async () => {
    const orders = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`A-${String(index + 10)}`, 2]));
    const lines = await passAll([{ orders }, lost, { orders }]);
    expect(lines[2]).toEqual([
      'Data again: Many orders can be evaluated; 12 accounts are firing: A-10, A-11, A-12, A-13, A-14, A-15, A-16, A-17, A-18, A-19 and 2 more.',
    ]);
  });

  it('says the same in its history, and never a sentence of the measure for all accounts together', async () => {
    await passAll([{ orders: { A: 2 } }, lost, { orders: { A: 2 } }, { orders: {} }]);
    expect(history.map(({ group: subject, state, sentence }) => [subject, state, sentence])).toEqual([
      ['A', 'firing', fired],
      ['', 'no data', 'Many orders cannot be evaluated. It timed out.'],
      ['', 'data again', 'Many orders can be evaluated; 1 account is firing: A.'],
      ['A', 'resolved', 'A: 0 working orders, not over 1.'],
    ]);
    expect(
      history.filter(({ group: subject, sentence }) => subject === '' && sentence.startsWith('Working orders')),
    ).toEqual([]);
  });

  it('keeps what was acknowledged of what fires, not of what had no data', async () => {
    await passAll([{ orders: { A: 1 }, complete: false }]);
    const missing = board.find('each', 'A');
    expect(missing?.state.status).toBe('no data');
    if (missing !== undefined) board.set(missing, { ...missing.state, acknowledged: { by: 'ann', at: now, note: '' } });
    expect(await pass({ orders: { A: 2 } })).toEqual([fired]);
    expect(board.find('each', 'A')?.state.acknowledged).toBeNull();
    const firing = board.find('each', 'A');
    if (firing !== undefined) board.set(firing, { ...firing.state, acknowledged: { by: 'ann', at: now, note: '' } });
    await passAll([lost, { orders: { A: 2 } }]);
    expect(board.find('each', 'A')?.state.acknowledged).toMatchObject({ by: 'ann' });
  });
});

describe('of a rule for all orders together', () => {
  const fired = '2 working orders, over 1.';
  const noData = 'No data: All orders cannot be evaluated. It timed out.';

  it.each<readonly [string, readonly (readonly [Moment, readonly string[]])[]]>([
    [
      'fires, has no data, and fires again',
      [
        [all(2), [fired]],
        [all(null), [noData]],
        [all(2), [fired]],
        [all(1), ['Resolved: 1 working order, not over 1.']],
      ],
    ],
    [
      'fires, has no data, and is resolved',
      [
        [all(2), [fired]],
        [all(null), [noData]],
        [all(1), ['Resolved: 1 working order, not over 1.']],
      ],
    ],
    [
      'has no data, and then does not hold',
      [
        [all(null), [noData]],
        [all(1), ['Data again: All orders can be evaluated; nothing is firing. 1 working order, not over 1.']],
      ],
    ],
    [
      'has no data, and then fires',
      [
        [all(null), [noData]],
        [all(2), [fired]],
      ],
    ],
    [
      'was pending, and is not any more',
      [
        [slow(2), []],
        [slow(1), []],
      ],
    ],
    [
      'was pending, loses its data, and is pending anew',
      [
        [slow(2), []],
        [slow(null), []],
        [slow(2), []],
        [slow(2), []],
        [slow(2), ['2 working orders, over 1.']],
      ],
    ],
    [
      'has no data, and is pending once they are back',
      [
        [slow(null), []],
        [slow(null), []],
        [slow(null), ['No data: Slow cannot be evaluated. It timed out.']],
        [slow(2), ['Data again: Slow can be evaluated; nothing is firing yet. 2 working orders, over 1.']],
        [slow(2), []],
        [slow(2), ['2 working orders, over 1.']],
        [slow(1), ['Resolved: 1 working order, not over 1.']],
      ],
    ],
  ])('%s', async (_, steps) => {
    expect(await passAll(steps.map(([moment]) => moment))).toEqual(steps.map(([, lines]) => lines));
  });

  it('calls each of them by a key of its own, so that none is taken for one that was sent before', async () => {
    await passAll([all(2), all(null), all(2), all(null), all(2), all(1)]);
    expect(called.map(({ state }) => state)).toEqual(['firing', 'no data', 'firing', 'no data', 'firing', 'resolved']);
    expect(new Set(called.map(({ key }) => key)).size).toBe(6);
  });
});

describe('in an outage', () => {
  const rules = [EACH, AWAY];
  const fired = 'A: 2 working orders, over 1.';
  const away = { orders: null, contact: 'away', rules } as const;

  it('only the outage is called, and what fired before it fires on', async () => {
    expect(await passAll([{ orders: { A: 2 }, rules }, away, away, { orders: { A: 2 }, rules }])).toEqual([
      [fired],
      ['Exchange unreachable. It timed out.'],
      [],
      ['Resolved: Exchange unreachable: no.'],
    ]);
  });

  it('what has no data while the outage may still be found is not called before it', async () => {
    const doubtful = { orders: null, contact: 'in doubt', rules } as const;
    expect(await passAll([{ orders: { A: 2 }, rules }, doubtful, doubtful, away, { orders: { A: 2 }, rules }])).toEqual(
      [[fired], [], [], ['Exchange unreachable. It timed out.'], ['Resolved: Exchange unreachable: no.']],
    );
  });

  it('what has no data although the exchange answers is called', async () => {
    expect(
      await passAll([
        { orders: null, contact: 'in doubt', rules },
        { orders: null, rules },
      ]),
    ).toEqual([[], ['No data: Many orders cannot be evaluated. It timed out.']]);
  });

  it('where no rule is about an outage, nothing waits for one', async () => {
    expect(await passAll([{ orders: null, contact: 'in doubt' }])).toEqual([
      ['No data: Many orders cannot be evaluated. It timed out.'],
    ]);
  });

  it('what has still no data a while after the outage is called', async () => {
    expect(await passAll([away, { orders: null, rules }, { orders: null, rules }])).toEqual([
      ['Exchange unreachable. It timed out.'],
      ['Resolved: Exchange unreachable: no.'],
      ['No data: Many orders cannot be evaluated. It timed out.'],
    ]);
  });
});
