import type { EstimatedFundingRateData } from '#contract/funding.ts';
import { toObject, type Answer } from './answer.ts';
import type { Ask, House } from './ask.ts';
import { findSeries } from './find-products.ts';
import { Refusal } from './refusal.ts';
import { toInstantText, type Plain } from './wire.ts';

export function answerFundingEstimated({ path }: Ask<'fundingEstimated'>, { exchange }: House): Answer {
  for (const product of findSeries(exchange, path.base_symbol)) {
    const estimate = product.kind === 'perpetual' ? exchange.estimate(product.id) : null;
    if (estimate === null) continue;
    const row: Plain<EstimatedFundingRateData> = {
      funding_rate: estimate.rate,
      interval_start: toInstantText(estimate.start),
      interval_end: toInstantText(estimate.end),
    };
    return toObject(row);
  }
  throw new Refusal(404, `${path.base_symbol} has no perpetual with a funding interval in progress.`);
}
