import type { Micros, Product } from '../../core/model.ts';
import { isDormant } from './dated-products.ts';
import { UNDERLYINGS } from './underlyings.ts';

const MONTH = 30 * 86_400_000_000;

/** How actively a product trades. */
export interface Activity {
  /** Trades per day between participants that have no account in the simulation. */
  readonly tradesPerDay: number;
  /** The usual number of contracts per trade. */
  readonly quantity: number;
}

const PERPETUAL_TRADES: ReadonlyMap<string, number> = new Map([
  ['BTC', 900],
  ['ETH', 700],
  ['SOL', 500],
  ['XRP', 350],
  ['DOGE', 250],
  ['TRX', 60],
]);
const USUAL_PERPETUAL_TRADES = 140;
const SERIES_TRADES: ReadonlyMap<string, number> = new Map([
  ['BUS', 160],
  ['BUC', 220],
  ['ETUD', 110],
  ['SOUH', 80],
]);
const USUAL_TRADE_USD = 4_000;
const LARGEST_USUAL_QUANTITY = 400;

export function activityOf(product: Product, time: Micros): Activity {
  return { tradesPerDay: tradesPerDay(product, time), quantity: usualQuantity(product) };
}

function tradesPerDay(product: Product, time: Micros): number {
  switch (product.kind) {
    case 'perpetual':
      return PERPETUAL_TRADES.get(product.contractSizeUnit) ?? USUAL_PERPETUAL_TRADES;
    case 'future':
      return Math.max(2, (SERIES_TRADES.get(product.baseSymbol) ?? 0) * nearness(product, time));
    case 'spread':
      return 10;
    case 'option':
      return isDormant(product) ? 0 : 8;
  }
}

/** Returns how near a contract is: the next quarterly one trades most, later ones less and less. */
function nearness({ month = '', expiresAt }: Product, time: Micros): number {
  const months = ((expiresAt ?? time) - time) / MONTH;
  return ('HMUZ'.includes(month) ? 1 : 0.35) * Math.exp(-Math.max(0, months) / 3);
}

function usualQuantity({ contractSize, contractSizeUnit, kind }: Product): number {
  const usd = (UNDERLYINGS.get(contractSizeUnit)?.usd ?? 1) * contractSize;
  const least = kind === 'perpetual' ? 1 : 2;
  return Math.min(LARGEST_USUAL_QUANTITY, Math.max(least, Math.round(USUAL_TRADE_USD / usd)));
}

/** Returns the number of ticks between the fair price and the best quote on either side. */
export function halfSpread({ kind }: Product, fair: number): number {
  const share = kind === 'option' ? 0.015 : 0.0004;
  return kind === 'spread' ? 4 : Math.max(1, Math.round(fair * share));
}

/** Returns the number of ticks between two quotes on one side. */
export function quoteStep(halfSpread: number): number {
  return Math.max(1, Math.round(halfSpread * 0.5));
}

/** Limits a price to those that the product can have: only a spread may be priced below one tick. */
export function atLeastOneTick({ kind }: Product, price: number): number {
  return kind === 'spread' ? price : Math.max(1, price);
}
