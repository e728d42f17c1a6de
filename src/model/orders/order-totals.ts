import type { Order } from '#contract/exchange/order.ts';
import { Decimal, sumOf, toDecimal } from '../units/decimal.ts';
import { toContracts, toFilledNotional, toValueKind, type ValueKind } from './order-figures.ts';
import { type CountedOrder, isSummed, type OrderRow } from './order-row.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { isPending, type OrderTerms } from './order-terms.ts';

/** Totals of one side. */
export interface SideTotals {
  readonly side: Order['side'];
  readonly orders: number;
  /** Working quantity in contracts, whose size differs between products. Null if no order has a known quantity. */
  readonly remaining: Decimal | null;
  /** Number of different products. */
  readonly products: number;
  /**
   * Absolute value of the working quantity in USD, by kind. Kinds are never added up, and negative spread prices must
   * not offset others. Null if no order has a value.
   */
  readonly values: Readonly<Record<ValueKind, Decimal | null>>;
  /** Value of the underlying at market prices, in USD. Null if no order has a value. */
  readonly underlying: Decimal | null;
  /** Orders whose underlying has no value. */
  readonly withoutUnderlying: number;
  /** Orders without a value in USD: the price is withheld, or no tick size or contract size is published. */
  readonly withoutUsd: number;
  /** Orders excluded from every sum because a quantity is withheld, or in doubt. */
  readonly uncounted: number;
  /** These, and orders of which something else is in doubt. */
  readonly doubtful: number;
  /** Whether values in USD may follow, once the prices that check them have been read. */
  readonly isPending: boolean;
}

export interface OrderTotals {
  readonly orders: number;
  /** Bid, Ask, then any sides that the exchange may add. */
  readonly sides: readonly SideTotals[];
}

/** Computes exact totals: contracts × ticks are summed per product and converted to USD once. */
export function toOrderTotals(rows: readonly OrderRow[]): OrderTotals {
  const bySide = new Map<Order['side'], KindSums>([
    ['Bid', createKindSums()],
    ['Ask', createKindSums()],
  ]);
  for (const row of rows) {
    const byTerms = getOrAdd(bySide, row.order.side, createKindSums)[toValueKind(row.order)];
    addOrder(getOrAdd(byTerms, row.terms, createAccumulator), row);
  }
  const sides = [...bySide].map(([side, sums]) => toSideTotals(side, sums));
  return { orders: rows.length, sides: sides.filter(({ orders }) => orders > 0) };
}

/**
 * Sums by product and kind, because an order states its own product type, and orders of one product may contradict each
 * other.
 */
type KindSums = Readonly<Record<ValueKind, Map<OrderTerms, Accumulator>>>;

function createKindSums(): KindSums {
  return { outright: new Map(), premium: new Map(), difference: new Map() };
}

interface Accumulator {
  /** Number of orders in the sums. */
  orders: number;
  uncounted: number;
  readonly remaining: ExactSum;
  /** Contracts × ticks. */
  readonly product: ExactSum;
  /** Sums of orders whose figures are not safe integers. */
  odd: { readonly remaining: Decimal; readonly product: Decimal };
}
const ZERO = new Decimal(0);
const NOTHING_ODD = { remaining: ZERO, product: ZERO };

function createAccumulator(): Accumulator {
  return { orders: 0, uncounted: 0, remaining: createSum(), product: createSum(), odd: NOTHING_ODD };
}

/** A sum of integers. While exact, numbers are faster than bigints. */
interface ExactSum {
  settled: bigint;
  /** Not yet added to the settled sum. */
  recent: number;
}

function createSum(): ExactSum {
  return { settled: 0n, recent: 0 };
}

/** The sum of two such numbers is still exact. */
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

function addOrder(sums: Accumulator, row: OrderRow): void {
  if (!isSummed(row)) {
    sums.uncounted += 1;
    return;
  }
  const { order } = row;
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
    doubtful: parts.reduce(
      (sum, { terms, sums }) => sum + (terms.doubt === null ? 0 : sums.orders) + sums.uncounted,
      0,
    ),
    orders: parts.reduce((sum, { sums }) => sum + sums.orders + sums.uncounted, 0),
    uncounted: parts.reduce((sum, { sums }) => sum + sums.uncounted, 0),
    remaining: sumOf(parts.map(({ remaining }) => remaining)),
    products: new Set(parts.map(({ terms }) => terms.productId)).size,
    values: { outright: sumUsd(outright), premium: sumUsd(premium), difference: sumUsd(difference) },
    underlying: sumOf(parts.map(({ underlying }) => underlying)),
    withoutUnderlying: parts.reduce((sum, { sums, underlying }) => sum + (underlying === null ? sums.orders : 0), 0),
    withoutUsd: parts.reduce((sum, { sums, usd }) => sum + (usd === null ? sums.orders : 0), 0),
    isPending: parts.some(({ terms }) => isPending(terms)),
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

/** Filled quantity and value of one side. */
export interface FilledTotals {
  readonly side: Order['side'];
  readonly orders: number;
  /** In contracts, whose size differs between products. Null if no order has a known quantity. */
  readonly filled: Decimal | null;
  /** As absolute values, because the price of a spread may be negative. Null if no order has a value in USD. */
  readonly value: Decimal | null;
  /** Orders with fills whose value is unknown or withheld. */
  readonly unvalued: number;
  /** Whether values may follow, once the prices that check them have been read. */
  readonly isPending: boolean;
}

/** Totals fills by side, in order of occurrence. */
export function toFilledTotals(rows: readonly OrderRow[]): readonly FilledTotals[] {
  return [...Map.groupBy(rows, ({ order }) => order.side)].map(([side, own]) => {
    const filled = own.map((row) => ({
      contracts: toContracts(row, 'quantity_filled').value,
      usd: toFilledNotional(row).value?.abs() ?? null,
    }));
    return {
      side,
      orders: own.length,
      filled: sumOf(filled.map(({ contracts }) => contracts)),
      value: sumOf(filled.map(({ usd }) => usd)),
      unvalued: filled.filter(({ contracts, usd }) => usd === null && contracts?.gt(0) !== false).length,
      isPending: own.some(({ terms }) => isPending(terms)),
    };
  });
}

/** The exposure of one account's working orders, in USD of underlying notional. */
export interface AccountExposure {
  readonly account: string;
  readonly orders: number;
  /** Zero without orders on this side; null if none of them has a value. */
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
  /** Bid minus ask; null if either is unknown. */
  readonly net: Decimal | null;
  /** Sum of all sides. */
  readonly gross: Decimal | null;
  /** Orders not included in any sum. */
  readonly unvalued: number;
  /** Whether sums may follow, once the prices that check them have been read. */
  readonly isPending: boolean;
}

/** Computes exposures by account, in order of occurrence. */
export function toExposures(rows: readonly OrderRow[]): readonly AccountExposure[] {
  return [...Map.groupBy(rows, ({ order }) => order.account_id)].map(([account, own]) => toExposure(account, own));
}

function toExposure(account: string, rows: readonly OrderRow[]): AccountExposure {
  const { orders, sides } = toOrderTotals(rows);
  const [bid, ask] = [toSide(sides, 'Bid'), toSide(sides, 'Ask')];
  return {
    ...{ account, orders, bid, ask },
    net: bid && ask && bid.minus(ask),
    gross: sumOf(sides.map(({ underlying }) => underlying)),
    unvalued: sides.reduce((sum, { withoutUnderlying, uncounted }) => sum + withoutUnderlying + uncounted, 0),
    isPending: sides.some((side) => side.isPending),
  };
}

function toSide(sides: readonly SideTotals[], side: SideTotals['side']): Decimal | null {
  const found = sides.find((one) => one.side === side);
  return found === undefined ? ZERO : found.underlying;
}
