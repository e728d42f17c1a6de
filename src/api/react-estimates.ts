import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { EstimatedFundingRateData } from '#contract/funding.ts';
import type { Estimates } from '#domain/funding/estimate.ts';
import type { Answer } from './answer.ts';
import { useDoor } from './react.tsx';

/** How a failure, and an answer older than it should be, are told to people. */
interface Teller {
  readonly ofError: (error: Error) => { readonly detail: string };
  readonly ofReason: (staleBecause: string) => string;
}

export interface EstimateReading {
  readonly estimates: Estimates;
  /** Why the first of those that never came did not: it stands for all, since they fail together. */
  readonly missingBecause: string | null;
  /** Asks again for all that failed. */
  readonly retry: () => void;
}

/** One request a perpetual: they share what is left over. */
const spare = { purpose: 'prefetch', everySeconds: 300 } as const;

/** Estimates of perpetuals, by their base symbols, with why one is not the latest: asked for the first `count`, and of the others what is held. */
export function useEstimates(symbols: readonly string[], count: number, teller: Teller): EstimateReading {
  const { queries } = useDoor();
  const combine = useCallback((results: readonly EstimateResult[]) => toReading(symbols, results, teller), [symbols, teller]);
  return useQueries({ queries: symbols.map((base_symbol, index) => ({ ...queries.venue.fundingEstimated({ base_symbol }, spare), enabled: index < count })), combine });
}

/** One that was read by a question of its own, with why it is not the latest. */
export function toEstimates(baseSymbol: string, { data, error }: Pick<EstimateResult, 'data' | 'error'>, teller: Teller): Estimates {
  return new Map(data === undefined ? [] : [[baseSymbol, { ...data, notCurrent: whyNotCurrent(data, error, teller) }]]);
}

type EstimateResult = UseQueryResult<Answer<EstimatedFundingRateData>>;

function toReading(symbols: readonly string[], results: readonly EstimateResult[], teller: Teller): EstimateReading {
  const missing = results.find(({ data, error }) => data === undefined && error !== null)?.error ?? null;
  return {
    estimates: new Map(results.flatMap((result, index) => [...toEstimates(symbols[index] ?? '', result, teller)])),
    missingBecause: missing && teller.ofError(missing).detail,
    retry: () => {
      for (const { error, refetch } of results) if (error !== null) void refetch();
    },
  };
}

function whyNotCurrent({ staleBecause }: Answer<unknown>, error: Error | null, teller: Teller): string | null {
  if (error !== null) return teller.ofError(error).detail;
  return staleBecause === null ? null : teller.ofReason(staleBecause);
}
