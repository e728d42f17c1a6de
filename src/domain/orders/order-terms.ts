import { toNumber } from '#contract/brand.ts';
import type { FractionalTicks, Ticks } from '#contract/amounts.ts';
import type { DeskProduct } from '#contract/desk.ts';
import type { ProductId } from '#contract/ids.ts';
import { wireText } from '#contract/json-text.ts';
import { byIncrement, type Conversion } from '../conversions.ts';
import { toDecimal, type Decimal } from '../decimal.ts';
import { countFractionDigits } from '../format-number.ts';
import type { IncrementCheck } from '../increment-check.ts';

/** What a product makes of the figures of its orders. All orders of a product share one. */
export interface OrderTerms {
  readonly productId: number;
  /** Null: the directory does not have it, or is not read yet. */
  readonly product: DeskProduct | null;
  /** Null: no increment is published. Withheld where the published one is known to be wrong, or not held against anything yet. */
  readonly conversion: Conversion<Ticks | FractionalTicks> | null;
  readonly contractSize: Decimal | null;
  /** Ticks to USD, in floats; null where they are not converted. */
  readonly usdPerTick: FloatScale | null;
  /** Contracts times ticks to USD, in floats. */
  readonly usdPerContractTick: FloatScale | null;
  /** Digits after the point of a price in USD. */
  readonly digits: number;
  readonly check: IncrementCheck | null;
}

/**
 * A decimal as a whole number over a power of ten. What comes of a whole number times the one and divided by the other
 * is the very float that the decimal's text names, which a product with 0.05 as a float often is not.
 */
interface FloatScale {
  readonly times: number;
  readonly per: number;
}

/** Null: what tells whether the increment holds has not been heard of yet. */
export type CheckOf = (product: DeskProduct) => IncrementCheck | null;

export type TermsOf = (id: ProductId) => OrderTerms;

const PENDING = 'The published increment has not been held against the venue’s own prices in USD yet.';
const LEAST_DIGITS = 2;

/** Looks products up by their id; each is worked out once. */
export function createTerms(directory: readonly DeskProduct[], checkOf: CheckOf): TermsOf {
  const products = new Map(directory.map((product) => [toNumber(product.product_id), product]));
  const known = new Map<number, OrderTerms>();
  return (id) => {
    const productId = toNumber(id);
    const found = known.get(productId);
    if (found !== undefined) return found;
    const product = products.get(productId);
    const terms = product === undefined ? withoutProduct(productId) : toTerms(product, checkOf(product));
    known.set(productId, terms);
    return terms;
  };
}

function withoutProduct(productId: number): OrderTerms {
  return { productId, product: null, conversion: null, contractSize: null, usdPerTick: null, usdPerContractTick: null, digits: LEAST_DIGITS, check: null };
}

function toTerms(product: DeskProduct, check: IncrementCheck | null): OrderTerms {
  const size = wireText(product, 'contract_size');
  const increment = wireText(product, 'price_increment');
  const conversion = byIncrement(product, check === null ? PENDING : check.reason);
  const contractSize = size === undefined ? null : toDecimal(size);
  const factor = conversion?.withheld === null ? toDecimal(conversion.factor) : null;
  return {
    productId: toNumber(product.product_id),
    product,
    conversion,
    contractSize,
    usdPerTick: factor && toFloatScale(factor),
    usdPerContractTick: factor && contractSize && toFloatScale(factor.times(contractSize)),
    digits: increment === undefined ? LEAST_DIGITS : Math.max(LEAST_DIGITS, countFractionDigits(increment)),
    check,
  };
}

function toFloatScale(factor: Decimal): FloatScale {
  const per = 10 ** factor.decimalPlaces();
  return { times: factor.times(per).toNumber(), per };
}
