import { useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { toEstimates } from '#page/client/to-estimates.ts';
import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import { type Estimate, type Estimates, keepOutdated, listOutdated, markEnded } from '#model/funding/estimate.ts';
import type { DueTimes } from '#model/time/overdue.ts';
import { byExchangeClock } from '#model/time/clocks.ts';
import { useVenueOffset } from '#page/client/react/use-desk-status.ts';
import { useNowSelector } from '#page/kit/time/use-now.tsx';

interface EstimateQuery {
  readonly data: ApiResponse<EstimatedFundingRateData> | undefined;
  readonly error: Error | null;
}

/** Returns the predicted rate of the current interval, with the reason if it is not current; null until it is read. */
export function useEstimate(baseSymbol: string, { data, error }: EstimateQuery, due: DueTimes | null): Estimate | null {
  const read = useMemo(() => toEstimates(baseSymbol, { data, error }), [baseSymbol, data, error]);
  return useCurrentEstimates(read, due).get(baseSymbol) ?? null;
}

/**
 * Marks predicted rates as out of date if they are old and no newer one could be read, or if their interval has ended.
 */
export function useCurrentEstimates(read: Estimates, due: DueTimes | null): Estimates {
  const outdated = useNowSelector((now) => listOutdated(read, now).join());
  const aheadMs = useVenueOffset();
  return useMemo(() => {
    const timed = new Map([...read].map(([symbol, estimate]) => [symbol, byExchangeClock(estimate, aheadMs)]));
    return markEnded(keepOutdated(timed, outdated.split(',')), due?.fundingEstimated ?? null);
  }, [read, outdated, aheadMs, due]);
}
