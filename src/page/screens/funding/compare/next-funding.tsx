import { toIntervalProgress } from '#model/funding/funding-rate.ts';
import { formatFundingCountdown } from '#model/tables/cell-tooltip.ts';
import type { CompareRow } from '#model/tables/funding/compare-row.ts';
import { formatShare, WEIGHT_SO_FAR } from '#model/tables/funding/rate-text.ts';
import { useVenueTime } from '#page/client/react/use-desk-status.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';

/** Says once when all perpetuals settle next, and how much of the predicted rates is certain; nothing if they differ. */
export function NextFunding({ rows }: { readonly rows: readonly CompareRow[] }) {
  const venueNow = useVenueTime()(useNow());
  const interval = rows[0]?.interval ?? null;
  if (interval === null || rows.some((row) => row.interval?.interval_end !== interval.interval_end)) return null;
  const progress = toIntervalProgress(interval, venueNow);
  if (progress === null || progress.isOver || progress.isAhead) return null;
  return (
    <span title={WEIGHT_SO_FAR}>
      Next funding in <Time at={interval.interval_end}>{formatFundingCountdown(progress)}</Time> ·{' '}
      {formatShare(progress.weight)} of the weight is in ({formatShare(progress.elapsed)} of the time)
    </span>
  );
}
