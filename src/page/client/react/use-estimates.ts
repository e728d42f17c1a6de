import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import type { Estimates } from '#model/funding/estimate.ts';
import type { ApiResponse } from '#model/response.ts';
import { toEstimates } from '../to-estimates.ts';
import { useApi } from './use-api.tsx';

export interface EstimatesResult {
  readonly estimates: Estimates;
  /** Why a predicted rate is missing. The first failure stands for all, since they usually fail together. */
  readonly missingBecause: string | null;
  /** Retries all failed reads. */
  readonly retry: () => void;
}

/** Perpdesk reads them for all screens together, every five minutes. */
const BACKGROUND = { purpose: 'prefetch', everySeconds: 300 } as const;

/** Returns predicted rates by base symbol. */
export function useEstimates(symbols: readonly string[]): EstimatesResult {
  const { queries } = useApi();
  const combine = useCallback((results: readonly EstimateResult[]) => combineEstimates(symbols, results), [symbols]);
  return useQueries({
    queries: symbols.map((base_symbol) => queries.venue.fundingEstimated({ base_symbol }, BACKGROUND)),
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
