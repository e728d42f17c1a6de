import type { DeskFunding } from '../../../../src/contract/desk/funding.ts';
import { type PerpetualSeries, toPerpetualSeries } from '../../../../src/model/funding/funding-series.ts';
import { createPrints, PERPETUALS } from '../prints.ts';

/** Creates the perpetuals as the screen has them, examined once for each response. */
export function createPerpetuals(): readonly PerpetualSeries[] {
  const perpetuals = Array.from({ length: PERPETUALS }, (_, index) => ({
    base_symbol: `PERP${String(index + 1)}`,
    product_id: index + 1,
    prints: createPrints(index + 1),
    known_from: null,
    reaches_launch: true,
    left_out: 0,
    read_at: '2026-08-17T08:00:06Z',
    year_rank: null,
    stale_because: null,
  }));
  return toPerpetualSeries(
    { value: { perpetuals, pagination: {} } as unknown as DeskFunding, target: '/api/desk/funding' },
    null,
  );
}
