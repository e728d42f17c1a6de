import type { ActivityRule, Rule } from '#contract/desk/rules.ts';
import { toKnownAge } from '../orders/order-row.ts';
import {
  type ActivityReading,
  type Evaluation,
  isMissing,
  judge,
  type Missing,
  type WorkingReading,
} from './readings.ts';
import { Decimal } from '../units/decimal.ts';
import type { CountedEvents, CountEvents } from './count-events.ts';
import { addLasting, subjectOf, type OrderTest } from './rule-subjects.ts';

interface ActivityData {
  readonly now: number;
  readonly activity: ActivityReading | Missing;
  readonly working: WorkingReading | Missing;
}

/** Evaluates an activity rule. Remembered subjects are reported even if nothing happens to their orders. */
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
  // If orders are not read, it cannot be known that nothing happens to them.
  if (isMissing(working)) return working;
  const from = toBegin(rule, activity, now);
  const unseen = describeUnseen(activity, now, from);
  const subjects = addLasting(
    withQuietSubjects(count(activity.events, now, from), rule, working, test),
    rule,
    remembered,
    NO_EVENTS,
  );
  return [...subjects].map(([subject, { total, newest }]) => {
    const value = new Decimal(total);
    return {
      group: subject,
      value,
      holds: judge(value, rule, unseen === null ? 'exact' : 'least'),
      because: unseen,
      evidence: { total, orders: newest.map(({ order }) => order), products: [] },
    };
  });
}

/** Clocks are regularly corrected by less than this. */
const SET_BACK_MS = 60_000;

/** Events are kept for so much longer than the window: what is known even later counts as unknown. */
export const LONGEST_LAG_MS = 600_000;

/**
 * Returns when the window begins. That nothing happened is only known up to the last look, so a rule about too few
 * events looks as far back from there.
 */
function toBegin(
  { comparison, window_seconds: seconds }: ActivityRule,
  { knownTo }: ActivityReading,
  now: number,
): number {
  const end = comparison === 'under' ? Math.min(now, knownTo) : now;
  return end - seconds * 1_000;
}

/** Describes why there may have been more events than are known. */
function describeUnseen({ from: knownFrom, to, gaps }: ActivityReading, now: number, from: number): string | null {
  if (to - now > SET_BACK_MS) return 'The clock was set back: the journal is ahead of it.';
  if (knownFrom > from) return 'The journal does not reach back to the beginning of the window.';
  return gaps.some((gap) => gap.to > from) ? 'The journal has a gap in the window.' : null;
}

/** A subject whose orders had no events still has orders that could have had some. */
function withQuietSubjects(
  subjects: ReadonlyMap<string, CountedEvents>,
  { each }: ActivityRule,
  working: WorkingReading,
  test: OrderTest,
): ReadonlyMap<string, CountedEvents> {
  if (each === 'all') return subjects;
  const all = new Map(subjects);
  for (const { order } of working.rows) {
    const subject = subjectOf(order, each);
    if (!all.has(subject) && test(order)) all.set(subject, NO_EVENTS);
  }
  return all;
}

const NO_EVENTS: CountedEvents = { total: 0, newest: [] };

interface PastData {
  readonly now: number;
  readonly working: WorkingReading;
  readonly activity: ActivityReading;
}

/**
 * Finds when time alone may next change a rule's result, for example because an order gets too old or leaves a window;
 * Infinity: never.
 */
export function findNextInstant(rule: Rule, { now, working, activity }: PastData): number {
  return listInstants(rule, working, activity).reduce(
    (first, instant) => (instant > now && instant < first ? instant : first),
    Infinity,
  );
}

function listInstants(
  rule: Rule,
  { rows }: WorkingReading,
  { events, from, gaps }: ActivityReading,
): readonly number[] {
  if (rule.about === 'activity') {
    const windowMs = rule.window_seconds * 1_000;
    return [from, ...gaps.map(({ to }) => to), ...events.map(({ at }) => at)].map((instant) => instant + windowMs);
  }
  if (rule.about !== 'orders') return [];
  const { age_over_seconds: age } = rule.filter;
  const limits = [...(rule.measure === 'oldest_age' ? [rule.value] : []), ...(age === undefined ? [] : [age])];
  if (limits.length === 0) return [];
  return rows.flatMap(({ order }) => {
    const { from: accepted, knownFrom } = toKnownAge(order);
    return [knownFrom, ...limits.map((seconds) => Math.floor(accepted + seconds * 1_000) + 1)];
  });
}
