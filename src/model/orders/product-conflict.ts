import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Order } from '#contract/exchange/order.ts';

/** What an order says about its product. */
export type OrderProduct = Pick<Order, 'product_id' | 'symbol' | 'product_type'>;

/** The product type of orders, by that of specifications; others cannot be compared. */
const ORDER_TYPES: Readonly<Record<string, Order['product_type']>> = {
  future: 'Future',
  perpetual: 'Future',
  spread: 'Spread',
  option: 'Option',
};
const COMPARED: ReadonlySet<Order['product_type']> = new Set(Object.values(ORDER_TYPES));

/** How an order contradicts the specification of its product id, so that it is unknown which product it is for; or null. */
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
