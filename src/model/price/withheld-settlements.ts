import type { PriceDataPoint } from '#contract/exchange/price-data.ts';
import { withhold } from '#contract/exchange/withheld.ts';

/** Sessions without their settlements: a check that failed for one session says that none can be relied on. */
export function withholdSettlements(points: readonly PriceDataPoint[], reason: string): readonly PriceDataPoint[] {
  return points.map((point) =>
    point.settlementPrice === null ? point : (withhold(point, 'settlementPrice', reason) as PriceDataPoint),
  );
}
