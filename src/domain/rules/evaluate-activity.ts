import type { ActivityRule } from '#contract/desk-rules.ts';
import { Decimal } from '../units/decimal.ts';
import { groupOf, groupRows, type OrderTest } from './match-orders.ts';
import { isMissing, type ActivityReading, type Evaluation, type Missing, type OrderEvent, type WorkingReading } from './readings.ts';
import { judge } from './verdict.ts';

interface ActivityData {
  readonly now: number;
  readonly activity: ActivityReading | Missing;
  readonly working: WorkingReading | Missing;
}

const MOST_ROWS = 20;

export function evaluateActivity(rule: ActivityRule, { now, activity, working }: ActivityData, test: OrderTest): Evaluation {
  if (isMissing(activity)) return activity;
  // Where orders are not read, nobody knows that nothing happens to them.
  if (isMissing(working)) return working;
  const from = now - rule.window_seconds * 1_000;
  const found = activity.events.filter(({ kind, at, order }) => kind === rule.measure && at > from && at <= now && test(order));
  const unseen = describeUnseen(activity, from);
  return [...withQuietGroups(groupRows(found, ({ order }) => order, rule.each), rule, working, test)].map(([group, events]) => {
    const value = new Decimal(events.length);
    return {
      group,
      value,
      holds: judge(value, rule, unseen === null ? 'exact' : 'least'),
      because: unseen,
      evidence: { total: events.length, orders: events.slice(-MOST_ROWS).map(({ order }) => order), products: [] },
    };
  });
}

/** Why there may have been more than what is known. */
function describeUnseen({ from: knownFrom, gaps }: ActivityReading, from: number): string | null {
  if (knownFrom > from) return 'The journal does not reach back to the beginning of the window.';
  return gaps.some((gap) => gap.to > from) ? 'The journal has a gap in the window.' : null;
}

/** Where nothing happened to the orders of an owner, there are orders that it could have happened to. */
function withQuietGroups(
  groups: ReadonlyMap<string, readonly OrderEvent[]>,
  { each }: ActivityRule,
  working: WorkingReading,
  test: OrderTest,
): ReadonlyMap<string, readonly OrderEvent[]> {
  if (each === 'all') return groups;
  const all = new Map(groups);
  for (const { order } of working.rows) {
    const group = groupOf(order, each);
    if (!all.has(group) && test(order)) all.set(group, []);
  }
  return all;
}
