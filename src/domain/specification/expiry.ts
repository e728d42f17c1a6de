import type { Day } from '#contract/day.ts';
import type { DeskProduct } from '#contract/desk.ts';
import type { Instant } from '#contract/instant.ts';
import { countOf } from '../format/count.ts';
import { countDays } from '../time/calendar.ts';
import { exchangeDayOf } from '../time/exchange-day.ts';
import { toMillis } from '../time/session.ts';

/** When a product expires, and how soon. */
export interface Expiry {
  /** The time of the final settlement. */
  readonly at: Instant;
  /** Its day by the exchange's calendar: the last trading day. */
  readonly day: Day;
  /** Days of that calendar until then: 0 on the last one, negative after it. Null: the exchange's time is unknown. */
  readonly daysLeft: number | null;
}

/** Null for what never expires, whatever is published, and where no time is published. `today` is the exchange's; null: unknown. */
export function toExpiry({ type, final_settle_time: at }: Pick<DeskProduct, 'type' | 'final_settle_time'>, today: Day | null): Expiry | null {
  if (at === undefined || type === 'perpetual') return null;
  const day = exchangeDayOf(toMillis(at));
  return { at, day, daysLeft: today && countDays(today, day) };
}

const SOON_DAYS = 7;

/** Whether it expires today or within a number of days, by default a week; not once it has. */
export function isSoon(expiry: Expiry | null, days = SOON_DAYS): expiry is Expiry & { readonly daysLeft: number } {
  const left = expiry?.daysLeft ?? -1;
  return left >= 0 && left <= days;
}

/** `in 2 days`, `today`, `2 days ago`. */
export function describeDaysLeft(days: number): string {
  if (days === 0) return 'today';
  const count = countOf(Math.abs(days), 'day');
  return days > 0 ? `in ${count}` : `${count} ago`;
}
