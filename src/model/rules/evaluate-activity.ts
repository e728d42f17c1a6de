import type { ActivityRule } from '#contract/desk/rules.ts';
import { Decimal } from '../units/decimal.ts';
import type { CountedEvents, CountEvents } from './count-events.ts';
import { groupOf, type OrderTest } from './match-orders.ts';
import { isMissing, type ActivityReading, type Evaluation, type Missing, type WorkingReading } from './readings.ts';
import { addLasting } from './rule-groups.ts';
import { judge } from './verdict.ts';

interface ActivityData {
  readonly now: number;
  readonly activity: ActivityReading | Missing;
  readonly working: WorkingReading | Missing;
}

/** Of groups that are remembered it is said, too, that nothing happens to their orders. */
export function evaluateActivity(
  rule: ActivityRule,
  { now, activity, working }: ActivityData,
  subject: {
    readonly test: OrderTest;
    readonly count: CountEvents;
    readonly remembered?: readonly string[] | undefined;
  },
): Evaluation {
  const { test, count, remembered = [] } = subject;
  if (isMissing(activity)) return activity;
  // Where orders are not read, nobody knows that nothing happens to them.
  if (isMissing(working)) return working;
  const unseen = describeUnseen(activity, now, rule.window_seconds * 1_000);
  const groups = addLasting(
    withQuietGroups(count(activity.events, now), rule, working, test),
    rule,
    remembered,
    NO_EVENTS,
  );
  return [...groups].map(([group, { total, newest }]) => {
    const value = new Decimal(total);
    return {
      group,
      value,
      holds: judge(value, rule, unseen === null ? 'exact' : 'least'),
      because: unseen,
      evidence: { total, orders: newest.map(({ order }) => order), products: [] },
    };
  });
}

/** Clocks are corrected by less all the time. */
const SET_BACK_MS = 60_000;

/** Why there may have been more than what is known. */
function describeUnseen({ from: knownFrom, to, gaps }: ActivityReading, now: number, windowMs: number): string | null {
  const from = now - windowMs;
  if (to - now > SET_BACK_MS) return 'The clock was set back: the journal is ahead of it.';
  if (knownFrom > from) return 'The journal does not reach back to the beginning of the window.';
  return gaps.some((gap) => gap.to > from) ? 'The journal has a gap in the window.' : null;
}

/** Where nothing happened to the orders of an owner, there are orders that it could have happened to. */
function withQuietGroups(
  groups: ReadonlyMap<string, CountedEvents>,
  { each }: ActivityRule,
  working: WorkingReading,
  test: OrderTest,
): ReadonlyMap<string, CountedEvents> {
  if (each === 'all') return groups;
  const all = new Map(groups);
  for (const { order } of working.rows) {
    const group = groupOf(order, each);
    if (!all.has(group) && test(order)) all.set(group, NO_EVENTS);
  }
  return all;
}

const NO_EVENTS: CountedEvents = { total: 0, newest: [] };
