import { expect, it } from 'vitest';
import type { ActivityRule, OrdersRule } from '#contract/desk/rules.ts';
import type { TallyRequest } from '#server/journal/summary/tally.ts';
import { createKnownSubjects } from './rule-journal.ts';

const rule: ActivityRule = {
  id: 'silent',
  name: 'Silent',
  enabled: true,
  severity: 'warning',
  channels: [],
  for_seconds: 0,
  about: 'activity',
  measure: 'placed',
  window_seconds: 180,
  filter: {},
  each: 'account',
  comparison: 'under',
  value: 1,
  unit: 'orders',
};
const state = {
  from: 65_000,
  lastReading: { from: 0, to: 130_000, isComplete: true, isAfterGap: false },
  changes: 0,
  bytes: 0,
  maxBytes: 0,
};

it('knows who ever had an order by the journal, read once, and by what is noted since', async () => {
  const asked: Pick<TallyRequest, 'from' | 'to'>[] = [];
  const known = createKnownSubjects({
    state: () => state,
    activity: ({ from, to }) => {
      asked.push({ from, to });
      return Promise.resolve({
        buckets: new Map(),
        groups: [{ traits: ['OLD'], figures: new Float64Array(), lives: new Map() }],
      });
    },
  });
  await known.prepare([rule]);
  known.note(rule, ['NEW']);
  await known.prepare([rule]);
  expect(known.of(rule)).toEqual(['OLD', 'NEW']);
  expect(asked).toEqual([{ from: 60_000, to: 180_000 }]);
  // What the journal cannot evaluate is known only since the rule is evaluated.
  for (const some of [{ expression: 'order.side == "Bid"' }, { filter: { kinds: ['option' as const] } }]) {
    const narrow = { ...rule, ...some };
    await known.prepare([narrow]);
    expect(known.of(narrow)).toEqual([]);
    known.note(narrow, ['NEW']);
    expect(known.of(narrow)).toEqual(['NEW']);
  }
  const few: OrdersRule = {
    ...{ id: 'few', name: 'Few', enabled: true, severity: 'warning', channels: [], for_seconds: 0 },
    ...{
      about: 'orders',
      measure: 'count',
      filter: {},
      each: 'account',
      comparison: 'under',
      value: 1,
      unit: 'orders',
    },
  };
  await known.prepare([few]);
  expect(known.of(few)).toEqual(['OLD']);
  const many: OrdersRule = { ...few, comparison: 'over' };
  await known.prepare([many]);
  expect(known.of(many)).toEqual([]);
});

it('without a journal, knows what is noted', async () => {
  const known = createKnownSubjects({
    state: () => ({ ...state, from: null, lastReading: null }),
    activity: () => Promise.reject(new Error('There is none.')),
  });
  await known.prepare([rule]);
  expect(known.hasMatched(rule)).toBe(false);
  known.note(rule, ['A']);
  expect(known.hasMatched(rule)).toBe(true);
});
