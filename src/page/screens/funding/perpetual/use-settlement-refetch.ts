import { useEffect } from 'react';
import { useVenueTime } from '#page/client/react/use-venue-time.ts';
import type { EstimatedFundingRateData } from '#contract/exchange/funding.ts';
import { useNowSelector } from '#page/kit/time/use-now.tsx';
import { repeatWithBackoff } from './repeat-with-backoff.ts';

/** The exchange publishes a settled rate some moments after the funding time; the server waits as long before it reads. */
const SETTLING_MS = 6_000;

interface Settlement {
  readonly estimate: EstimatedFundingRateData | undefined;
  /** The latest settled funding time, in epoch milliseconds. */
  readonly settledTo: number | null;
  readonly refetch: () => void;
}

/** After a funding time, reads soon and a few times for its settled rate; from then on the usual refresh has to do. */
export function useSettlementRefetch({ estimate, settledTo, refetch }: Settlement): void {
  const toVenueTime = useVenueTime();
  const awaited = useNowSelector((now) => findAwaited(estimate, settledTo, toVenueTime(now)));
  useEffect(() => (awaited === null ? undefined : repeatWithBackoff(refetch, document)), [awaited, refetch]);
}

/**
 * The funding time whose settled rate is due; null where none is.
 *
 * @internal Exported for its test.
 */
export function findAwaited(
  estimate: Settlement['estimate'],
  settledTo: number | null,
  venueNow: number,
): number | null {
  if (estimate === undefined || settledTo === null) return null;
  const [start, end] = [Date.parse(estimate.interval_start), Date.parse(estimate.interval_end)];
  if (settledTo < end && venueNow > end + SETTLING_MS) return end;
  return settledTo < start ? start : null;
}
