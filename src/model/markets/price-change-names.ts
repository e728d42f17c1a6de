import type { Quantity } from '../units/quantity.ts';

/** Compare the newest settlement with an earlier one. */
export const SETTLEMENT_CHANGES = ['settlementChange', 'change7d', 'change30d'] as const;

export type SettlementChangeName = (typeof SETTLEMENT_CHANGES)[number];

/** In the order of their columns. */
export const PRICE_CHANGES = ['settlementChange', 'change24h', 'change7d', 'change30d'] as const;

export type PriceChangeName = (typeof PRICE_CHANGES)[number];

/** Figures of a month against its perpetual, and of open interest, in the order of their columns. */
const CURVE_FIGURES = ['basisUsd', 'basis', 'basisYear', 'interestChange', 'turnover'] as const;

export type CurveFigureName = (typeof CURVE_FIGURES)[number];

/** Figures that are computed only while their column is shown. */
export const LATER_FIGURES = [...PRICE_CHANGES, ...CURVE_FIGURES] as const;

export type LaterFigureName = (typeof LATER_FIGURES)[number];

/** A figure, or why there is none. A change of price is a ratio of ticks, so it does not depend on the tick size. */
export type PriceChange =
  | { readonly quantity: Quantity; readonly missingBecause: null }
  | { readonly quantity: null; readonly missingBecause: string };

/** The later figures; without a value until what they need has been read. */
export type PriceChanges = Readonly<Partial<Record<LaterFigureName, PriceChange | null>>>;

export const NO_CHANGES: PriceChanges = {};
