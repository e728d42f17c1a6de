import type { ApiResponse } from '#api/api-response.ts';
import type { Day } from '#contract/day.ts';
import type { Bar } from '#domain/price/bars.ts';
import { rebase } from '#domain/price/change.ts';
import { toCsvInForm, type Cell, type CsvForm } from '#ui/csv.ts';

export interface ComparedProduct {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly response: ApiResponse<unknown>;
}

const PROVENANCE = ['request', 'answered_at', 'received_at', 'age_s', 'from', 'request_id'];
const COLUMNS = { heading: ['date', 'symbol', 'settlement_usd', 'index', 'index_base', ...PROVENANCE], provenance: PROVENANCE };

/** A row for each product and session, with the settlement as published and its index. */
export function toComparisonCsv(products: readonly ComparedProduct[], form: CsvForm = 'full'): string {
  const indexed = rebase(products.map(({ bars }) => bars));
  return toCsvInForm(
    form,
    COLUMNS,
    products.flatMap((product, at) => {
      const points = new Map(indexed?.series[at]?.points.map(({ date, value }) => [date, value.toFixed(DIGITS)]));
      return product.bars.map((bar) => toCells(product, bar, points.get(bar.date) ?? null, indexed?.base ?? null));
    }),
  );
}

const DIGITS = 10;

function toCells({ name, response }: ComparedProduct, { date, settlement }: Bar, index: string | null, base: Day | null): readonly Cell[] {
  const { target, answeredAt, receivedAt, ageSeconds, cache, requestId } = response;
  const provenance = [`GET ${target}`, answeredAt, new Date(receivedAt).toISOString(), ageSeconds, cache, requestId];
  return [date, name, settlement && { digits: settlement }, index === null ? null : { digits: index }, base, ...provenance];
}
