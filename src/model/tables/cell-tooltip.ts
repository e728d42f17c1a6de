import { describeOverdue, isOldTrade, type Overdue, toTradeAge } from '../time/overdue.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { formatCountdown, formatDuration } from '../format/format-time.ts';
import { formatMissing, NO_VALUE } from '../format/number.ts';
import type { Fact } from '../format/provenance.ts';

/** The explanation of a cell. */
export interface CellTooltip {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** Adds as the first fact why the figure is not current. Returns the same tooltip if it is. */
export function withReason(tooltip: CellTooltip | null, name: string, notCurrent: string | null): CellTooltip | null {
  return tooltip === null || notCurrent === null
    ? tooltip
    : { ...tooltip, facts: [{ name, value: notCurrent }, ...tooltip.facts] };
}

/** Also the title of the notice. */
export const OVERDUE = 'Overdue';

/** Adds as the first fact that the figure is overdue. Returns the same tooltip if it is not. */
export function withOverdue(tooltip: CellTooltip | null, noun: string, overdue: Overdue | null): CellTooltip | null {
  return withReason(tooltip, OVERDUE, overdue && describeOverdue(noun, overdue));
}

/** Formats the age of a trade. Seconds would claim too much: a newer trade may have happened since the last read. */
export function formatTradeAge(seconds: number): string {
  return seconds < 60 ? '< 1 min' : formatDuration(seconds);
}

/** Returns `12 min ago`; null for a trade that is recent or dated in the future. */
export function describeOldTrade(at: Instant, venueNow: number): string | null {
  const age = toTradeAge(at, venueNow);
  return age === null || !isOldTrade(age) ? null : `${formatTradeAge(age)} ago`;
}

interface TimeToFunding {
  readonly secondsLeft: number;
  /** The interval ended so long ago that it says nothing about the next funding time. */
  readonly isOver: boolean;
  /** The interval ends later than the next funding time. */
  readonly isAhead: boolean;
}

/** Counts down to the funding time; null if the exchange names none. An interval that has just ended is settling. */
export function formatFundingCountdown(time: TimeToFunding | null, isPending = false): string {
  if (time?.isAhead === true) return NO_VALUE;
  if (time === null || time.isOver) return formatMissing(isPending);
  return time.secondsLeft > 0 ? formatCountdown(time.secondsLeft) : 'settling';
}
