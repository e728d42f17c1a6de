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
  /** Digits after the point of a price in USD. */
  readonly digits: number;
  readonly check: IncrementCheck | null;
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
  return { productId, product: null, conversion: null, contractSize: null, digits: LEAST_DIGITS, check: null };
}

function toTerms(product: DeskProduct, check: IncrementCheck | null): OrderTerms {
  const size = wireText(product, 'contract_size');
  const increment = wireText(product, 'price_increment');
  return {
    productId: toNumber(product.product_id),
    product,
    conversion: byIncrement(product, check === null ? PENDING : check.reason),
    contractSize: size === undefined ? null : toDecimal(size),
    digits: increment === undefined ? LEAST_DIGITS : Math.max(LEAST_DIGITS, countFractionDigits(increment)),
    check,
  };
}
