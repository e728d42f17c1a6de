import { sumOf, type Decimal } from './decimal.ts';
import type { MarketRow } from './market-rows.ts';

/** Sums over rows of the list. In USD: contracts of different products do not add up. */
export interface MarketTotals {
  readonly products: number;
  readonly volumeUsd: Decimal | null;
  readonly openInterestUsd: Decimal | null;
}

export function toMarketTotals(rows: readonly MarketRow[]): MarketTotals {
  return {
    products: rows.length,
    volumeUsd: sumOf(rows.map(({ volumeUsd }) => volumeUsd?.value ?? null)),
    openInterestUsd: sumOf(rows.map(({ openInterestUsd }) => openInterestUsd?.value ?? null)),
  };
}

export interface MarketGroup {
  /** What the contracts are made of: `BTC`. Null: not known. */
  readonly underlying: string | null;
  readonly rows: readonly MarketRow[];
  readonly totals: MarketTotals;
}

/** The list by what its contracts are made of, in the order in which the rows name them. */
export function groupByUnderlying(rows: readonly MarketRow[]): readonly MarketGroup[] {
  const groups = Map.groupBy(rows, ({ product }) => product.contract_size_unit ?? null);
  return [...groups].map(([underlying, members]) => ({ underlying, rows: members, totals: toMarketTotals(members) }));
}
