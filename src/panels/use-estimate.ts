import { useMemo } from 'react';
import type { ApiResponse } from '#api/api-response.ts';
import { toEstimates } from '#api/react/use-estimates.ts';
import type { EstimatedFundingRateData } from '#contract/funding.ts';
import { type Estimate, markEnded } from '#domain/funding/estimate.ts';
import type { DueTimes } from '#domain/time/due-times.ts';

interface EstimateQuery {
  readonly data: ApiResponse<EstimatedFundingRateData> | undefined;
  readonly error: Error | null;
}

/** The predicted rate of the current interval, with the reason if it is not current; null until it is read. */
export function useEstimate(baseSymbol: string, { data, error }: EstimateQuery, due: DueTimes | null): Estimate | null {
  const read = useMemo(() => toEstimates(baseSymbol, { data, error }), [baseSymbol, data, error]);
  return useMemo(() => markEnded(read, due?.fundingEstimated ?? null).get(baseSymbol) ?? null, [read, due, baseSymbol]);
}
