import type { Account, Micros, Order, Product, Side, TimeInForce, Trade } from '../../model.ts';
import { activityOf, halfSpread } from '../products/activity.ts';
import { toTrade } from './background-trades.ts';
import { toNanos } from '../order-ids.ts';
import type { Prices } from '../prices/prices.ts';
import type { Random } from '../random.ts';

const HOUR = 3_600_000_000;

/** An order of the generated history, still without its ids, and its trades. */
export interface GeneratedOrder {
  readonly order: Omit<Order, 'id' | 'openAckId'>;
  readonly trades: readonly Trade[];
}

/** The product and time of a new order. */
export interface Opening {
  readonly product: Product;
  readonly time: Micros;
  /** When the Day orders of its session expire. */
  readonly settle: Micros;
  /** The end of the generated history. */
  readonly now: Micros;
}

export interface GeneratorContext {
  readonly prices: Prices;
  /** Exact to the tick, for the price that the market must not have passed. */
  readonly exact: Prices;
  readonly random: Random;
  readonly accounts: readonly [Account, ...Account[]];
}

interface Draft extends Opening {
  readonly account: Account;
  readonly side: Side;
  readonly requested: number;
  readonly timeInForce: TimeInForce;
  readonly nanos: number;
}

interface Fill {
  readonly time: Micros;
  readonly price: number;
  readonly quantity: number;
}

export function draftOf(opening: Opening, { random, accounts }: GeneratorContext, timeInForce: TimeInForce): Draft {
  const usual = activityOf(opening.product, opening.time).quantity * 1.5;
  const requested = Math.round(usual * Math.exp(0.9 * random.normal())) || 1;
  return {
    ...opening,
    account: random.pick(accounts),
    side: random.chance(0.5) ? 'Bid' : 'Ask',
    requested: Math.min(opening.product.maxOrderQuantity, requested),
    timeInForce,
    nanos: random.between(0, 999),
  };
}

export function closedAt(time: Micros, fills: readonly Fill[]): Ending {
  return { status: 'Closed', closedAt: time, fills };
}

interface Ending {
  readonly status: Order['status'];
  readonly closedAt: Micros | null;
  readonly fills: readonly Fill[];
}

export function finish(draft: Draft, price: number, { status, closedAt: end, fills }: Ending): GeneratedOrder {
  const { product, time, account, side, requested, timeInForce, nanos } = draft;
  const opened = toNanos(time) + BigInt(nanos);
  const changed = toNanos(Math.max(time, end ?? fills.at(-1)?.time ?? time)) + BigInt(nanos);
  return {
    order: {
      timeNs: opened,
      productId: product.id,
      account,
      side,
      price,
      requested,
      timeInForce,
      filled: fills.reduce((sum, { quantity }) => sum + quantity, 0),
      filledTicks: fills.reduce((sum, fill) => sum + fill.price * fill.quantity, 0),
      status,
      lastModifiedNs: changed,
    },
    trades: fills.map((fill) => toTrade(product, fill.time, fill.price, fill.quantity)),
  };
}

interface RestingPeriod {
  readonly from: Micros;
  readonly until: Micros;
  /** The market reached the price, but did not pass it. */
  readonly touched: boolean;
}

/** A price that the market did not pass within a period. */
export function unreachedPrice(draft: Draft, { from, until, touched }: RestingPeriod, context: GeneratorContext): number {
  const { product } = draft;
  const start = Math.max(product.listedAt, from - 2 * HOUR);
  const end = Math.min(product.expiresAt ?? Infinity, until + 2 * HOUR);
  const steps = Math.min(40, Math.max(6, Math.ceil((end - start) / (2 * HOUR))));
  const last = context.exact.fair(product, Math.min(until, end));
  let [low, high] = [last, last];
  for (let step = 0; step <= steps; step++) {
    const fair = context.prices.fair(product, start + Math.floor(((end - start) * step) / steps));
    low = Math.min(low, fair);
    high = Math.max(high, fair);
  }
  const away = touched ? 0.02 : 0.25 + 2 * context.random.next();
  const distance = 3 + 2 * halfSpread(product, high) + (high - low) * away;
  return atLeastOne(product, toward(draft) > 0 ? Math.floor(low - distance) : Math.ceil(high + distance));
}

/** The direction in which a price becomes more aggressive: up for a buyer. */
export function toward({ side }: Draft): 1 | -1 {
  return side === 'Bid' ? 1 : -1;
}

export function atLeastOne({ kind }: Product, price: number): number {
  return kind === 'spread' ? price : Math.max(1, price);
}

/** A part of the quantity. */
export function part(quantity: number, random: Random): number {
  return quantity <= 1 ? quantity : random.between(1, quantity - 1);
}

export function between(from: Micros, until: Micros, random: Random): Micros {
  return from + Math.floor(Math.max(0, until - from) * random.next());
}
