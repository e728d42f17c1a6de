import type { Day } from '#contract/day.ts';
import type { Instant } from '#contract/instant.ts';
import { toCustomRange, toRange, type RangeName } from './session.ts';

/** A range of session dates as a reader chooses it: one with a name, or any other. */
export type ChosenRange = { readonly name: string } | { readonly from: string; readonly to: string | null };

/** What the venue is asked for. */
export interface AskedRange {
  readonly begin_time: Instant;
  readonly end_time?: Instant;
}

export function toAskedRange(range: ChosenRange, today: Day): AskedRange {
  if ('from' in range) return toCustomRange(range.from as Day, (range.to ?? undefined) as Day | undefined);
  return toRange(range.name as RangeName, today);
}
