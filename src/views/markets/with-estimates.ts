import { toMarketFunding } from '#domain/market-funding.ts';
import type { MarketAnswers, MarketRow } from '#domain/market-rows.ts';

/** Estimates come one by one: a row that has none of its own stays the same object, and is not drawn again. */
export function withEstimates(rows: readonly MarketRow[], estimates: MarketAnswers['estimates']): readonly MarketRow[] {
  return rows.map((row) => {
    const estimate = estimates?.get(row.product.base_symbol ?? '');
    if (estimate === undefined || row.funding === null) return row;
    const estimated = toMarketFunding({ product: row.product, funding: undefined, prints: undefined, estimate });
    if (estimated === null) return row;
    const { settled, settledApr, settledAt } = row.funding;
    return { ...row, funding: { ...estimated, settled, settledApr, settledAt } };
  });
}
