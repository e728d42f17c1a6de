import type { Day, Instant } from '#contract/exchange/instant.ts';
import { addDays, addMonths, monthOf, weekOf } from './session.ts';

export const PERIODS = ['1D', '1W', '1M'] as const;
export type Period = (typeof PERIODS)[number];

/** Weeks and months are computed by Perpdesk, and the screen says so. */
export const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  '1D': 'Daily bars, as published',
  '1W': 'Weekly bars (Mon–Sun), built from daily sessions',
  '1M': 'Monthly bars, built from daily sessions',
};

/** Applies to bars longer than a session. */
export const COVERAGE_OF_BARS = 'First bar covers its whole period; the latest may not';

/** Labels for the date of a bar. */
export const BAR_DATE_LABELS: Readonly<Record<Period, string>> = { '1D': 'Session', '1W': 'Week of', '1M': 'Month of' };

/**
 * Returns the date of the bar that a session belongs to: its own date, the Monday of its week or the first of its
 * month.
 */
export function toPeriodStart(day: Day, period: Period): Day {
  if (period === '1D') return day;
  return period === '1W' ? weekOf(day) : monthOf(day);
}

/** The named ranges of a chart. */
export const RANGE_NAMES = ['1M', '3M', '6M', '1Y', 'All'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];

const MONTHS: Readonly<Record<Exclude<RangeName, 'All'>, number>> = { '1M': 1, '3M': 3, '6M': 6, '1Y': 12 };
/**
 * Before the exchange existed. A Monday and the first of a month, so that bars of every length make the same request.
 */
const BEGINNING = '2001-01-01' as Day;

/** A range of session dates chosen by the user: named or custom. */
export type ChosenRange = { readonly name: string } | { readonly from: string; readonly to: string | null };

/** The time range of a request. */
export interface RequestedRange {
  readonly begin_time: Instant;
  readonly end_time?: Instant;
}

/** Starts at the whole bar of the first day, because part of a week or month would look like all of it. */
export function toRequestedRange(range: ChosenRange, today: Day, period: Period): RequestedRange {
  const [first, last] =
    'from' in range
      ? [range.from as Day, (range.to ?? undefined) as Day | undefined]
      : [firstDayOf(range.name as RangeName, today)];
  return toRange(toPeriodStart(first, period), last);
}

/** Returns the first day of a named range. */
export function firstDayOf(name: RangeName, today: Day): Day {
  return name === 'All' ? BEGINNING : addMonths(today, -MONTHS[name]);
}

/**
 * Converts a range of session dates, inclusive, to a time range; without an end, up to now. Sessions settle in the
 * afternoon of their date, so midnight UTC includes the whole day.
 *
 * @internal Exported for its test.
 */
export function toRange(from: Day, to?: Day): RequestedRange {
  return { begin_time: toMidnight(from), ...(to && { end_time: toMidnight(addDays(to, 1)) }) };
}

function toMidnight(day: Day): Instant {
  return `${day}T00:00:00Z` as Instant;
}
