import fc from 'fast-check';
import { DeskProducts } from '#contract/desk/desk.ts';
import { Order } from '#contract/exchange/order.ts';
import { createParser } from '#contract/parse/parse.ts';
import { list } from '#contract/exchange/schema.ts';
import type { ProductChecks } from '#model/markets/market-prices.ts';
import { toOrderRows, type OrderRow } from '#model/orders/order-row.ts';
import { createTerms, type TermsOf } from '#model/orders/order-terms.ts';
import type { Source } from '#model/response.ts';
import { sampleResponses } from './sample-responses.ts';

/** The response that test rows come from. */
const WORKING_SOURCE: Source = {
  endpoint: 'desk/working',
  target: '/api/desk/working',
  respondedAt: null,
  receivedAt: Date.parse('2026-08-18T00:00:00Z'),
  ageSeconds: 0,
  cache: 'computed',
  requestId: 'r1',
};

const parseOrders = createParser(list(Order)).tolerant;
const parseProducts = createParser(DeskProducts, 'products').tolerant;

/** Returns parsed orders. Fields that are not given are those of the interface's example. */
export function readOrders(fields: readonly object[]): readonly Order[] {
  return readOrderText(
    JSON.stringify(fields.map((some) => ({ ...sampleResponses.ordersWorking[0], ...symbolOf(some), ...some }))),
  );
}

function symbolOf({ product_id: id }: { readonly product_id?: number }): { readonly symbol?: string } {
  const product = PRODUCTS.find(({ product_id: known }) => known === id);
  return product === undefined ? {} : { symbol: product.symbol };
}

/** Parses orders from JSON text, for digits that a float cannot hold. */
export function readOrderText(text: string): readonly Order[] {
  const { value, setAside } = parseOrders(text);
  if (value === null || setAside.length > 0)
    throw new Error(`The orders of the test are not valid: ${JSON.stringify(setAside)}`);
  return value;
}

/** ODD has a wrong tick size, BARE publishes none, PERP is a perpetual; product 9 is not in the directory. */
const PRODUCTS = [
  { product_id: 1, symbol: 'GOOD', price_increment: 0.05, contract_size: 0.01 },
  { product_id: 2, symbol: 'FINE', price_increment: 0.000002, contract_size: 100_000 },
  { product_id: 3, symbol: 'ODD', price_increment: 0.000002, contract_size: 1 },
  { product_id: 4, symbol: 'BARE' },
  { product_id: 5, symbol: 'PERP', type: 'perpetual' },
] as const;

const CHECKS = { comparisons: [], reasons: new Map<never, never>() };
const OFF: ProductChecks = {
  checks: CHECKS,
  check: { verdict: 'off', comparison: null, reason: 'a thousand times too much' },
};
const AGREES: ProductChecks = { checks: CHECKS, check: { verdict: 'agrees', comparison: null, reason: null } };

function termsOfTest(): TermsOf {
  const { value } = parseProducts(
    JSON.stringify({ source: 'product/specs', read_at: '2026-08-17T00:00:00Z', products: PRODUCTS }),
  );
  return createTerms(value?.products ?? [], ({ symbol }) => (symbol === 'ODD' ? OFF : AGREES));
}

export function toRows(orders: readonly Order[], termsOf: TermsOf = termsOfTest()): readonly OrderRow[] {
  return toOrderRows(orders, WORKING_SOURCE, termsOf, 0);
}

/** Random values of the fields that a list sums, sorts and merges by. */
export const orderFields = fc.record({
  id: fc.bigInt({ min: 1n, max: 30n }).map((n) => String(7_674_028_327_896_836_500n + n)),
  product_id: fc.integer({ min: 1, max: 4 }),
  account_id: fc.constantFrom('A-1', 'A-2', 'B-1'),
  side: fc.constantFrom('Bid', 'Ask'),
  price: fc.oneof(
    fc.integer({ min: -1_000, max: 10_000_000 }),
    fc.constantFrom(9_007_199_254_740_991, -9_007_199_254_740_991),
  ),
  quantity_requested: fc.integer({ min: 1, max: 100_000 }),
  quantity_filled: fc.integer({ min: 0, max: 100 }),
  avg_price: fc.option(fc.integer({ min: 1, max: 9_999 }).map((n) => n / 8)),
});

/** Lists of possible orders with unique ids. */
export const orderLists = fc.uniqueArray(
  orderFields.map((fields) => {
    const filled = Math.min(fields.quantity_filled, fields.quantity_requested);
    return {
      ...fields,
      ...symbolOf(fields),
      quantity_filled: filled,
      // A single fill cannot be beyond the limit.
      avg_price: filled === 0 ? null : fields.quantity_requested === 1 ? fields.price : fields.avg_price,
    };
  }),
  { selector: ({ id }) => id, maxLength: 24 },
);
