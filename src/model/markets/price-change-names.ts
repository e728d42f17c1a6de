import type { Quantity } from '../units/quantity.ts';

/** In the order of their columns. */
export const PRICE_CHANGES = ['settlementChange', 'change24h', 'change7d', 'change30d'] as const;

export type PriceChangeName = (typeof PRICE_CHANGES)[number];

/** Figures that are computed only while their column is shown, in the order of their columns. */
export const LATER_FIGURES = [
  ...PRICE_CHANGES,
  'basisUsd',
  'basis',
  'basisYear',
  'interestChange',
  'turnover',
] as const;

export type LaterFigureName = (typeof LATER_FIGURES)[number];

/** Those of a month against its perpetual, and of open interest. */
export type CurveFigureName = Exclude<LaterFigureName, PriceChangeName>;

/** A figure, or why there is none. A change of price is a ratio of ticks, so it does not depend on the tick size. */
export type PriceChange =
  | { readonly quantity: Quantity; readonly missingBecause: null }
  | { readonly quantity: null; readonly missingBecause: string };

/** The later figures; without a value until what they need has been read. */
export type PriceChanges = Readonly<Partial<Record<LaterFigureName, PriceChange | null>>>;

export const NO_CHANGES: PriceChanges = {};
