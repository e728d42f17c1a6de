import { beforeEach, describe, expect, it } from 'vitest';
import type { OrdersRule } from '#contract/desk/rules.ts';
import { MANY_ORDERS } from '#testing/rules/many-orders.ts';
import { advance, type AlertState } from './alert-state.ts';
import { findDue } from './due-notifications.ts';

const ESCALATING: OrdersRule = {
  ...MANY_ORDERS,
  escalate: [
    { after_seconds: 300, channels: ['night'] },
    { after_seconds: 900, channels: ['lead', 'chat'] },
  ],
};
const REPEATING: OrdersRule = { ...MANY_ORDERS, repeat_seconds: 600 };
const MINUTE_MS = 60_000;

let state: AlertState | null;
let now: number;

beforeEach(() => {
  [state, now] = [null, 0];
});

/** Evaluates a rule some minutes later. The state is stored and loaded in between, as at a restart. */
function pass(
  rule: OrdersRule,
  holds: boolean | null,
  { minutes = 1, isMuted = false }: { readonly minutes?: number; readonly isMuted?: boolean } = {},
): readonly string[] {
  now += minutes * MINUTE_MS;
  const stored = JSON.parse(JSON.stringify(state)) as AlertState | null;
  state = advance(stored, holds, now, rule.for_seconds * 1_000);
  if (state === null) return [];
  const { due, after } = findDue(rule, state, { now, isMuted, channels: rule.channels });
  state = after;
  return due.map(({ state: word, occasion, channels }) => `${word} (${occasion}): ${channels.join(', ')}`);
}

function acknowledge(): void {
  state = state && { ...state, acknowledged: { by: 'ann', at: now, note: '' } };
}

describe('a channel', () => {
  it('that was added while an alert fires is notified of it, and of its end', () => {
    expect(pass(MANY_ORDERS, true)).toEqual(['firing (change): ops']);
    const both = { ...MANY_ORDERS, channels: ['ops', 'night'] };
    expect(pass(both, true)).toEqual(['firing (addition): night']);
    expect(pass(both, true)).toEqual([]);
    expect(pass(both, false)).toEqual(['resolved (change): ops, night']);
  });

  it('that was removed while an alert fires is notified of that, and of nothing else', () => {
    expect(pass({ ...MANY_ORDERS, channels: ['ops', 'night'] }, true)).toEqual(['firing (change): ops, night']);
    expect(pass(MANY_ORDERS, true)).toEqual(['ended (removal): night']);
    expect(pass(MANY_ORDERS, false)).toEqual(['resolved (change): ops']);
  });

  it('that was removed when an alert was over already is notified that it is', () => {
    pass({ ...MANY_ORDERS, channels: ['ops', 'night'] }, true);
    expect(pass(MANY_ORDERS, false)).toEqual(['resolved (change): ops, night']);
  });

  it('that was notified of no data only is not notified that something is resolved', () => {
    expect(pass(MANY_ORDERS, null)).toEqual(['no data (change): ops']);
    expect(pass(MANY_ORDERS, true, { isMuted: true })).toEqual([]);
    expect(pass(MANY_ORDERS, false, { isMuted: true })).toEqual(['data again (change): ops']);
    expect(pass(MANY_ORDERS, true)).toEqual(['firing (change): ops']);
    expect(pass(MANY_ORDERS, null)).toEqual(['no data (change): ops']);
    expect(pass(MANY_ORDERS, false)).toEqual(['resolved (change): ops']);
  });

  it('is not notified again by a version that knows each channel', () => {
    pass(MANY_ORDERS, true);
    const { notified: _, ...stored } = state ?? expect.fail('no state');
    state = stored;
    expect(pass(MANY_ORDERS, true)).toEqual([]);
    expect(pass(MANY_ORDERS, false)).toEqual(['resolved (change): ops']);
  });
});

describe('an alert that is not acknowledged', () => {
  it('is escalated step by step, and its end goes to everyone who was notified', () => {
    expect(pass(ESCALATING, true)).toEqual(['firing (change): ops']);
    expect(pass(ESCALATING, true, { minutes: 4 })).toEqual([]);
    expect(pass(ESCALATING, true)).toEqual(['firing (escalation): night']);
    expect(pass(ESCALATING, true)).toEqual([]);
    expect(pass(ESCALATING, true, { minutes: 9 })).toEqual(['firing (escalation): lead, chat']);
    expect(pass(ESCALATING, false)).toEqual(['resolved (change): ops, night, lead, chat']);
    expect(pass(ESCALATING, true, { minutes: 60 })).toEqual(['firing (change): ops']);
  });

  it('is repeated until it is over', () => {
    expect(pass(REPEATING, true)).toEqual(['firing (change): ops']);
    expect(pass(REPEATING, true, { minutes: 9 })).toEqual([]);
    expect(pass(REPEATING, true)).toEqual(['firing (repetition): ops']);
    expect(pass(REPEATING, true)).toEqual([]);
    expect(pass(REPEATING, true, { minutes: 30 })).toEqual(['firing (repetition): ops']);
    expect(pass(REPEATING, false)).toEqual(['resolved (change): ops']);
    expect(pass(REPEATING, false, { minutes: 30 })).toEqual([]);
  });

  it('waits while it is muted, and is escalated from the first notification on', () => {
    expect(pass(ESCALATING, true, { isMuted: true })).toEqual([]);
    expect(pass(ESCALATING, true, { minutes: 60 })).toEqual(['firing (change): ops']);
    expect(pass(ESCALATING, true, { minutes: 5, isMuted: true })).toEqual([]);
    expect(pass(ESCALATING, true)).toEqual(['firing (escalation): night']);
  });
});

describe('an alert that was acknowledged', () => {
  it('is neither escalated nor repeated, and its end still goes to everyone who was notified', () => {
    const rule = { ...ESCALATING, repeat_seconds: 600 };
    pass(rule, true);
    expect(pass(rule, true, { minutes: 5 })).toEqual(['firing (escalation): night']);
    acknowledge();
    expect(pass(rule, true, { minutes: 60 })).toEqual([]);
    expect(pass(rule, false)).toEqual(['resolved (change): ops, night']);
  });
});
