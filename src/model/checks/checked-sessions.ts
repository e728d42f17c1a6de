import type { Day } from '#contract/exchange/day.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { addDays } from '../time/calendar.ts';
import { toTicksSettlement } from './price-evidence.ts';

/** Perpetuals and dated contracts settle on different days around a weekend, and open interest follows a day later. */
const MOST_SESSIONS = 4;
const OLDEST_DAYS = 7;

/**
 * The sessions whose product data checks can use: that of each product's last settlement, and that of its newest open
 * interest. Those of most products come first; products that no longer trade have none.
 */
export function findCheckedSessions(days: readonly VOIDataPoint[], data: readonly ProductData[]): readonly Day[] {
  const newest = new Map<unknown, Day>();
  for (const { productId, date, openInterest } of days) {
    if (openInterest !== null && date > (newest.get(productId) ?? '')) newest.set(productId, date);
  }
  const counts = new Map<Day, number>();
  for (const session of [...newest.values(), ...data.flatMap((row) => toTicksSettlement(row)?.session ?? [])])
    counts.set(session, (counts.get(session) ?? 0) + 1);
  const latest = [...counts.keys()].reduce<Day | null>(
    (last, session) => (last !== null && last > session ? last : session),
    null,
  );
  const recent = [...counts].filter(([session]) => latest !== null && session > addDays(latest, -OLDEST_DAYS));
  return recent
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_SESSIONS)
    .map(([session]) => session);
}
