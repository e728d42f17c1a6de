import { expiryOf, monthLetter } from '../../market/calendar.ts';
import type { Micros, Product } from '../../core/model.ts';

/** A contract month, as the number of months since January of the year 0. */
export type Month = number;

/** How many contracts of each cycle, quarterly and monthly, are listed at a time. */
const LISTED_AT_ONCE = 3;

export function monthOf(time: Micros): Month {
  const date = new Date(time / 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export function isQuarterly(month: Month): boolean {
  return month % 3 === 2;
}

/** Returns the contract month a number of steps later (or earlier, if negative) in the month's cycle. */
export function stepInCycle(month: Month, steps: number): Month {
  if (isQuarterly(month)) return month + 3 * steps;
  const place = Math.floor(month / 3) * 2 + (month % 3) + steps;
  return Math.floor(place / 2) * 3 + (((place % 2) + 2) % 2);
}

export function expiryOfMonth(month: Month): Micros {
  return expiryOf(Math.floor(month / 12), (month % 12) + 1);
}

/** Returns when a contract is listed: when an earlier one of its cycle expires. */
export function listingOfMonth(month: Month): Micros {
  return expiryOfMonth(stepInCycle(month, -LISTED_AT_ONCE));
}

const STRIKES_EACH_WAY = 3;
/** The distance between strikes, as a share of the price. */
const STRIKE_STEP = 0.05;
const ROUND_STRIKE = 1_000;

/** Creates calls and puts on the contract of a month, with strikes around the price at announcement. */
export function makeOptionChain(series: Series, month: Month, spot: number): Product[] {
  const step = Math.max(1, Math.round((spot * STRIKE_STEP) / ROUND_STRIKE)) * ROUND_STRIKE;
  const middle = Math.round(spot / step) * step;
  const strikes = Array.from({ length: 2 * STRIKES_EACH_WAY + 1 }, (_, at) => middle + (at - STRIKES_EACH_WAY) * step);
  return strikes.flatMap((strike, at) => [
    makeOption(series, month, { strike, type: 'call', place: 2 * at }),
    makeOption(series, month, { strike, type: 'put', place: 2 * at + 1 }),
  ]);
}

/** Whether this is the one option without quotes and trades: the call with the highest strike. */
export function isDormant({ id, kind }: Product): boolean {
  return kind === 'option' && (id - datedId(0, OPTIONS)) % IDS_PER_MONTH === 4 * STRIKES_EACH_WAY;
}

interface Terms {
  readonly strike: number;
  readonly type: 'call' | 'put';
  readonly place: number;
}

function makeOption(series: Series, month: Month, { strike, type, place }: Terms): Product {
  const letter = type === 'call' ? 'C' : 'P';
  return {
    ...seriesFacts(series),
    id: datedId(month, OPTIONS + place),
    symbol: `${series.base}${monthCode(month)}-${letter}${strike}`,
    name: `${series.title} ${monthCode(month)} ${strike} ${type === 'call' ? 'Call' : 'Put'}`,
    kind: 'option',
    listedAt: expiryOfMonth(stepInCycle(month, -1)),
    expiresAt: expiryOfMonth(month),
    underlyingId: datedId(month, series.place),
    strikeTicks: Math.round(strike / series.increment),
    optionType: type,
  };
}

/** A series of dated futures with one contract size. */
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

/** Ids of dated products follow from their month and place alone. */
const FIRST_DATED_ID = 10_000;
const FIRST_MONTH = 2020 * 12;
const IDS_PER_MONTH = 64;
const SPREADS = 8;
const OPTIONS = 16;

function datedId(month: Month, place: number): number {
  return FIRST_DATED_ID + (month - FIRST_MONTH) * IDS_PER_MONTH + place;
}

/** Returns the code of a month, such as `Z26` for December 2026. */
function monthCode(month: Month): string {
  return `${monthLetter((month % 12) + 1)}${String(Math.floor(month / 12)).slice(-2)}`;
}

/** Returns the fields that all products of a series share. */
function seriesFacts(series: Series) {
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

/** Creates a calendar spread. Buying it buys the near contract and sells the far one. */
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
