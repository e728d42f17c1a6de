import { toNumber } from '#contract/brand.ts';
import type { Order } from '#contract/order.ts';
import { wireText } from '#contract/wire-text.ts';
import { Decimal, sumOf, toDecimal } from '../units/decimal.ts';
import { isCounted, type CountedOrder } from './order-quantities.ts';
import type { OrderRow } from './order-row.ts';
import type { OrderTerms } from './order-terms.ts';

/** Totals of one side. */
export interface SideTotals {
  readonly side: Order['side'];
  readonly orders: number;
  /** Working quantity in contracts, whose size differs between products. Null if no order has one. */
  readonly remaining: Decimal | null;
  /** Absolute value of the working quantity in USD: negative spread prices must not offset others. Null if no order has a value. */
  readonly notional: Decimal | null;
  /** Orders without a value in USD: their price is withheld, or no tick size or contract size is published. */
  readonly withoutUsd: number;
  /** Orders in no sum, because a quantity of theirs is withheld. */
  readonly uncounted: number;
}

export interface OrderTotals {
  readonly orders: number;
  /** Bid, Ask, then sides that the exchange may add. */
  readonly sides: readonly SideTotals[];
}

/** Exact totals: summed per product in contracts × ticks, then converted to USD once. */
export function toOrderTotals(rows: readonly OrderRow[]): OrderTotals {
  const bySide = new Map<Order['side'], Map<OrderTerms, Accumulator>>([
    ['Bid', new Map()],
    ['Ask', new Map()],
  ]);
  for (const { order, terms } of rows) {
    const byTerms = getOrAdd(bySide, order.side, () => new Map<OrderTerms, Accumulator>());
    addOrder(getOrAdd(byTerms, terms, createAccumulator), order);
  }
  const sides = [...bySide].map(([side, byTerms]) => toSideTotals(side, byTerms));
  return { orders: rows.length, sides: sides.filter(({ orders }) => orders > 0) };
}

interface Accumulator {
  /** Those that are added up. */
  orders: number;
  uncounted: number;
  remaining: bigint;
  /** Contracts × ticks. */
  product: bigint;
  /** Not yet added to `product`: numbers are faster than bigints while they are exact. */
  recent: number;
  /** Orders whose figures are not safe integers. */
  odd: { readonly remaining: Decimal; readonly product: Decimal };
}

const ZERO = new Decimal(0);
const NOTHING_ODD = { remaining: ZERO, product: ZERO };

function createAccumulator(): Accumulator {
  return { orders: 0, uncounted: 0, remaining: 0n, product: 0n, recent: 0, odd: NOTHING_ODD };
}

/** The sum of two is still exact. */
const SAFE = 2 ** 52;

function addOrder(sums: Accumulator, order: Order): void {
  if (!isCounted(order)) {
    sums.uncounted += 1;
    return;
  }
  const [requested, filled, price] = [toNumber(order.quantity_requested), toNumber(order.quantity_filled), toNumber(order.price)];
  sums.orders += 1;
  if (!Number.isSafeInteger(requested) || !Number.isSafeInteger(filled) || !Number.isSafeInteger(price)) {
    sums.odd = withOdd(sums.odd, order);
    return;
  }
  const remaining = requested - filled;
  const product = Math.abs(remaining * price);
  sums.remaining += BigInt(remaining);
  if (product >= SAFE) {
    sums.product += BigInt(Math.abs(remaining)) * BigInt(Math.abs(price));
    return;
  }
  sums.recent += product;
  if (sums.recent < SAFE) return;
  sums.product += BigInt(sums.recent);
  sums.recent = 0;
}

/** Adds an order by its wire texts. */
function withOdd({ remaining, product }: Accumulator['odd'], order: CountedOrder): Accumulator['odd'] {
  const read = (field: 'quantity_requested' | 'quantity_filled' | 'price'): Decimal => toDecimal(wireText(order, field));
  const working = read('quantity_requested').minus(read('quantity_filled'));
  return { remaining: remaining.plus(working), product: product.plus(working.times(read('price')).abs()) };
}

function toSideTotals(side: Order['side'], byTerms: ReadonlyMap<OrderTerms, Accumulator>): SideTotals {
  const parts = [...byTerms].map(([terms, sums]) => ({ sums, usd: toUsd(terms, sums) }));
  return {
    side,
    orders: parts.reduce((sum, { sums }) => sum + sums.orders + sums.uncounted, 0),
    uncounted: parts.reduce((sum, { sums }) => sum + sums.uncounted, 0),
    remaining: sumOf(parts.map(({ sums }) => (sums.orders === 0 ? null : sums.odd.remaining.plus(sums.remaining.toString())))),
    notional: sumOf(parts.map(({ usd }) => usd)),
    withoutUsd: parts.reduce((sum, { sums, usd }) => sum + (usd === null ? sums.orders : 0), 0),
  };
}

function toUsd({ conversion, contractSize }: OrderTerms, { orders, product, recent, odd }: Accumulator): Decimal | null {
  if (orders === 0 || conversion?.withheld !== null || contractSize === null) return null;
  return odd.product.plus((product + BigInt(recent)).toString()).times(conversion.factor).times(contractSize);
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
