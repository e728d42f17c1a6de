import { toNumber } from '#contract/exchange/brand.ts';
import type { Order } from '#contract/exchange/order.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { Decimal, sumOf, toDecimal } from '../units/decimal.ts';
import { toValueKind, type ValueKind } from './order-figures.ts';
import { isCounted, type CountedOrder } from './order-quantities.ts';
import type { OrderRow } from './order-row.ts';
import type { OrderTerms } from './order-terms.ts';

/** Totals of one side. */
export interface SideTotals {
  readonly side: Order['side'];
  readonly orders: number;
  /** Working quantity in contracts, whose size differs between products. Null if no order has one. */
  readonly remaining: Decimal | null;
  /** How many products these contracts are of. */
  readonly products: number;
  /** Absolute value of the working quantity in USD by kind, never added up over kinds: negative spread prices must not offset others. Null if no order has a value. */
  readonly values: Readonly<Record<ValueKind, Decimal | null>>;
  /** Value of the underlying at market prices, in USD. Null if no order has one. */
  readonly underlying: Decimal | null;
  /** Orders without a value of their underlying. */
  readonly withoutUnderlying: number;
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
  const bySide = new Map<Order['side'], KindSums>([
    ['Bid', createKindSums()],
    ['Ask', createKindSums()],
  ]);
  for (const { order, terms } of rows) {
    const byTerms = getOrAdd(bySide, order.side, createKindSums)[toValueKind(order)];
    addOrder(getOrAdd(byTerms, terms, createAccumulator), order);
  }
  const sides = [...bySide].map(([side, sums]) => toSideTotals(side, sums));
  return { orders: rows.length, sides: sides.filter(({ orders }) => orders > 0) };
}

/** Sums of products: an order says its product type itself, and orders of one product may contradict each other. */
type KindSums = Readonly<Record<ValueKind, Map<OrderTerms, Accumulator>>>;

function createKindSums(): KindSums {
  return { outright: new Map(), premium: new Map(), difference: new Map() };
}

interface Accumulator {
  /** Those that are added up. */
  orders: number;
  uncounted: number;
  readonly remaining: ExactSum;
  /** Contracts × ticks. */
  readonly product: ExactSum;
  /** Orders whose figures are not safe integers. */
  odd: { readonly remaining: Decimal; readonly product: Decimal };
}

const ZERO = new Decimal(0);
const NOTHING_ODD = { remaining: ZERO, product: ZERO };

function createAccumulator(): Accumulator {
  return { orders: 0, uncounted: 0, remaining: createSum(), product: createSum(), odd: NOTHING_ODD };
}

/** A sum of integers. Numbers are faster than bigints while they are exact. */
interface ExactSum {
  settled: bigint;
  /** Not yet added to what is settled. */
  recent: number;
}

function createSum(): ExactSum {
  return { settled: 0n, recent: 0 };
}

/** The sum of two is still exact. */
const SAFE = 2 ** 52;

function add(sum: ExactSum, value: number): void {
  if (Math.abs(value) < SAFE) sum.recent += value;
  else sum.settled += BigInt(value);
  if (Math.abs(sum.recent) < SAFE) return;
  sum.settled += BigInt(sum.recent);
  sum.recent = 0;
}

function toText({ settled, recent }: ExactSum): string {
  return settled === 0n ? String(recent) : (settled + BigInt(recent)).toString();
}

function addOrder(sums: Accumulator, order: Order): void {
  if (!isCounted(order)) {
    sums.uncounted += 1;
    return;
  }
  const [requested, filled, price] = [
    toNumber(order.quantity_requested),
    toNumber(order.quantity_filled),
    toNumber(order.price),
  ];
  sums.orders += 1;
  if (!Number.isSafeInteger(requested) || !Number.isSafeInteger(filled) || !Number.isSafeInteger(price)) {
    sums.odd = withOdd(sums.odd, order);
    return;
  }
  const remaining = requested - filled;
  const product = Math.abs(remaining * price);
  add(sums.remaining, remaining);
  if (product < SAFE) add(sums.product, product);
  else sums.product.settled += BigInt(Math.abs(remaining)) * BigInt(Math.abs(price));
}

/** Adds an order by its wire texts. */
function withOdd({ remaining, product }: Accumulator['odd'], order: CountedOrder): Accumulator['odd'] {
  const read = (field: 'quantity_requested' | 'quantity_filled' | 'price'): Decimal =>
    toDecimal(wireText(order, field));
  const working = read('quantity_requested').minus(read('quantity_filled'));
  return { remaining: remaining.plus(working), product: product.plus(working.times(read('price')).abs()) };
}

function toSideTotals(side: Order['side'], byKind: KindSums): SideTotals {
  const partsOf = (kind: ValueKind) =>
    [...byKind[kind]].map(([terms, sums]) => ({
      terms,
      sums,
      usd: toUsd(terms, sums),
      remaining: toRemaining(sums),
      underlying: toUnderlying(terms, sums),
    }));
  const [outright, premium, difference] = [partsOf('outright'), partsOf('premium'), partsOf('difference')];
  const parts = [...outright, ...premium, ...difference];
  const sumUsd = (some: typeof parts): Decimal | null => sumOf(some.map(({ usd }) => usd));
  return {
    side,
    orders: parts.reduce((sum, { sums }) => sum + sums.orders + sums.uncounted, 0),
    uncounted: parts.reduce((sum, { sums }) => sum + sums.uncounted, 0),
    remaining: sumOf(parts.map(({ remaining }) => remaining)),
    products: new Set(parts.map(({ terms }) => terms.productId)).size,
    values: { outright: sumUsd(outright), premium: sumUsd(premium), difference: sumUsd(difference) },
    underlying: sumOf(parts.map(({ underlying }) => underlying)),
    withoutUnderlying: parts.reduce((sum, { sums, underlying }) => sum + (underlying === null ? sums.orders : 0), 0),
    withoutUsd: parts.reduce((sum, { sums, usd }) => sum + (usd === null ? sums.orders : 0), 0),
  };
}

function toRemaining({ orders, odd, remaining }: Accumulator): Decimal | null {
  return orders === 0 ? null : odd.remaining.plus(toText(remaining));
}

function toUnderlying({ underlying }: OrderTerms, sums: Accumulator): Decimal | null {
  const [contracts, price] = [toRemaining(sums), underlying?.price.value ?? null];
  return contracts === null || price === null || underlying === null
    ? null
    : contracts.times(underlying.units).times(price);
}

function toUsd({ conversion, contractSize }: OrderTerms, { orders, product, odd }: Accumulator): Decimal | null {
  if (orders === 0 || conversion?.withheld !== null || contractSize === null) return null;
  return odd.product.plus(toText(product)).times(conversion.factor).times(contractSize);
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
