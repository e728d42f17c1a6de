import { toNumber } from '#contract/exchange/brand.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { toLastPrices } from '../markets/last-price.ts';
import type { Sourced } from '../source.ts';
import { asTicks } from '../units/conversions.ts';
import { toQuantity, type Quantity } from '../units/quantity.ts';

/** The price that the distance of a product's orders is measured from: its last trade, or its settlement if it never traded. */
export interface MarketPrice {
  readonly is: 'last trade' | 'settlement';
  /** In ticks, so that distances do not depend on the tick size. */
  readonly price: Quantity;
  /** The same as a float; null where it is withheld. */
  readonly ticks: number | null;
}

export type MarketPriceOf = (productId: number) => MarketPrice | null;

/** Looks up market prices by product id; null where the exchange publishes none, or offers no product data. */
export function createMarketPriceOf(data: Sourced<readonly ProductData[]> | undefined): MarketPriceOf {
  if (data === undefined) return () => null;
  const rows = new Map(data.value.map((row) => [toNumber(row.product_id), row]));
  return (productId) => {
    const row = rows.get(productId);
    return row === undefined ? null : (toLastTrade(data, row) ?? toSettlement(data, row));
  };
}

function toLastTrade(data: Sourced<unknown>, row: ProductData): MarketPrice | null {
  const { last } = toLastPrices(data, row, asTicks);
  return last && toMarketPrice('last trade', last);
}

function toSettlement(data: Sourced<unknown>, row: ProductData): MarketPrice | null {
  return toMarketPrice(
    'settlement',
    toQuantity({ source: data, dataTime: row.settlement_time }, row, 'settlement_price', asTicks),
  );
}

function toMarketPrice(is: MarketPrice['is'], price: Quantity): MarketPrice | null {
  return price.value === null && price.withheld === null ? null : { is, price, ticks: price.value?.toNumber() ?? null };
}
