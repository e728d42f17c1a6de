import { expect, test } from 'vitest';
import { createRuleData } from './rule-data.ts';

const CONFLICT = { order_id: '7', reason: 'Order 7: account_id was "HALC-110" and is now "NORD-105".' };

test.each(['in doubt', 'contradicted'])('rules about orders name no orders of others while a drop is %s', (state) => {
  const unproven = ['1,204 orders are no longer listed.', 'More than 10,000 orders match product_id=7.'];
  const drop = { state, orders: 1_204, working: 30 };
  const text = JSON.stringify({ complete: false, unproven, drop, conflicts: [CONFLICT], orders: [] });
  const data = createRuleData({
    readings: {
      find: () => ({ text, respondedAt: 0 }),
      ageOf: () => 0,
      isTried: () => false,
      hasFailed: () => false,
    },
    activity: () => ({ missing: '' }),
    desk: () => ({ budget: null, away: null, contact: { isInDoubt: false, lastResponseAt: 0 }, drift: [] }),
    aheadMs: () => 0,
    testOf: () => () => true,
    yield: () => Promise.resolve(),
  }).at(0);
  expect(data.working).toEqual({ missing: 'The working set is not proven complete.' });
  // Only those who may see all orders may see the rule about this.
  expect(data.desk.unproven).toEqual([...unproven, CONFLICT.reason]);
});
