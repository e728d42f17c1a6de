import { toNumber } from '#contract/brand.ts';
import type { Order } from '#contract/order.ts';
import { wireText } from '#contract/json-text.ts';
import { Decimal, sumOf, toDecimal } from '../decimal.ts';
import type { OrderRow } from './order-row.ts';
import type { OrderTerms } from './order-terms.ts';

/** Sums over orders of one side. */
export interface SideTotals {
  readonly side: Order['side'];
  readonly orders: number;
  /** Contracts that still rest. Contracts of different products are of different size. */
  readonly remaining: Decimal;
  /** USD of what still rests, without the sign of spreads’ prices, which would set them off against each other; null where no order has one. */
  readonly notional: Decimal | null;
  /** Orders that are not in the sum of USD: their price is withheld, or no increment or size is published. */
  readonly withoutUsd: number;
}

export interface OrderTotals {
  readonly orders: number;
  /** Bid first, then Ask, then what the venue may add. */
  readonly sides: readonly SideTotals[];
}

/** Exactly added up: per product in contracts times ticks, and made USD once. */
export function toOrderTotals(rows: readonly OrderRow[]): OrderTotals {
  const bySide = new Map<Order['side'], Map<OrderTerms, Tally>>([
    ['Bid', new Map()],
    ['Ask', new Map()],
  ]);
  for (const { order, terms } of rows) {
    const tallies = getOrAdd(bySide, order.side, () => new Map<OrderTerms, Tally>());
    addOrder(getOrAdd(tallies, terms, createTally), order);
  }
  const sides = [...bySide].map(([side, tallies]) => toSideTotals(side, tallies));
  return { orders: rows.length, sides: sides.filter(({ orders }) => orders > 0) };
}

interface Tally {
  orders: number;
  remaining: bigint;
  /** Contracts times ticks. */
  product: bigint;
  /** What is not in `product` yet: numbers are faster, for as long as they are exact. */
  recent: number;
  /** Of orders that a number cannot hold exactly, or that are no whole contracts or ticks. */
  odd: { readonly remaining: Decimal; readonly product: Decimal };
}

const ZERO = new Decimal(0);
const NOTHING_ODD = { remaining: ZERO, product: ZERO };

function createTally(): Tally {
  return { orders: 0, remaining: 0n, product: 0n, recent: 0, odd: NOTHING_ODD };
}

/** Two of these add up to a number that is still exact. */
const SAFE = 2 ** 52;

function addOrder(tally: Tally, order: Order): void {
  const [requested, filled, price] = [toNumber(order.quantity_requested), toNumber(order.quantity_filled), toNumber(order.price)];
  tally.orders += 1;
  if (!Number.isSafeInteger(requested) || !Number.isSafeInteger(filled) || !Number.isSafeInteger(price)) {
    tally.odd = withOdd(tally.odd, order);
    return;
  }
  const remaining = requested - filled;
  const product = Math.abs(remaining * price);
  tally.remaining += BigInt(remaining);
  if (product >= SAFE) {
    tally.product += BigInt(Math.abs(remaining)) * BigInt(Math.abs(price));
    return;
  }
  tally.recent += product;
  if (tally.recent < SAFE) return;
  tally.product += BigInt(tally.recent);
  tally.recent = 0;
}

/** By the wire's own digits. */
function withOdd({ remaining, product }: Tally['odd'], order: Order): Tally['odd'] {
  const read = (field: 'quantity_requested' | 'quantity_filled' | 'price'): Decimal => toDecimal(wireText(order, field));
  const rests = read('quantity_requested').minus(read('quantity_filled'));
  return { remaining: remaining.plus(rests), product: product.plus(rests.times(read('price')).abs()) };
}

function toSideTotals(side: Order['side'], tallies: ReadonlyMap<OrderTerms, Tally>): SideTotals {
  const parts = [...tallies].map(([terms, tally]) => ({ tally, usd: toUsd(terms, tally) }));
  return {
    side,
    orders: parts.reduce((sum, { tally }) => sum + tally.orders, 0),
    remaining: parts.reduce((sum, { tally }) => sum.plus(tally.odd.remaining).plus(tally.remaining.toString()), ZERO),
    notional: sumOf(parts.map(({ usd }) => usd)),
    withoutUsd: parts.reduce((sum, { tally, usd }) => sum + (usd === null ? tally.orders : 0), 0),
  };
}

function toUsd({ conversion, contractSize }: OrderTerms, { product, recent, odd }: Tally): Decimal | null {
  if (conversion?.withheld !== null || contractSize === null) return null;
  return odd.product.plus((product + BigInt(recent)).toString()).times(conversion.factor).times(contractSize);
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
