import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { TicksConversion } from '../markets/last-price.ts';
import type { Decimal } from '../units/decimal.ts';
import { deriveQuantity, type Quantity } from '../units/quantity.ts';
import type { MarketPrice } from './market-price.ts';

/** The terms of a product that its value depends on. */
interface Priced {
  readonly product: DeskProduct | null;
  readonly conversion: TicksConversion | null;
  readonly contractSize: Decimal | null;
  readonly market: MarketPrice | null;
}

/** What one contract stands for: the contract of a future itself, the underlying of an option, the first leg of a spread. */
export interface UnderlyingValue {
  /** In words, for the provenance. */
  readonly of: string;
  /** Units of the underlying in one contract, spreads counted by their first leg. */
  readonly units: Decimal;
  /** Of one unit at the market price, in USD. */
  readonly price: Quantity;
  /** USD per contract as a float; null where there is no price, or it is withheld. */
  readonly usdPerContract: number | null;
}

/** Null without a specification, a contract size, a tick size or a market price of what the product stands for. */
export function toUnderlyingValue(own: Priced, ofProduct: (productId: number) => Priced): UnderlyingValue | null {
  const { product } = own;
  if (product === null) return null;
  const [leg] = product.legs ?? [];
  if (product.type === 'spread')
    return leg === undefined
      ? null
      : toValue(ofProduct(toNumber(leg.product_id)), 'first leg', null, Math.abs(leg.weight));
  if (product.type !== 'option') return toValue(own, 'product', null, 1);
  const { underlying_product: id } = product;
  return id === undefined ? null : toValue(ofProduct(toNumber(id)), 'underlying', own.contractSize, 1);
}

/** An option has a contract size of its own; a leg has that of its product. */
function toValue(
  { product, conversion, contractSize, market }: Priced,
  is: string,
  size: Decimal | null,
  weight: number,
): UnderlyingValue | null {
  const units = (size ?? contractSize)?.times(weight) ?? null;
  if (units === null || conversion === null || market === null) return null;
  const converted = deriveQuantity(
    'USD',
    `${market.is} × tick size ${conversion.factor}`,
    [market.price],
    ([ticks]) => ticks?.times(conversion.factor) ?? null,
  );
  const price = conversion.withheld === null ? converted : { ...converted, value: null, withheld: conversion.withheld };
  return { of: `${is} ${toName(product)}`, units, price, usdPerContract: price.value?.times(units).toNumber() ?? null };
}

function toName(product: DeskProduct | null): string {
  return product?.symbol ?? 'without a symbol';
}
