import type { Rule } from '#contract/desk/rules.ts';
import { toKnownAge } from '../orders/order-row.ts';
import type { ActivityReading, WorkingReading } from './readings.ts';

interface PastData {
  readonly now: number;
  readonly working: WorkingReading;
  readonly activity: ActivityReading;
}

/** When time alone may change what a rule says, as where an order gets too old or leaves a window; Infinity: never. */
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
  if (rule.about !== 'orders' || rule.measure !== 'oldest_age') return [];
  const limitMs = rule.value * 1_000;
  return rows.flatMap(({ order }) => {
    const { from: accepted, knownFrom } = toKnownAge(order);
    return [knownFrom, Math.floor(accepted + limitMs) + 1];
  });
}
