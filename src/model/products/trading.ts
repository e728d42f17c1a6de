import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { addDays, hourThere, sessionOf, toMillis } from '../time/session.ts';

/** Whether a product trades now, by its published times. Holidays are not published. */
export type Trading =
  | { readonly isOpen: true }
  /** `opensAt`: when its next session opens, in epoch milliseconds; null if there is none. */
  | { readonly isOpen: false; readonly opensAt: number | null };

type Hours = Pick<DeskProduct, 'type' | 'daily_open_time' | 'daily_settle_time' | 'final_settle_time'>;

const CLOCK = /^\d\d:\d\d/;

/** Returns null for a product without published times. `now` is by the exchange's clock. */
export function findTrading(product: Hours, now: number): Trading | null {
  const { type, daily_open_time: from = '', daily_settle_time: to = '', final_settle_time: end } = product;
  const [opens, settles] = [CLOCK.exec(from)?.[0], CLOCK.exec(to)?.[0]];
  if (opens === undefined || settles === undefined) return null;
  const session = sessionOf(now, { everyDay: type === 'perpetual' });
  // A session that opens no earlier in the day than it settles begins on the evening before.
  const opensAt = toEpoch(opens < settles ? session : addDays(session, -1), opens);
  const endsAt = type === 'perpetual' || end === undefined ? Infinity : toMillis(end);
  if (Math.max(now, opensAt) >= endsAt) return { isOpen: false, opensAt: null };
  return now < opensAt ? { isOpen: false, opensAt } : { isOpen: true };
}

const HOUR_MS = 3_600_000;
/** Chicago is this far behind UTC in winter, and an hour less in summer. */
const BEHIND_MS = 6 * HOUR_MS;

/** Converts a time of day in Chicago. */
function toEpoch(day: Day, clock: string): number {
  const inWinter = Date.parse(`${day}T${clock}Z`) + BEHIND_MS;
  return hourThere(inWinter) === Number(clock.slice(0, 2)) ? inWinter : inWinter - HOUR_MS;
}

/** `Mon 01:00`, in UTC. The next session is never more than some days away. */
export function formatOpening(opensAt: number): string {
  const text = new Date(opensAt).toUTCString();
  return `${text.slice(0, 'Mon'.length)} ${text.slice('Mon, 30 Nov 2026 '.length, 'Mon, 30 Nov 2026 01:00'.length)}`;
}
