import { beforeEach, describe, expect, it } from 'vitest';
import type { OrdersRule } from '#contract/desk/rules.ts';
import { NO_EVIDENCE } from '#model/rules/readings.ts';
import { Decimal } from '#model/units/decimal.ts';
import { addressed } from '#testing/notifications/sample-events.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { AlertEvent } from '../notifications/notification.ts';
import type { ReturnedOrder } from '#server/journal/gone-orders.ts';
import type { CurrentAlert } from './alert-board.ts';
import type { AlertState } from './alert-state.ts';
import { type Corrections, createCorrections } from './rule-engine.ts';

const RULE: OrdersRule = {
  id: 'many',
  name: 'Many orders',
  enabled: true,
  severity: 'warning',
  channels: ['desk'],
  for_seconds: 0,
  about: 'orders',
  measure: 'count',
  filter: {},
  each: 'account',
  comparison: 'over',
  value: 20,
  unit: 'orders',
};
const GROUP = 'NORD-105';

function toEvent(state: AlertEvent['state'], at: number): AlertEvent {
  return {
    key: `${state} ${String(at)}`,
    ruleId: RULE.id,
    ruleName: RULE.name,
    severity: 'warning',
    group: GROUP,
    state,
    at,
    startedAt: 0,
    sentence: '',
    path: '/rules',
  };
}

function toReturned(id: string, account: string): ReturnedOrder {
  const row = JSON.stringify({ ...sampleResponses.ordersWorking[0], id, account_id: account });
  return { row, before: row, goneAt: 10_000, at: 30_000 };
}

function alertOf(
  holds: boolean | null,
  status: AlertState['status'] = holds === false ? 'resolved' : 'firing',
): () => CurrentAlert {
  const state = {
    status,
    since: 0,
    startedAt: 0,
    firedBefore: false,
    called: null,
    turns: [],
    calmSince: null,
    acknowledged: null,
  } as const;
  return () => ({
    rule: RULE,
    group: GROUP,
    state,
    missing: null,
    reading: { group: GROUP, holds, value: new Decimal(33), because: null, evidence: NO_EVIDENCE },
  });
}

let returned: readonly ReturnedOrder[];
let corrections: Corrections;

beforeEach(() => {
  returned = [toReturned('1', GROUP), toReturned('2', GROUP), toReturned('3', 'NORD-101')];
  corrections = createCorrections({ returned: () => returned, testOf: () => () => true });
});

describe('a call that rested on a list without orders that are working', () => {
  it('is corrected once, if it is not so any more with the orders', () => {
    corrections.note(addressed([toEvent('resolved', 15_000)], ['desk']));
    const found = corrections.find(RULE, alertOf(true), 31_000);
    expect(found).toMatchObject([
      {
        channels: ['desk'],
        event: {
          state: 'corrected',
          at: 31_000,
          group: GROUP,
          startedAt: 0,
          sentence: 'NORD-105: 33 working orders, over 20. 2 orders missing from an incomplete list are listed again.',
        },
      },
    ]);
    expect(corrections.find(RULE, alertOf(true), 32_000)).toEqual([]);
    corrections.note(addressed([toEvent('firing', 15_000)], ['desk']));
    // A flapping alert fires on.
    expect(corrections.find(RULE, alertOf(false, 'firing'), 31_000)).toEqual([]);
    expect(corrections.find(RULE, alertOf(false), 31_000)).toHaveLength(1);
  });

  it('is not, where it is so all the same, or nothing is known', () => {
    corrections.note(addressed([toEvent('resolved', 15_000), toEvent('firing', 16_000)], ['desk']));
    expect(corrections.find(RULE, alertOf(null), 31_000)).toEqual([]);
    corrections = createCorrections({ returned: () => returned, testOf: () => () => true });
    corrections.note(addressed([toEvent('resolved', 15_000)], ['desk']));
    expect(corrections.find(RULE, alertOf(false), 31_000)).toEqual([]);
    expect(corrections.find(RULE, () => undefined, 31_000)).toEqual([]);
  });

  it.each([
    ['was made before they were missing', 9_999, 31_000],
    ['was made once they were listed again', 30_001, 31_000],
    ['is contradicted by something later', 15_000, 91_000],
  ])('is another one, where it %s', (_, at, now) => {
    corrections.note(addressed([toEvent('resolved', at)], ['desk']));
    expect(corrections.find(RULE, alertOf(true), now)).toEqual([]);
  });

  it('is another one, where the rule is not about these orders', () => {
    returned = [toReturned('3', 'NORD-101')];
    corrections.note(addressed([toEvent('resolved', 15_000), toEvent('no data', 15_000)], ['desk']));
    expect(corrections.find(RULE, alertOf(true), 31_000)).toEqual([]);
  });
});
