import type { DeskFunding } from '../../../../src/contract/desk-funding.ts';
import { toPerpetuals, type Perpetual } from '../../../../src/views/funding/compare-row.ts';
import { createPrints, PERPETUALS } from '../prints.ts';

/** As the screen has them: examined once, when the answer came. */
export function createPerpetuals(): readonly Perpetual[] {
  const perpetuals = Array.from({ length: PERPETUALS }, (_, index) => ({
    base_symbol: `PERP${String(index + 1)}`,
    product_id: index + 1,
    prints: createPrints(index + 1),
    known_from: null,
    reaches_launch: true,
    read_at: '2026-08-17T08:00:06Z',
    stale_because: null,
  }));
  return toPerpetuals({ value: { perpetuals, pagination: {} } as unknown as DeskFunding, target: '/api/desk/funding' });
}
