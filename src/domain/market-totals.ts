import { sumOf, type Decimal } from './decimal.ts';
import type { MarketRow } from './market-rows.ts';

/** Sums over rows of the list. In USD: contracts of different products do not add up. */
interface MarketTotals {
  readonly volumeUsd: Decimal | null;
  readonly openInterestUsd: Decimal | null;
}

export function toMarketTotals(rows: readonly MarketRow[]): MarketTotals {
  return {
    volumeUsd: sumOf(rows.map(({ volumeUsd }) => volumeUsd?.value ?? null)),
    openInterestUsd: sumOf(rows.map(({ openInterestUsd }) => openInterestUsd?.value ?? null)),
  };
}
