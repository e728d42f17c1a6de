import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { type ProductChecks, type TicksConversion, toLastPrices } from '../markets/market-prices.ts';
import type { Sourced } from '../response.ts';
import { asTicks, byIncrement, type Conversion, deriveQuantity, type Quantity, toQuantity } from '../units/quantity.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import type { FractionalTicks, Ticks } from '#contract/exchange/amounts.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { IncrementCheck } from '../checks/judge-prices.ts';
import { countTickDigits } from '../format/number.ts';

/** What an order says about its product. */
type OrderProduct = Pick<Order, 'product_id' | 'symbol' | 'product_type'>;

/** The product type of orders for each type in specifications. Other types cannot be compared. */
const ORDER_TYPES: Readonly<Record<string, Order['product_type']>> = {
  future: 'Future',
  perpetual: 'Future',
  spread: 'Spread',
  option: 'Option',
};
const COMPARED: ReadonlySet<Order['product_type']> = new Set(Object.values(ORDER_TYPES));

/**
 * Returns how an order contradicts the specification of its product ID, or null. If it does, its product is unknown.
 *
 * @internal Exported for its test.
 */
export function findProductConflict(
  { symbol, product_type: type }: OrderProduct,
  { product_id: id, symbol: known, type: specType }: DeskProduct,
): string | null {
  const name = `product ${String(toNumber(id))}`;
  if (known !== undefined && !isSameSymbol(symbol, known))
    return explain(`Its symbol is ${symbol}, but ${name} is ${known}`);
  const expected = specType && ORDER_TYPES[specType];
  if (!expected || !COMPARED.has(type) || type === expected) return null;
  return explain(`Its product type is ${type}, but ${known ?? name} is a ${specType}`);
}

function isSameSymbol(a: string, b: string): boolean {
  return a === b || a.toUpperCase() === b.toUpperCase();
}

function explain(conflict: string): string {
  return `${conflict}, so nothing is computed from its price.`;
}

/**
 * The price from which the distance of orders is measured: the product's last trade, or its settlement if it never
 * traded.
 */
export interface MarketPrice {
  readonly is: 'last trade' | 'settlement';
  /** In ticks, so that distances do not depend on the tick size. */
  readonly price: Quantity;
  /** The price as a float; null if it is withheld. */
  readonly ticks: number | null;
}

type MarketPriceOf = (productId: number) => MarketPrice | null;

/**
 * Creates a function that looks up market prices by product ID; null if there is no price, or if the exchange offers no
 * product data.
 */
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

/** The terms on which the value of a product depends. */
interface Priced {
  readonly product: DeskProduct | null;
  readonly conversion: TicksConversion | null;
  readonly contractSize: Decimal | null;
  readonly market: MarketPrice | null;
}

/**
 * What one contract represents: for a future, the contract itself; for an option, its underlying; for a spread, its
 * first leg.
 *
 * @internal Exported for its test.
 */
export interface UnderlyingValue {
  /** In words, for the provenance. */
  readonly of: string;
  /** Units of the underlying in one contract. Spreads count as their first leg. */
  readonly units: Decimal;
  /** Market price of one unit, in USD. */
  readonly price: Quantity;
  /** USD per contract as a float; null if there is no price, or if it is withheld. */
  readonly usdPerContract: number | null;
}

/** Returns null without a specification, contract size, tick size or market price. */
function toUnderlyingValue(own: Priced, ofProduct: (productId: number) => Priced): UnderlyingValue | null {
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

/** Computes the value. An option has its own contract size; a leg has that of its product. */
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

/** How figures of a product's orders are converted. All orders that describe their product alike share one object. */
export interface OrderTerms {
  readonly productId: number;
  /** Null if the product is not in the product list, the list has not been read, or the product is doubtful. */
  readonly product: DeskProduct | null;
  /** Why it is unknown which product the order is for although it names one; or null. */
  readonly doubt: string | null;
  /** Null without a published tick size; withheld if its check failed or is pending. */
  readonly conversion: Conversion<Ticks | FractionalTicks> | null;
  readonly contractSize: Decimal | null;
  /** Converts ticks to USD as floats; null if they are not converted. */
  readonly usdPerTick: FloatScale | null;
  /** Converts contracts × ticks to USD as floats. */
  readonly usdPerContractTick: FloatScale | null;
  /** Fraction digits of a price in USD. */
  readonly digits: number;
  readonly check: IncrementCheck | null;
  /** The price from which the distance of orders is measured; null if there is none, or if the product is doubtful. */
  readonly market: MarketPrice | null;
  readonly underlying: UnderlyingValue | null;
}

/**
 * A decimal as an integer over a power of ten. An integer × `times` ÷ `per` is the float nearest to the exact product;
 * an integer × 0.05 is not.
 */
interface FloatScale {
  readonly times: number;
  readonly per: number;
}

/** Null if the prices that check the tick size have not been read yet. */
export type ChecksOf = (product: DeskProduct) => ProductChecks | null;

export type TermsOf = (order: OrderProduct) => OrderTerms;

const PENDING = 'The published tick size has not been checked against the exchange’s own USD prices yet.';
const LEAST_DIGITS = 2;

/** Creates a function that looks up terms by product. Each is computed once. */
export function createTerms(
  directory: readonly DeskProduct[],
  checksOf: ChecksOf,
  marketOf: MarketPriceOf = () => null,
): TermsOf {
  const products = new Map(directory.map((product) => [toNumber(product.product_id), product]));
  const known = new Map<number | string, OrderTerms>();
  const lookUp = (key: number | string, create: () => OrderTerms): OrderTerms => {
    const terms = known.get(key) ?? create();
    known.set(key, terms);
    return terms;
  };
  const toPriced = (productId: number): OrderTerms => {
    const product = products.get(productId);
    return {
      ...(product === undefined ? withoutProduct(productId) : toTerms(product, checksOf(product))),
      market: marketOf(productId),
    };
  };
  return (order) => {
    const productId = toNumber(order.product_id);
    const product = products.get(productId);
    const doubt = product === undefined ? null : findProductConflict(order, product);
    if (doubt !== null) return lookUp(doubt, () => toDoubtfulTerms(productId, doubt));
    return lookUp(productId, () => {
      const priced = toPriced(productId);
      return { ...priced, underlying: toUnderlyingValue(priced, toPriced) };
    });
  };
}

/** Orders of a past time have no market price: today's prices say nothing about them. */
export function withoutMarket(termsOf: TermsOf): TermsOf {
  const known = new WeakMap<OrderTerms, OrderTerms>();
  return (order) => {
    const terms = termsOf(order);
    const past = known.get(terms) ?? { ...terms, market: null, underlying: null };
    known.set(terms, past);
    return past;
  };
}

function withoutProduct(productId: number): OrderTerms {
  return {
    productId,
    product: null,
    doubt: null,
    conversion: null,
    contractSize: null,
    usdPerTick: null,
    usdPerContractTick: null,
    digits: LEAST_DIGITS,
    check: null,
    market: null,
    underlying: null,
  };
}

/** The tick size of the wrong product would give a wrong price. */
function toDoubtfulTerms(productId: number, doubt: string): OrderTerms {
  return { ...withoutProduct(productId), doubt, conversion: { ...asTicks, unit: 'USD', withheld: doubt } };
}

function toTerms(product: DeskProduct, checks: ProductChecks | null): OrderTerms {
  const size = wireText(product, 'contract_size');
  const increment = wireText(product, 'price_increment');
  const conversion = byIncrement(product, checks === null ? PENDING : checks.check.reason);
  const contractSize = size === undefined ? null : toDecimal(size);
  const factor = conversion?.withheld === null ? toDecimal(conversion.factor) : null;
  return {
    productId: toNumber(product.product_id),
    product,
    doubt: null,
    conversion,
    contractSize,
    usdPerTick: factor && toFloatScale(factor),
    usdPerContractTick: factor && contractSize && toFloatScale(factor.times(contractSize)),
    digits: increment === undefined ? LEAST_DIGITS : countTickDigits(increment),
    check: checks?.check ?? null,
    market: null,
    underlying: null,
  };
}

function toFloatScale(factor: Decimal): FloatScale {
  const per = 10 ** factor.decimalPlaces();
  return { times: factor.times(per).toNumber(), per };
}
