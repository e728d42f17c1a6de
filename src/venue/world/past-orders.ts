import type { Account, Micros, Order, Product, Side, TimeInForce, Trade } from '../model.ts';
import { activityOf, halfSpread } from './activity.ts';
import { toTrade } from './background.ts';
import { toNanos } from './order-ids.ts';
import type { Prices } from './prices.ts';
import type { Random } from './random.ts';

const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;
const LONGEST_GTC = 10 * DAY;

/** An order of the past, still without its ids, and what it traded. */
export interface PastOrder {
  readonly order: Omit<Order, 'id' | 'openAckId'>;
  readonly trades: readonly Trade[];
}

/** Where and when an order of the past was sent. */
export interface Opening {
  readonly product: Product;
  readonly time: Micros;
  /** When Day orders of its session end. */
  readonly settle: Micros;
  /** How far the past goes. */
  readonly now: Micros;
}

export interface PastContext {
  readonly prices: Prices;
  /** Where an order must not have been passed by the market to the tick. */
  readonly exact: Prices;
  readonly random: Random;
  readonly accounts: readonly [Account, ...Account[]];
}

/** An order that is closed by now: taken at once, filled while it rested, cancelled or expired. */
export function makeClosed(opening: Opening, context: PastContext): PastOrder {
  const share = context.random.next();
  if (share < 0.5) return makeTaking(opening, context);
  if (share < 0.75) return makeFilled(opening, context);
  return makeGivenUp(opening, context);
}

/** An order that still rests: away from all prices since it was sent, or filled in part at the furthest of them. */
export function makeResting(opening: Opening, context: PastContext): PastOrder {
  const { random } = context;
  const draft = draftOf(opening, context, opening.settle > opening.now && random.chance(0.6) ? 'Day' : 'GTC');
  const partly = random.chance(0.3) && draft.requested > 1;
  const price = beyond(draft, { from: opening.time, until: opening.now, touched: partly }, context);
  const until = Math.min(opening.settle, opening.now);
  return finish(draft, price, {
    status: 'Working',
    closedAt: null,
    fills: partly ? [{ time: between(opening.time, until, random), price, quantity: part(draft.requested, random) }] : [],
  });
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

function draftOf(opening: Opening, { random, accounts }: PastContext, timeInForce: TimeInForce): Draft {
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

/** It met what was quoted. */
function makeTaking(opening: Opening, context: PastContext): PastOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.pick(['IOC', 'IOC', 'IOC', 'Day', 'GTC']));
  const { product, time, requested, timeInForce } = draft;
  const fair = prices.fair(product, time);
  const best = atLeastOne(product, Math.round(fair) + toward(draft) * halfSpread(product, fair));
  const missed = timeInForce === 'IOC' && random.chance(0.25);
  if (missed) {
    return finish(draft, atLeastOne(product, best - toward(draft) * random.between(1, 6)), closedAt(time, []));
  }
  const filled = timeInForce === 'IOC' && random.chance(0.25) ? part(requested, random) : requested;
  const first = filled > 3 && random.chance(0.5) ? part(filled, random) : filled;
  const fills = [{ time, price: best, quantity: first }];
  const worse = atLeastOne(product, best + toward(draft) * random.between(1, 3));
  if (first < filled) fills.push({ time, price: worse, quantity: filled - first });
  return finish(draft, atLeastOne(product, worse + toward(draft) * random.between(0, 4)), closedAt(time, fills));
}

/** It rested until the market came to it. */
function makeFilled(opening: Opening, context: PastContext): PastOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.chance(0.6) ? 'Day' : 'GTC');
  const { product, time, requested } = draft;
  const until = Math.min(opening.settle, opening.now, time + Math.floor(random.wait(2 * HOUR)));
  const moments = Array.from({ length: 5 }, () => between(time, until, random)).sort((a, b) => a - b);
  const values = moments.map((moment) => atLeastOne(product, Math.round(prices.fair(product, moment))));
  const price = toward(draft) > 0 ? Math.min(...values) : Math.max(...values);
  const met = moments[values.indexOf(price)] ?? time;
  const first = random.chance(0.4) && requested > 1 ? part(requested, random) : requested;
  const fills = [{ time: met, price, quantity: first }];
  const last = between(met, until, random);
  if (first < requested) fills.push({ time: last, price, quantity: requested - first });
  return finish(draft, price, closedAt(fills.at(-1)?.time ?? met, fills));
}

/** It rested in vain, or nearly: cancelled, or ended by its session. */
function makeGivenUp(opening: Opening, context: PastContext): PastOrder {
  const { random } = context;
  const timeInForce = random.chance(0.6) ? 'Day' : 'GTC';
  const draft = draftOf(opening, context, timeInForce);
  const { time, product, settle, now, requested } = draft;
  const end = timeInForce === 'Day' ? settle : Math.min(product.expiresAt ?? Infinity, time + LONGEST_GTC);
  const expires = end <= now && random.chance(0.4);
  const closed = expires ? end : between(time, Math.min(end, now), random);
  const partly = random.chance(0.4) && requested > 1;
  const price = beyond(draft, { from: time, until: closed, touched: partly }, context);
  const met = between(time, Math.min(closed, settle), random);
  return finish(draft, price, closedAt(closed, partly ? [{ time: met, price, quantity: part(requested, random) }] : []));
}

interface Wait {
  readonly from: Micros;
  readonly until: Micros;
  /** The market came just so far. */
  readonly touched: boolean;
}

/** A price that the market did not pass meanwhile. */
function beyond(draft: Draft, { from, until, touched }: Wait, context: PastContext): number {
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
  const gap = 3 + 2 * halfSpread(product, high) + (high - low) * away;
  return atLeastOne(product, toward(draft) > 0 ? Math.floor(low - gap) : Math.ceil(high + gap));
}

function closedAt(time: Micros, fills: readonly Fill[]): Ending {
  return { status: 'Closed', closedAt: time, fills };
}

interface Ending {
  readonly status: Order['status'];
  readonly closedAt: Micros | null;
  readonly fills: readonly Fill[];
}

function finish(draft: Draft, price: number, { status, closedAt: end, fills }: Ending): PastOrder {
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

/** The way in which giving in moves a price: up for a buyer. */
function toward({ side }: Draft): 1 | -1 {
  return side === 'Bid' ? 1 : -1;
}

function atLeastOne({ kind }: Product, price: number): number {
  return kind === 'spread' ? price : Math.max(1, price);
}

/** Some of it, but not all. */
function part(quantity: number, random: Random): number {
  return quantity <= 1 ? quantity : random.between(1, quantity - 1);
}

function between(from: Micros, until: Micros, random: Random): Micros {
  return from + Math.floor(Math.max(0, until - from) * random.next());
}
