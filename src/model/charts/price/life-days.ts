import { type Day, isDay } from '#contract/exchange/instant.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toExpiry } from '../../products/expiry.ts';
import { type Period, toPeriodStart } from '../../time/date-range.ts';

/** What is marked in a chart, by the date of its bar. */
export type LifeDays = ReadonlyMap<Day, string>;

/** Returns the bars in which a dated product began to trade and settled for the last time; a perpetual has none. */
export function toLifeDays(product: DeskProduct | null, period: Period): LifeDays {
  const expiry = product === null ? null : toExpiry(product, null);
  const first = product?.first_trading_day;
  return new Map([
    ...(expiry === null || first === undefined || !isDay(first)
      ? []
      : [[toPeriodStart(first, period), 'first trading day'] as const]),
    ...(expiry === null ? [] : [[toPeriodStart(expiry.day, period), 'final settlement'] as const]),
  ]);
}
