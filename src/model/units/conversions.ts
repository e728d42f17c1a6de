import type {
  Cents,
  Contracts,
  FractionalTicks,
  RatePerInterval,
  Ticks,
  Usd,
  UsdText,
} from '#contract/exchange/amounts.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toDecimal, type Decimal } from './decimal.ts';

/** Unit of a number on the screen. */
export type QuantityUnit = 'USD' | 'contracts' | 'ticks' | 'per interval' | 'fraction';

/** The specification that a conversion relies on. */
export interface SpecUsed {
  readonly productId: number;
  readonly symbol: string | null;
  readonly field: 'price_increment';
  readonly wireText: string;
}

/** How a wire value of one type becomes a number in a unit. */
export interface Conversion<Wire> {
  /** For type checking only: ties the conversion to its wire type. */
  readonly accepts?: (wire: Wire) => void;
  readonly wireUnit: string;
  readonly unit: QuantityUnit;
  /** Multiplier of the wire's number, as a plain decimal. */
  readonly factor: string;
  readonly spec: SpecUsed | null;
  /** Why the result must not be shown, or null. */
  readonly withheld: string | null;
}

const plain = { factor: '1', spec: null, withheld: null } as const;

/** Chart prices and trailing statistics, which come in USD. */
export const asUsd: Conversion<UsdText | Usd> = { ...plain, wireUnit: 'USD', unit: 'USD' };
export const fromCents: Conversion<Cents> = { ...plain, wireUnit: 'US cents', unit: 'USD', factor: '0.01' };
export const asContracts: Conversion<Contracts> = { ...plain, wireUnit: 'contracts', unit: 'contracts' };
export const asTicks: Conversion<Ticks | FractionalTicks> = { ...plain, wireUnit: 'ticks', unit: 'ticks' };
export const asRate: Conversion<RatePerInterval> = {
  ...plain,
  wireUnit: 'fraction per interval',
  unit: 'per interval',
};

/** Ticks to USD by the published tick size; null without one. `withheld` says why the result must not be shown. */
export function byIncrement(product: DeskProduct, withheld: string | null): Conversion<Ticks | FractionalTicks> | null {
  const increment = wireText(product, 'price_increment');
  if (increment === undefined) return null;
  const productId = Number(wireText(product, 'product_id'));
  const spec: SpecUsed = { productId, symbol: product.symbol ?? null, field: 'price_increment', wireText: increment };
  return { wireUnit: 'ticks', unit: 'USD', factor: toDecimal(increment).toFixed(), spec, withheld };
}

/** Converts a wire text to a number in the conversion's unit. */
export function convert(text: string, { factor }: Pick<Conversion<never>, 'factor'>): Decimal {
  const value = toDecimal(text);
  return factor === plain.factor ? value : value.times(factor);
}
