import { toNumber } from '#contract/exchange/brand.ts';
import type { FractionalTicks, Ticks } from '#contract/exchange/amounts.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { asTicks, byIncrement, type Conversion } from '../units/conversions.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';
import type { IncrementCheck } from '../checks/increment-check.ts';
import type { ProductChecks } from '../markets/market-prices.ts';
import { countTickDigits } from '../price/price-digits.ts';
import type { MarketPrice, MarketPriceOf } from './market-price.ts';
import { toUnderlyingValue, type UnderlyingValue } from './underlying-value.ts';
import { findProductConflict, type OrderProduct } from './product-conflict.ts';

/** How to convert the figures of a product's orders. Shared by all orders that say the same of their product. */
export interface OrderTerms {
  readonly productId: number;
  /** Null: not in the directory, the directory has not been read yet, or the product is in doubt. */
  readonly product: DeskProduct | null;
  /** Why it is unknown which product the order is for, although it names one; or null. */
  readonly doubt: string | null;
  /** Null without a published tick size; withheld where its check failed or is pending. */
  readonly conversion: Conversion<Ticks | FractionalTicks> | null;
  readonly contractSize: Decimal | null;
  /** Ticks to USD as floats; null where they are not converted. */
  readonly usdPerTick: FloatScale | null;
  /** Contracts × ticks to USD as floats. */
  readonly usdPerContractTick: FloatScale | null;
  /** Fraction digits of a price in USD. */
  readonly digits: number;
  readonly check: IncrementCheck | null;
  /** What the distance of its orders is measured from; null where there is no price, or the product is in doubt. */
  readonly market: MarketPrice | null;
  readonly underlying: UnderlyingValue | null;
}

/**
 * A decimal as an integer over a power of ten. An integer × `times` ÷ `per` is the float nearest to the exact product,
 * unlike an integer × 0.05.
 */
interface FloatScale {
  readonly times: number;
  readonly per: number;
}

/** Null: the prices to check the tick size with have not been read yet. */
export type ChecksOf = (product: DeskProduct) => ProductChecks | null;

export type TermsOf = (order: OrderProduct) => OrderTerms;

const PENDING = 'The published tick size has not been checked against the exchange’s own USD prices yet.';
const LEAST_DIGITS = 2;

/** Looks up terms by product, each computed once. */
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

/** For orders of an earlier time: the market prices of today say nothing about them. */
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

/** By the tick size of the wrong product, a price would be wrong. */
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
