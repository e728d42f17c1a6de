import type { Cents, Contracts, FractionalTicks, RatePerInterval, Ticks, Usd, UsdText } from '#contract/amounts.ts';
import { wireText } from '#contract/json-text.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { toDecimal, type Decimal } from './decimal.ts';

/** What a number on the screen counts. */
export type QuantityUnit = 'USD' | 'contracts' | 'ticks' | 'per interval' | 'fraction';

/** Which product's specification a conversion relied on. */
export interface SpecUsed {
  readonly productId: number;
  readonly symbol: string | null;
  readonly field: 'price_increment';
  readonly wireText: string;
}

/** How a value of one type on the wire becomes a number in a unit. */
export interface Conversion<Wire> {
  /** Ties the conversion to the type it is made for; there is no such field. */
  readonly accepts?: (wire: Wire) => void;
  readonly wireUnit: string;
  readonly unit: QuantityUnit;
  /** What the wire's number is multiplied by, as a plain decimal. */
  readonly factor: string;
  readonly spec: SpecUsed | null;
  /** Why the result is not to be shown, or null. */
  readonly withheld: string | null;
}

const plain = { factor: '1', spec: null, withheld: null } as const;

/** Chart prices and trailing statistics: already converted. */
export const asUsd: Conversion<UsdText | Usd> = { ...plain, wireUnit: 'USD', unit: 'USD' };
export const fromCents: Conversion<Cents> = { ...plain, wireUnit: 'US cents', unit: 'USD', factor: '0.01' };
export const asContracts: Conversion<Contracts> = { ...plain, wireUnit: 'contracts', unit: 'contracts' };
export const asTicks: Conversion<Ticks | FractionalTicks> = { ...plain, wireUnit: 'ticks', unit: 'ticks' };
export const asRate: Conversion<RatePerInterval> = { ...plain, wireUnit: 'fraction per interval', unit: 'per interval' };

/** Ticks to USD by a product's published increment. Null where none is published; withheld where it is known to be wrong. */
export function byIncrement(product: DeskProduct, withheld: string | null): Conversion<Ticks | FractionalTicks> | null {
  const increment = wireText(product, 'price_increment');
  if (increment === undefined) return null;
  const productId = Number(wireText(product, 'product_id'));
  const spec: SpecUsed = { productId, symbol: product.symbol ?? null, field: 'price_increment', wireText: increment };
  return { wireUnit: 'ticks', unit: 'USD', factor: toDecimal(increment).toFixed(), spec, withheld };
}

/** Applies a conversion to the wire's text. */
export function convert(text: string, { factor }: Pick<Conversion<never>, 'factor'>): Decimal {
  const value = toDecimal(text);
  return factor === plain.factor ? value : value.times(factor);
}
