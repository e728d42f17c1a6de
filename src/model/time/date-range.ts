import type { Day } from '#contract/exchange/day.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { addDays, addMonths } from './calendar.ts';
import { toPeriodStart, type Period } from './period.ts';

/** The named ranges of a chart. */
export const RANGE_NAMES = ['1M', '3M', '6M', '1Y', 'All'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];

const MONTHS: Readonly<Record<Exclude<RangeName, 'All'>, number>> = { '1M': 1, '3M': 3, '6M': 6, '1Y': 12 };
/** Older than the exchange. A Monday and the first of a month, so that bars of every length have the same request. */
const BEGINNING = '2001-01-01' as Day;

/** A range of session dates as the user chose it: a named or a custom one. */
export type ChosenRange = { readonly name: string } | { readonly from: string; readonly to: string | null };

/** The time range of a request. */
export interface RequestedRange {
  readonly begin_time: Instant;
  readonly end_time?: Instant;
}

/** Begins with the whole bar of the first day: part of a week or month would look like all of it. */
export function toRequestedRange(range: ChosenRange, today: Day, period: Period): RequestedRange {
  const [first, last] =
    'from' in range
      ? [range.from as Day, (range.to ?? undefined) as Day | undefined]
      : [firstDayOf(range.name as RangeName, today)];
  return toRange(toPeriodStart(first, period), last);
}

/** The first day of a named range. */
export function firstDayOf(name: RangeName, today: Day): Day {
  return name === 'All' ? BEGINNING : addMonths(today, -MONTHS[name]);
}

/**
 * A range of session dates, inclusive; without an end up to now. Sessions settle in the afternoon of their date, so
 * midnight UTC includes the whole day.
 *
 * @internal Exported for its test.
 */
export function toRange(from: Day, to?: Day): RequestedRange {
  return { begin_time: toMidnight(from), ...(to && { end_time: toMidnight(addDays(to, 1)) }) };
}

function toMidnight(day: Day): Instant {
  return `${day}T00:00:00Z` as Instant;
}
