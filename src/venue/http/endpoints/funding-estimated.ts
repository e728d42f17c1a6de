import type { EstimatedFundingRateData } from '#contract/exchange/funding.ts';
import { toJsonBody, type JsonBody } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { findSeries } from './products.ts';
import { Refusal } from '../refusal.ts';
import { toInstantText, type Plain } from '../wire.ts';

export function handleFundingEstimated(
  { path }: ApiRequest<'fundingEstimated'>,
  { exchange }: HandlerContext,
): JsonBody {
  for (const product of findSeries(exchange, path.base_symbol)) {
    const estimate = product.kind === 'perpetual' ? exchange.estimate(product.id) : null;
    if (estimate === null) continue;
    const row: Plain<EstimatedFundingRateData> = {
      funding_rate: estimate.rate,
      interval_start: toInstantText(estimate.start),
      interval_end: toInstantText(estimate.end),
    };
    return toJsonBody(row);
  }
  throw new Refusal(404, `${path.base_symbol} has no perpetual with a current funding interval.`);
}
