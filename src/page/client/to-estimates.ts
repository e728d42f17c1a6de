import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import type { Estimates } from '#model/funding/estimate.ts';
import type { ApiResponse } from '#model/response.ts';
import { describeStale } from './errors.ts';

interface EstimateReading {
  readonly data: ApiResponse<EstimatedFundingRateData> | undefined;
  readonly error: Error | null;
}

/** Returns the predicted rate of one perpetual, with the reason why it is not current, if any. */
export function toEstimates(baseSymbol: string, { data, error }: EstimateReading): Estimates {
  return new Map(data === undefined ? [] : [[baseSymbol, { ...data, notCurrent: whyNotCurrent(data, error) }]]);
}

function whyNotCurrent({ staleBecause }: ApiResponse<unknown>, error: Error | null): string | null {
  if (error !== null) return error.message;
  return staleBecause === null ? null : describeStale(staleBecause);
}
