import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { EstimatedFundingRateData } from '#contract/exchange/funding.ts';
import type { Estimates } from '#model/funding/estimate.ts';
import type { ApiResponse } from '#model/response.ts';
import { toEstimates } from '../to-estimates.ts';
import { useApi } from './use-api.tsx';

export interface EstimatesResult {
  readonly estimates: Estimates;
  /** Why an estimate is missing. The first failure stands for all, since they fail together. */
  readonly missingBecause: string | null;
  /** Reads again all that failed. */
  readonly retry: () => void;
}

/** Each perpetual costs a request, so they are read last and seldom. */
const BACKGROUND = { purpose: 'prefetch', everySeconds: 300 } as const;

/** Predicted rates by base symbol. Only the first `count` are read; for the others, cached ones are used. */
export function useEstimates(symbols: readonly string[], count: number): EstimatesResult {
  const { queries } = useApi();
  const combine = useCallback((results: readonly EstimateResult[]) => combineEstimates(symbols, results), [symbols]);
  return useQueries({
    queries: symbols.map((base_symbol, index) => ({
      ...queries.venue.fundingEstimated({ base_symbol }, BACKGROUND),
      enabled: index < count,
    })),
    combine,
  });
}

type EstimateResult = UseQueryResult<ApiResponse<EstimatedFundingRateData>>;

function combineEstimates(symbols: readonly string[], results: readonly EstimateResult[]): EstimatesResult {
  const failure = results.find(({ data, error }) => data === undefined && error !== null)?.error ?? null;
  return {
    estimates: new Map(results.flatMap((result, index) => [...toEstimates(symbols[index] ?? '', result)])),
    missingBecause: failure?.message ?? null,
    retry: () => {
      for (const { error, refetch } of results) if (error !== null) void refetch();
    },
  };
}
