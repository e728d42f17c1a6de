import type { FundingSeries } from '#domain/funding/funding-series.ts';
import { toWindow, type WindowMeasures } from '#domain/funding/funding-window.ts';
import { INTERVAL_MS } from '#domain/funding/interval-times.ts';

/** `12 of 90, new`: new is what was launched within so many days of now, not of a newest print that may be years old. */
export function toCoverageText({ prints, intervals, notListed, notRead }: WindowMeasures, { listedFrom }: Pick<FundingSeries, 'listedFrom'>, days: number, venueNow: number): string {
  const isNew = notListed > 0 && (listedFrom ?? -Infinity) > toWindow(days, venueNow).from;
  return [`${String(prints)} of ${String(intervals)}`, isNew && 'new', notRead > 0 && `${String(notRead)} not read`].filter((part) => part !== false).join(', ');
}

/** Whether the newest print is older than one that just waits for the next. */
export function isBrokenOff({ settledTo }: Pick<FundingSeries, 'settledTo'>, venueNow: number): boolean {
  return settledTo !== null && venueNow - settledTo > 2 * INTERVAL_MS;
}
