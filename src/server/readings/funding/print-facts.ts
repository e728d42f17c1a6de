import { FundingRateData } from '#contract/exchange/market-data.ts';
import { parseInstant } from '#contract/exchange/instant.ts';
import { findDeviations, isFault } from '#contract/parse/check.ts';
import { toShape } from '#contract/exchange/schema.ts';

const shape = toShape(FundingRateData);

/** Whether each field of a settled rate can be used. */
export function isPrint(row: unknown): row is FundingRateData {
  return !findDeviations(shape, row, '$').some(isFault);
}

/** Returns what a settled rate says, however it is written; null if it cannot be used. */
function toFacts(text: string): string | null {
  const row = JSON.parse(text) as unknown;
  if (!isPrint(row)) return null;
  const { price_index, mark_price, interest_rate, funding_rate, interval_start } = row;
  const start = parseInstant(interval_start) ?? interval_start;
  return [price_index, mark_price, interest_rate, funding_rate, start].join(' ');
}

type Texts = readonly { readonly text: string }[];

/** Whether two readings of an interval say the same, in any order. */
export function saysTheSame(some: Texts, others: Texts): boolean {
  const [one, other] = [some, others].map((prints) => prints.map(({ text }) => toFacts(text)).sort());
  return JSON.stringify(one) === JSON.stringify(other);
}
