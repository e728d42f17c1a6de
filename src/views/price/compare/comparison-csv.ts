import type { ApiResponse } from '#api/api-response.ts';
import type { Day } from '#contract/day.ts';
import type { Bar } from '#domain/bars.ts';
import { indexTogether } from '#domain/change.ts';
import { toCsv, type Cell } from '#ui/csv.ts';

/** A product with the answer that its bars were read from. */
export interface ComparedProduct {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly answer: ApiResponse<unknown>;
}

const HEADING = ['date', 'symbol', 'settlement_usd', 'index', 'index_base', 'request', 'answered_at', 'received_at', 'age_s', 'from', 'request_id'];

/** A row for each product and session: the settlement as it came, and its index with all the digits that anybody reads. */
export function toComparisonCsv(products: readonly ComparedProduct[]): string {
  const indexed = indexTogether(products.map(({ bars }) => bars));
  return toCsv(
    HEADING,
    products.flatMap((product, at) => {
      const points = new Map(indexed?.series[at]?.points.map(({ date, index }) => [date, index.toFixed(DIGITS)]));
      return product.bars.map((bar) => toCells(product, bar, points.get(bar.date) ?? null, indexed?.base ?? null));
    }),
  );
}

const DIGITS = 10;

function toCells({ name, answer }: ComparedProduct, { date, settlement }: Bar, index: string | null, base: Day | null): readonly Cell[] {
  const { target, answeredAt, receivedAt, ageSeconds, cache, requestId } = answer;
  const proof = [`GET ${target}`, answeredAt, new Date(receivedAt).toISOString(), ageSeconds, cache, requestId];
  return [date, name, { digits: settlement }, index === null ? null : { digits: index }, base, ...proof];
}
