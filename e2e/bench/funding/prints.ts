import type { FundingRateData } from '../../../src/contract/exchange/market-data.ts';
import { createRandom } from '../lib/random.ts';

export const PERPETUALS = 17;
export const INTERVALS = 5 * 365 * 3;
const STEP_MS = 8 * 3_600_000;
/** The latest funding time. */
export const SETTLED_TO = Date.parse('2026-08-17T08:00:00Z');

/** Creates settled rates as on the wire, newest first. Every third one equals the interest rate. */
export function createPrints(seed: number, count = INTERVALS): readonly FundingRateData[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const end = SETTLED_TO - index * STEP_MS;
    const rate = random() < 0.33 ? 0.0001 : Math.round((random() - 0.45) * 150_000) / 1e8;
    const row = {
      product_id: seed,
      price_index: 101_234.56,
      mark_price: 101_240.5,
      interest_rate: 0.0001,
      funding_rate: rate,
      interval_start: toInstant(end - STEP_MS),
      interval_end: toInstant(end),
    };
    return row as unknown as FundingRateData;
  });
}

function toInstant(epochMillis: number): string {
  return new Date(epochMillis).toISOString().replace('Z', '000Z');
}
