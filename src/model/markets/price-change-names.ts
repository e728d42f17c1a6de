import type { Quantity } from '../units/quantity.ts';

/** Compare the newest settlement with an earlier one. */
export const SETTLEMENT_CHANGES = ['settlementChange', 'change7d', 'change30d'] as const;

export type SettlementChangeName = (typeof SETTLEMENT_CHANGES)[number];

/** In the order of their columns. */
export const PRICE_CHANGES = ['settlementChange', 'change24h', 'change7d', 'change30d'] as const;

export type PriceChangeName = (typeof PRICE_CHANGES)[number];

/** A change as a fraction, or why there is none. It is a ratio of ticks, so it does not depend on the tick size. */
export type PriceChange =
  | { readonly quantity: Quantity; readonly missingBecause: null }
  | { readonly quantity: null; readonly missingBecause: string };

/** The changes against earlier prices; null until the earlier price has been read. */
export type PriceChanges = Readonly<Record<PriceChangeName, PriceChange | null>>;

export const NO_CHANGES: PriceChanges = { settlementChange: null, change24h: null, change7d: null, change30d: null };
