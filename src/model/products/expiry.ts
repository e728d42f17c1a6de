import type { Day } from '#contract/exchange/day.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { countOf } from '../format/count.ts';
import { formatDay } from '../format/day.ts';
import { addDays, toDay } from '../time/calendar.ts';
import { exchangeDayOf } from '../time/exchange-day.ts';
import { toMillis } from '../time/session.ts';

/** When a product expires, and how soon. */
export interface Expiry {
  /** The time of the final settlement. */
  readonly at: Instant;
  /** Its day by the exchange's calendar: the last trading day. */
  readonly day: Day;
  /** Milliseconds from now until then, negative after it. Null: the exchange's time is unknown. */
  readonly msLeft: number | null;
}

/** Null for what never expires, whatever is published, and where no time is published. `now` is the exchange's; null: unknown. */
export function toExpiry(
  { type, final_settle_time: at }: Pick<DeskProduct, 'type' | 'final_settle_time'>,
  now: number | null,
): Expiry | null {
  if (at === undefined || type === 'perpetual') return null;
  const time = toMillis(at);
  return { at, day: exchangeDayOf(time), msLeft: now === null ? null : time - now };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Under so many days, hours are counted: of an option, each of them costs time value. */
const DAYS_IN_HOURS = 3;
const SOON_DAYS = 7;

/** Whether it expires within a number of days, by default a week, as days are shown; not once it has. */
export function isSoon(expiry: Expiry | null, days = SOON_DAYS): expiry is Expiry & { readonly msLeft: number } {
  const left = expiry?.msLeft ?? -1;
  return left >= 0 && toDaysLeft(left) <= days;
}

/** Periods of 24 hours; what is left over is no day. */
export function toDaysLeft(msLeft: number): number {
  return Math.floor(msLeft / DAY_MS);
}

export function toHoursLeft(msLeft: number): number {
  return Math.floor(msLeft / HOUR_MS);
}

/** `29 days`, `40 h`, `12 min`, `past`. */
export function formatTimeLeft(msLeft: number): string {
  if (msLeft < 0) return 'past';
  if (msLeft < HOUR_MS) return `${String(Math.floor(msLeft / MINUTE_MS))} min`;
  return isInHours(msLeft) ? `${String(toHoursLeft(msLeft))} h` : countOf(toDaysLeft(msLeft), 'day');
}

export function isInHours(msLeft: number): boolean {
  return msLeft < DAYS_IN_HOURS * DAY_MS;
}

/** `in 29 days`, `in 40 h`, `2 days ago`. */
export function describeTimeLeft(msLeft: number): string {
  return msLeft < 0 ? `${formatTimeLeft(-msLeft)} ago` : `in ${formatTimeLeft(msLeft)}`;
}

/** `tomorrow, 27 Nov 2026, 22:00 UTC`: in UTC for every reader, whose own days may begin at another hour. */
export function formatExpiryTime({ at, msLeft }: Expiry): string {
  const time = toMillis(at);
  const [day, clock] = [
    toDay(time),
    new Date(time).toISOString().slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDThh:mm'.length),
  ];
  const today = msLeft === null ? null : toDay(time - msLeft);
  const word = today === null ? null : day === today ? 'today' : day === addDays(today, 1) ? 'tomorrow' : null;
  return `${word === null ? '' : `${word}, `}${formatDay(day)}, ${clock} UTC`;
}
