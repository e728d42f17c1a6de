import { toNumber } from '#contract/brand.ts';
import type { Order } from '#contract/order.ts';
import { wireText } from '#contract/json-text.ts';
import { Decimal, sumOf } from '../decimal.ts';
import type { OrderRow } from './order-row.ts';
import type { OrderTerms } from './order-terms.ts';

/** Sums over orders of one side. */
export interface SideTotals {
  readonly side: Order['side'];
  readonly orders: number;
  /** Contracts that still rest. Contracts of different products are of different size. */
  readonly remaining: Decimal;
  /** USD of what still rests; null where no order has one. */
  readonly notional: Decimal | null;
  /** Orders that are not in the sum of USD: their price is withheld, or no increment or size is published. */
  readonly withoutUsd: number;
}

export interface OrderTotals {
  readonly orders: number;
  /** Bid first, then Ask, then what the venue may add. */
  readonly sides: readonly SideTotals[];
}

/** Exactly added up: per product in whole contracts times whole ticks, and made USD once. */
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
}

function createTally(): Tally {
  return { orders: 0, remaining: 0n, product: 0n, recent: 0 };
}

/** Two of these add up to a number that is still exact. */
const SAFE = 2 ** 52;

function addOrder(tally: Tally, order: Order): void {
  const remaining = toNumber(order.quantity_requested) - toNumber(order.quantity_filled);
  const product = remaining * toNumber(order.price);
  tally.orders += 1;
  tally.remaining += BigInt(remaining);
  if (Math.abs(product) >= SAFE) {
    tally.product += BigInt(remaining) * BigInt(wireText(order, 'price'));
    return;
  }
  tally.recent += product;
  if (Math.abs(tally.recent) < SAFE) return;
  tally.product += BigInt(tally.recent);
  tally.recent = 0;
}

function toSideTotals(side: Order['side'], tallies: ReadonlyMap<OrderTerms, Tally>): SideTotals {
  const parts = [...tallies].map(([terms, tally]) => ({ tally, usd: toUsd(terms, tally) }));
  return {
    side,
    orders: parts.reduce((sum, { tally }) => sum + tally.orders, 0),
    remaining: new Decimal(parts.reduce((sum, { tally }) => sum + tally.remaining, 0n).toString()),
    notional: sumOf(parts.map(({ usd }) => usd)),
    withoutUsd: parts.reduce((sum, { tally, usd }) => sum + (usd === null ? tally.orders : 0), 0),
  };
}

function toUsd({ conversion, contractSize }: OrderTerms, { product, recent }: Tally): Decimal | null {
  if (conversion?.withheld !== null || contractSize === null) return null;
  return new Decimal((product + BigInt(recent)).toString()).times(conversion.factor).times(contractSize);
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
