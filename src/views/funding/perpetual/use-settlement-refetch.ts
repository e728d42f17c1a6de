import { useEffect } from 'react';
import type { EstimatedFundingRateData } from '#contract/funding.ts';

/** A print is settled some moments after its interval has ended; the desk waits as long before it asks. */
const SETTLE_MS = 6_000;
const AGAIN_MS = 4_000;

interface Boundary {
  readonly estimate: EstimatedFundingRateData | undefined;
  /** Where the newest print known ended, in epoch milliseconds. */
  readonly settledTo: number | null;
  readonly venueNow: number;
  readonly refetch: () => void;
}

/** Past a boundary, looks for the print until it is there: then the estimate has become one. */
export function useSettlementRefetch({ estimate, settledTo, venueNow, refetch }: Boundary): void {
  const isDue = isPrintDue(estimate, settledTo, venueNow);
  useEffect(() => {
    if (!isDue) return undefined;
    refetch();
    const timer = setInterval(refetch, AGAIN_MS);
    return () => {
      clearInterval(timer);
    };
  }, [isDue, refetch]);
}

function isPrintDue(estimate: Boundary['estimate'], settledTo: number | null, venueNow: number): boolean {
  if (estimate === undefined || settledTo === null) return false;
  const [start, end] = [Date.parse(estimate.interval_start), Date.parse(estimate.interval_end)];
  return settledTo < start || (settledTo < end && venueNow > end + SETTLE_MS);
}
