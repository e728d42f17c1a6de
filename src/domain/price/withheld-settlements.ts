import type { PriceDataPoint } from '#contract/price-data.ts';
import { withhold } from '#contract/withheld.ts';

/** Sessions without their settlements: a check that failed for one session says that none can be relied on. */
export function withholdSettlements(points: readonly PriceDataPoint[], reason: string): readonly PriceDataPoint[] {
  return points.map((point) =>
    point.settlementPrice === null ? point : (withhold(point, 'settlementPrice', reason) as PriceDataPoint),
  );
}
