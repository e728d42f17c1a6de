import { NO_VALUE } from '../../format/number.ts';
import { toIntervalProgress, type IntervalProgress } from '../../funding/funding-rate.ts';
import { formatFundingCountdown, formatMissing } from '../funding-countdown.ts';
import type { CompareRow } from './compare-row.ts';

type IntervalRow = Pick<CompareRow, 'interval' | 'estimate'>;

/** What “weight so far” means. */
export const WEIGHT_SO_FAR =
  'Sample i of 1,920 has weight i: the first half of the interval carries 25 % of the weight of the settled rate.';

/** `9.4 % · 0.8 %`: the elapsed share of the interval, and the weight of its samples so far. */
export function toElapsedText(row: IntervalRow, venueNow: number): string {
  const progress = toProgress(row, venueNow);
  if (progress?.isAhead === true) return NO_VALUE;
  if (progress === null || progress.isOver) return formatMissing(isPending(row));
  return `${formatShare(progress.elapsed)} · ${formatShare(progress.weight)}`;
}

/** `9.4 %`, truncated, so that 100 % appears only at the end. */
export function formatShare(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}

export function toCountdownText(row: IntervalRow, venueNow: number): string {
  return formatFundingCountdown(toProgress(row, venueNow), isPending(row));
}

function toProgress({ interval }: IntervalRow, venueNow: number): IntervalProgress | null {
  return interval && toIntervalProgress(interval, venueNow);
}

/** The predicted rate names the current interval where no settled rate does. */
function isPending({ estimate }: IntervalRow): boolean {
  return estimate === null;
}
