import { isOpen, scheduleOf, sessionAt } from '../../market/calendar.ts';
import type { Account, Micros, Order, Product, Side, TimeInForce, Trade } from '../../core/model.ts';
import { activityOf, atLeastOneTick, halfSpread } from '../products/activity.ts';
import { quoteFor, toTrade } from './background-trades.ts';
import { toNanos } from '../order-ids.ts';
import type { Prices } from '../prices/prices.ts';
import type { Random } from '../../core/random.ts';

const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;

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
}

/** A price that the market did not reach within a period. */
export function unreachedPrice(draft: Draft, { from, until }: RestingPeriod, context: GeneratorContext): number {
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
  const distance = 3 + 2 * halfSpread(product, high) + (high - low) * (0.25 + 2 * context.random.next());
  return atLeastOneTick(product, toward(draft) > 0 ? Math.floor(low - distance) : Math.ceil(high + distance));
}

/** Where the market came closest to an order within a period. It filled a part of the order there, and turned. */
export function findTurn(
  draft: Draft,
  { from, until }: RestingPeriod,
  context: GeneratorContext,
): Omit<Fill, 'quantity'> {
  const { product, side } = draft;
  const schedule = scheduleOf(product.kind);
  let turn = { time: from, fair: context.prices.fair(product, from) };
  const look = (time: Micros, fair: number): void => {
    if ((fair - turn.fair) * toward(draft) < 0 && isOpen(schedule, time)) turn = { time, fair };
  };
  // Coarse prices turn at whole hours only. A market that closes at one has its last price just before.
  for (let hour = Math.floor(from / HOUR + 1) * HOUR; hour < until; hour += HOUR) {
    const fair = context.prices.fair(product, hour);
    look(hour - 1, fair);
    look(hour, fair);
  }
  const last = Math.max(from, until - 1);
  look(last, context.exact.fair(product, last));
  const end = Math.min(turn.time + MINUTE, sessionAt(schedule, turn.time).settle, until);
  return {
    time: between(turn.time, end, context.random),
    price: quoteFor(side === 'Bid' ? 'Ask' : 'Bid', product, turn.fair),
  };
}

/** The direction in which a price becomes more aggressive: up for a buyer. */
export function toward({ side }: Draft): 1 | -1 {
  return side === 'Bid' ? 1 : -1;
}

/** A part of the quantity. */
export function part(quantity: number, random: Random): number {
  return quantity <= 1 ? quantity : random.between(1, quantity - 1);
}

export function between(from: Micros, until: Micros, random: Random): Micros {
  return from + Math.floor(Math.max(0, until - from) * random.next());
}
