import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { RecordedPrice } from '#contract/desk/journal.ts';
import { type ProductChecks, type TicksConversion, toLastPrice } from '../markets/market-prices.ts';
import type { Source, Sourced } from '../response.ts';
import { asTicks, byIncrement, type Conversion, deriveQuantity, type Quantity, toQuantity } from '../units/quantity.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import type { FractionalTicks, Ticks } from '#contract/exchange/amounts.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { type IncrementCheck, whyWithheld } from '../checks/judge-prices.ts';
import { countTickDigits } from '../format/number.ts';
import type { DoubtOf, OrderDoubt } from './order-doubts.ts';

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

export type MarketPriceOf = (productId: number) => MarketPrice | null;

/**
 * Creates a function that looks up market prices by product ID; null if there is no price, or if the exchange offers no
 * product data.
 */
export function createMarketPriceOf(data: Sourced<readonly RecordedPrice[]> | undefined): MarketPriceOf {
  if (data === undefined) return () => null;
  const rows = new Map(data.value.map((row) => [toNumber(row.product_id), row]));
  return (productId) => {
    const row = rows.get(productId);
    return row === undefined ? null : toPriceOf(data, row);
  };
}

/** Returns the market price that a row of product data shows; null if it shows none. */
function toPriceOf(source: Source, row: RecordedPrice): MarketPrice | null {
  const settlement = (): Quantity =>
    toQuantity({ source, dataTime: row.settlement_time }, row, 'settlement_price', asTicks);
  return toMarketPrice('last trade', toLastPrice(source, row, asTicks)) ?? toMarketPrice('settlement', settlement());
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
  /** Why a part of the order cannot be right, or null. */
  readonly doubt: OrderDoubt | null;
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

export type TermsOf = (order: Order) => OrderTerms;

const PENDING = 'The published tick size has not been checked against the exchange’s own USD prices yet.';
const LEAST_DIGITS = 2;

/** Creates a function that looks up terms by product. Each is computed once. */
export function createTerms(
  directory: readonly DeskProduct[],
  checksOf: ChecksOf,
  marketOf: MarketPriceOf = () => null,
  doubtOf: DoubtOf = () => null,
): TermsOf {
  return createTermsAt(directory, checksOf)(marketOf, doubtOf);
}

/**
 * Creates a function that creates terms for the market prices of a time. What does not depend on these is computed once
 * for all times.
 */
export function createTermsAt(
  directory: readonly DeskProduct[],
  checksOf: ChecksOf,
): (marketOf: MarketPriceOf, doubtOf?: DoubtOf) => TermsOf {
  const products = new Map(directory.map((product) => [toNumber(product.product_id), product]));
  const known = new Map<number, { readonly terms: OrderTerms; readonly checks: ProductChecks | null }>();
  const lookUp = (productId: number) => {
    const found = known.get(productId);
    if (found !== undefined) return found;
    const product = products.get(productId);
    const checks = product === undefined ? null : checksOf(product);
    const made = { terms: product === undefined ? withoutProduct(productId) : toTerms(product, checks), checks };
    known.set(productId, made);
    return made;
  };
  return (marketOf, doubtOf = () => null) =>
    createTermsOf(
      products,
      (productId) => {
        const { terms, checks } = lookUp(productId);
        return { ...terms, market: withholdMarket(marketOf(productId), checks) };
      },
      doubtOf,
    );
}

function createTermsOf(
  products: ReadonlyMap<number, DeskProduct>,
  toPriced: (productId: number) => OrderTerms,
  doubtOf: DoubtOf,
): TermsOf {
  const known = new Map<number | string, OrderTerms>();
  const lookUp = (key: number | string, create: () => OrderTerms): OrderTerms => {
    const terms = known.get(key) ?? create();
    known.set(key, terms);
    return terms;
  };
  return (order) => {
    const productId = toNumber(order.product_id);
    const product = products.get(productId);
    const conflict = product === undefined ? null : findProductConflict(order, product);
    if (conflict !== null) return lookUp(conflict, () => withDoubt(withoutProduct(productId), ofProduct(conflict)));
    const sound = lookUp(productId, () => {
      const priced = toPriced(productId);
      return { ...priced, underlying: toUnderlyingValue(priced, toPriced) };
    });
    const doubt = doubtOf(order, sound);
    return doubt === null ? sound : lookUp(`${String(productId)} ${doubt.reason}`, () => withDoubt(sound, doubt));
  };
}

/** Whether the prices that check the product's tick size are still being read, so that values may follow. */
export function isPending({ product, check }: OrderTerms): boolean {
  return product !== null && (check === null || check.verdict === 'pending');
}

/** Withholds a market price that the checks doubt. */
function withholdMarket(market: MarketPrice | null, checks: ProductChecks | null): MarketPrice | null {
  const doubt = checks && whyWithheld(checks.checks.reasons, 'product data price');
  return market === null || doubt === null
    ? market
    : { ...market, price: { ...market.price, value: null, withheld: doubt }, ticks: null };
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

function ofProduct(reason: string): OrderDoubt {
  return { of: 'Product', reason };
}

/** Withholds the prices of an order if the doubt is about them: the tick size of another product would be wrong too. */
function withDoubt(terms: OrderTerms, doubt: OrderDoubt): OrderTerms {
  if (doubt.of !== 'Product' && doubt.of !== 'Price') return { ...terms, doubt };
  return {
    ...terms,
    doubt,
    conversion: { ...asTicks, unit: 'USD', withheld: doubt.reason },
    usdPerTick: null,
    usdPerContractTick: null,
    market: null,
  };
}

/** Returns why a figure of an order is withheld although its product can be converted; null if it is not. */
export function whyInDoubt({ doubt }: OrderTerms, what: 'avg_price' | 'quantity'): string | null {
  if (doubt === null) return null;
  const { of, reason } = doubt;
  return (what === 'avg_price' ? of === 'Avg price' : of === 'Quantity' || of === 'Status') ? reason : null;
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
