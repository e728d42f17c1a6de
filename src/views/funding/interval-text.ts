import { NO_VALUE } from '#domain/format-number.ts';
import { toIntervalProgress, type IntervalProgress } from '#domain/funding-rate.ts';
import { tellBoundary } from '#ui/time/tell-boundary.ts';
import type { CompareRow } from './compare-row.ts';

type IntervalRow = Pick<CompareRow, 'interval' | 'estimate'>;

/** `9.4 % · 0.8 %`: of the interval, and of the final weight: later samples weigh more. */
export function toElapsedText(row: IntervalRow, venueNow: number): string {
  const progress = toProgress(row, venueNow);
  if (progress === null || progress.isOver) return orNotYet(row, NO_VALUE);
  return `${formatShare(progress.elapsed)} · ${formatShare(progress.fixed)}`;
}

/** `9.4 %`, cut rather than rounded: what is not over never reads 100. */
export function formatShare(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}

/** Time to the next boundary. */
export function toBoundaryText(row: IntervalRow, venueNow: number): string {
  return orNotYet(row, tellBoundary(toProgress(row, venueNow)));
}

/** How far the interval has come, by its own times and the venue's clock. */
function toProgress({ interval }: IntervalRow, venueNow: number): IntervalProgress | null {
  return interval && toIntervalProgress(interval, venueNow);
}

/** What no print tells, the estimate may yet. */
function orNotYet({ estimate }: IntervalRow, told: string): string {
  return told === NO_VALUE && estimate === null ? '…' : told;
}
