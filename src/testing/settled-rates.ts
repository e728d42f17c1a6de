import type { FundingRateData } from '#contract/exchange/market-data.ts';
import { parseKeepingDigits } from '#contract/parse/json-text.ts';

/** A settled rate as a test writes it. Rates are texts, so that every digit counts. */
export interface WrittenPrint {
  readonly start: string;
  readonly end: string;
  readonly rate: string;
  readonly interest?: string;
}

/** Returns the rows of a response, newest first, each number with the digits it was written with. */
export function toWirePrints(prints: readonly WrittenPrint[]): readonly FundingRateData[] {
  const rows = prints.map(
    ({ start, end, rate, interest = '0.0001' }) =>
      `{"product_id":5599,"price_index":101234.56,"mark_price":101240.5,"interest_rate":${interest},"funding_rate":${rate},` +
      `"interval_start":"${start}","interval_end":"${end}"}`,
  );
  return parseKeepingDigits(`[${rows.toReversed().join()}]`) as readonly FundingRateData[];
}

const EIGHT_HOURS_MS = 8 * 3_600_000;
const BEGIN_MS = Date.parse('2026-06-01T00:00:00Z');

/** Returns the funding time a number of intervals after midnight of 1 June 2026. */
export function fundingTimeAt(count: number): string {
  return new Date(BEGIN_MS + count * EIGHT_HOURS_MS).toISOString().replace('.000Z', 'Z');
}

/** Returns the rate of the interval that ends at funding time `at + 1`. */
export function printAt(at: number, rate: string): WrittenPrint {
  return { start: fundingTimeAt(at), end: fundingTimeAt(at + 1), rate };
}
