import { expect, it } from 'vitest';
import type { OrdersRule } from '#contract/desk/rules.ts';
import { NO_EVIDENCE } from '#model/rules/readings.ts';
import { Decimal } from '#model/units/decimal.ts';
import { createSealedCursors } from '#server/core/sealed-texts.ts';
import type { Scope } from '#server/core/viewer.ts';
import { createAlertBoard } from './alert-board.ts';
import { describeAlerts, describeHistory } from './describe-alerts.ts';

const RULE: OrdersRule = {
  ...{ id: 'r', name: 'Far orders', enabled: true, severity: 'warning', channels: [], for_seconds: 0 },
  ...{
    about: 'orders',
    measure: 'distance',
    filter: {},
    each: 'account',
    comparison: 'over',
    value: 1,
    unit: 'percent',
  },
};
const FIRING = { group: 'A', holds: true, value: new Decimal(2).div(3), because: null, evidence: NO_EVIDENCE };

function start() {
  const board = createAlertBoard();
  return {
    board,
    read: () => {
      const now = {
        board,
        rules: [RULE],
        silences: [],
        evaluates: true,
        evaluatedAt: 9_000,
        now: 9_000,
        shiftNote: null,
        holidays: null,
      };
      return JSON.parse(describeAlerts({ ...now, scope: 'all' })) as {
        readonly alerts: readonly Readonly<Record<string, unknown>>[];
        readonly rule_states: readonly unknown[];
      };
    },
  };
}

it('values have at most twelve fraction digits', () => {
  const { board, read } = start();
  board.take(RULE, [FIRING], 1_000);
  expect(read().alerts).toMatchObject([{ group: 'A', state: 'firing', value: '0.666666666667' }]);
});

it('what fires for an account has no data as long as its rule cannot be evaluated, and fires on afterwards', () => {
  const { board, read } = start();
  board.take(RULE, [FIRING], 1_000);
  board.take(RULE, { missing: 'It timed out.' }, 2_000);
  expect(read()).toMatchObject({
    rule_states: [{ state: 'no data' }],
    alerts: [
      { group: 'A', state: 'no data', since: '1970-01-01T00:00:02.000Z', value: null },
      { group: '', state: 'no data', since: '1970-01-01T00:00:02.000Z' },
    ],
  });
  board.take(RULE, [FIRING], 3_000);
  expect(read().alerts[0]).toMatchObject({ group: 'A', state: 'firing', since: '1970-01-01T00:00:01.000Z' });
});

it.each([
  [
    'Far orders cannot be evaluated. 1,204 orders no longer listed, being checked. Order 7: side was "Bid".',
    'Far orders cannot be evaluated for A. The working set is not proven complete.',
  ],
  [
    'Far orders cannot be evaluated. The order history has 30 working orders that are not listed. Of all, 40.',
    'Far orders cannot be evaluated for A. The working set is not proven complete.',
  ],
  ['Far: 2%. 1,204 orders could not be read.', 'Far: 2%. Some orders could not be read.'],
  ['Far orders cannot be evaluated. It timed out.', 'Far orders cannot be evaluated. It timed out.'],
])('history of earlier versions hides the orders of others from those who may not see them: %s', async (was, is) => {
  const rule = { ...RULE, filter: { account_id: 'A' } };
  const row = '{"id":"1","account_id":"A","price":1.50}';
  const head = JSON.stringify({ at: '2026-01-01T00:00:00.000Z', rule_id: 'r', group: 'A', sentence: was });
  const body = `${head.slice(0, -1)},"evidence":{"orders":[${row}]}}`;
  const store = {
    alertChanges: () => Promise.resolve({ changes: [{ number: 1, body }], hasMore: false }),
    ruleChanges: () => Promise.resolve([]),
  };
  const read = (scope: Scope): Promise<string> =>
    describeHistory({ store, rules: { all: () => [rule] }, cursors: createSealedCursors('s') }, [], {
      scope,
      entitlement: 'A',
    });
  const own = { accounts: new Set(['A']), firms: new Set<string>(), connections: new Set<string>() };
  const toText = (sentence: string): string =>
    `{"changes":[${body.replace(JSON.stringify(was), JSON.stringify(sentence))}],"pagination":{}}`;
  expect([await read('all'), await read(own)]).toEqual([toText(was), toText(is)]);
});
