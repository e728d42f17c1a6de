import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareInstants, type Day, type Instant } from '#contract/exchange/instant.ts';
import { isActive } from './is-active.ts';
import { addDays, hourThere, toDay, toMillis } from '../time/session.ts';
import { countOf } from '../format/count.ts';
import { formatDay } from '../format/format-time.ts';

/** When a product expires, and how soon. */
interface Expiry {
  /** The time of the final settlement. */
  readonly at: Instant;
  /** The day of the final settlement by the exchange's calendar, which is the last trading day. */
  readonly day: Day;
  /** Milliseconds from now until the final settlement, negative after it; null if the exchange's time is unknown. */
  readonly msLeft: number | null;
}

/**
 * Returns null for a perpetual, even if a time is published, and where no time is published. `now` is by the exchange's
 * clock; null: unknown.
 */
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
/** With fewer days left, hours are counted, because each hour costs an option time value. */
const DAYS_IN_HOURS = 3;
const SOON_DAYS = 7;

/**
 * Returns whether the product expires within a number of days (a week by default), counted as days are shown. False
 * after expiry.
 */
export function isSoon(expiry: Expiry | null, days = SOON_DAYS): expiry is Expiry & { readonly msLeft: number } {
  const left = expiry?.msLeft ?? -1;
  return left >= 0 && toDaysLeft(left) <= days;
}

/** Counts whole periods of 24 hours. */
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

/**
 * Formats an expiry in UTC for every reader, because local days begin at other hours: `tomorrow, 27 Nov 2026, 22:00
 * UTC`.
 */
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

/** Finds the active product that expires first; null if none does. `now` is by the exchange's clock; null: unknown. */
export function findNextExpiry(products: readonly DeskProduct[], now: number | null): DeskProduct | null {
  const dated = products.filter(isActive).flatMap((product): (readonly [DeskProduct, Expiry])[] => {
    const expiry = toExpiry(product, now);
    return expiry === null || (expiry.msLeft ?? 0) < 0 ? [] : [[product, expiry]];
  });
  const [first] = dated.sort(([, a], [, b]) => compareInstants(a.at, b.at));
  return first?.[0] ?? null;
}

/** UTC hour of midnight in Chicago in summer; in winter it is an hour later. */
const BEGINS_FROM_UTC = 5;
const NOON = 12;

/**
 * Returns the day by the exchange's calendar, which begins at midnight in Chicago.
 *
 * @internal Exported for its test.
 */
export function exchangeDayOf(epochMillis: number): Day {
  const hour = new Date(epochMillis).getUTCHours();
  const hasBegun = hour === BEGINS_FROM_UTC ? hourThere(epochMillis) < NOON : hour > BEGINS_FROM_UTC;
  return addDays(toDay(epochMillis), hasBegun ? 0 : -1);
}
