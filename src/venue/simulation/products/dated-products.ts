import { monthLetter } from '../../market/calendar.ts';
import type { Product } from '../../core/model.ts';
import { expiryOfMonth, listingOfMonth, type Month } from './contract-months.ts';

/** Dated futures of one contract size. */
export interface Series {
  readonly place: number;
  readonly base: string;
  readonly title: string;
  readonly unit: string;
  readonly contractSize: number;
  readonly increment: number;
  readonly maxOrderQuantity: number;
  readonly minBlockSize: number;
}

export const SERIES: readonly Series[] = [
  {
    place: 0,
    base: 'BUS',
    title: 'Bitcoin US Dollar Standard',
    unit: 'BTC',
    contractSize: 1,
    increment: 5,
    maxOrderQuantity: 500,
    minBlockSize: 10,
  },
  {
    place: 1,
    base: 'BUC',
    title: 'Bitcoin US Dollar Centi',
    unit: 'BTC',
    contractSize: 0.01,
    increment: 5,
    maxOrderQuantity: 10_000,
    minBlockSize: 250,
  },
  {
    place: 2,
    base: 'ETUD',
    title: 'Ethereum US Dollar Deca',
    unit: 'ETH',
    contractSize: 10,
    increment: 0.2,
    maxOrderQuantity: 1_000,
    minBlockSize: 25,
  },
  {
    place: 3,
    base: 'SOUH',
    title: 'Solana US Dollar Hecto',
    unit: 'SOL',
    contractSize: 100,
    increment: 0.01,
    maxOrderQuantity: 2_500,
    minBlockSize: 25,
  },
];

/** Ids of dated products follow from month and place alone. */
const FIRST_DATED_ID = 10_000;
const FIRST_MONTH = 2020 * 12;
export const IDS_PER_MONTH = 64;
const SPREADS = 8;
export const OPTIONS = 16;

export function datedId(month: Month, place: number): number {
  return FIRST_DATED_ID + (month - FIRST_MONTH) * IDS_PER_MONTH + place;
}

/** `Z26` for December 2026. */
export function monthCode(month: Month): string {
  return `${monthLetter((month % 12) + 1)}${String(Math.floor(month / 12)).slice(-2)}`;
}

/** Fields that all products of a series share. */
export function seriesFacts(series: Series) {
  return {
    baseSymbol: series.base,
    contractSize: series.contractSize,
    contractSizeUnit: series.unit,
    publishedIncrement: series.increment,
    tickE10: BigInt(Math.round(series.increment * 1e10)),
    priceQuotationUnit: `USD per ${series.unit}`,
    settlementMethod: 'Cash Settled',
    maxOrderQuantity: series.maxOrderQuantity,
    minBlockSize: series.minBlockSize,
  } as const;
}

export function makeFuture(series: Series, month: Month): Product {
  return {
    ...seriesFacts(series),
    id: datedId(month, series.place),
    symbol: series.base + monthCode(month),
    name: `${series.title} Future ${monthCode(month)}`,
    kind: 'future',
    listedAt: listingOfMonth(month),
    expiresAt: expiryOfMonth(month),
    month: monthLetter((month % 12) + 1),
    year: Math.floor(month / 12),
  };
}

/** Buying the spread buys the near contract and sells the far one. */
export function makeSpread(series: Series, near: Month, far: Month): Product {
  return {
    ...seriesFacts(series),
    id: datedId(near, SPREADS + series.place),
    symbol: `${series.base}${monthCode(near)}-${series.base}${monthCode(far)}`,
    name: `${series.title} Calendar Spread ${monthCode(near)}-${monthCode(far)}`,
    kind: 'spread',
    listedAt: listingOfMonth(far),
    expiresAt: expiryOfMonth(near),
    legs: [
      { productId: datedId(near, series.place), weight: 1 },
      { productId: datedId(far, series.place), weight: -1 },
    ],
  };
}
