import type { Day } from '#contract/day.ts';
import type { Instant } from '#contract/instant.ts';
import { toPeriodStart, type Period } from './bars.ts';
import { firstDayOf, toRange, type RangeName } from './session.ts';

/** A range of session dates as a reader chooses it: one with a name, or any other. */
export type ChosenRange = { readonly name: string } | { readonly from: string; readonly to: string | null };

/** What the venue is asked for. */
export interface AskedRange {
  readonly begin_time: Instant;
  readonly end_time?: Instant;
}

/** Begins with the whole of the bar that the first day is in: a part of a week or month would pass for all of it. */
export function toAskedRange(range: ChosenRange, today: Day, period: Period): AskedRange {
  const [first, last] = 'from' in range ? [range.from as Day, (range.to ?? undefined) as Day | undefined] : [firstDayOf(range.name as RangeName, today)];
  return toRange(toPeriodStart(first, period), last);
}
