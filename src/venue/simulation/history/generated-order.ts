import { isOpen, scheduleOf, sessionAt } from '../../market/calendar.ts';
import type { Account, Micros, Order, Product, Side, TimeInForce, Trade } from '../../core/model.ts';
import { activityOf, atLeastOneTick, halfSpread, quoteStep } from '../products/activity.ts';
import { quoteFor, toTrade } from './generated-trades.ts';
import { toNanos } from '../order-ids.ts';
import type { Prices } from '../prices.ts';
import type { Random } from '../../core/random.ts';

const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;
const LONGEST_GTC = 240 * HOUR;

/** An order of the generated history, before it gets its ids, and its trades. */
export interface GeneratedOrder {
  readonly order: Omit<Order, 'id' | 'openAckId'>;
  readonly trades: readonly Trade[];
}

/** The product and time of a new order. */
interface Opening {
  readonly product: Product;
  readonly time: Micros;
  /** When the Day orders of its session expire. */
  readonly settle: Micros;
  /** The end of the generated history. */
  readonly now: Micros;
}

interface GeneratorContext {
  readonly prices: Prices;
  /** Prices that are exact to the tick, to ensure that the market has not passed an order's price. */
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

/** Generates a closed order: executed at once, filled while it rested, cancelled or expired. */
export function makeClosed(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const share = context.random.next();
  if (share < 0.5) return makeAggressive(opening, context);
  if (share < 0.75) return makeFilled(opening, context);
  return makeUnfilled(opening, context);
}

/**
 * Generates a working order. It has been away from all prices since it was sent or, if it is not old, was partially
 * filled where they turned.
 */
export function makeResting(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random } = context;
  const draft = draftOf(opening, context, opening.settle > opening.now && random.chance(0.6) ? 'Day' : 'GTC');
  const period = { from: opening.time, until: opening.now };
  const partly = random.chance(0.4) && draft.requested > 1 && period.until - period.from < LONGEST_GTC;
  // Prices keep moving while the market is closed, and would pass an order that was close.
  if (!partly || !isOpen(scheduleOf(opening.product.kind), opening.now)) {
    return finish(draft, unreachedPrice(draft, period, context), { status: 'Working', closedAt: null, fills: [] });
  }
  const turn = findTurn(draft, period, context);
  const fills = [{ ...turn, quantity: part(draft.requested, random) }];
  return finish(draft, turn.price, { status: 'Working', closedAt: null, fills });
}

/** Generates an order that executes against the quotes at once. */
function makeAggressive(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.pick(['IOC', 'IOC', 'IOC', 'Day', 'GTC']));
  const { product, time, requested, timeInForce } = draft;
  const fair = prices.fair(product, time);
  const best = quoteFor(draft.side, product, fair);
  const unfilled = timeInForce === 'IOC' && random.chance(0.25);
  if (unfilled) {
    return finish(draft, atLeastOneTick(product, best - toward(draft) * random.between(1, 6)), closedAt(time, []));
  }
  const filled = timeInForce === 'IOC' && random.chance(0.25) ? part(requested, random) : requested;
  const first = filled > 3 && random.chance(0.5) ? part(filled, random) : filled;
  const fills = [{ time, price: best, quantity: first }];
  const worse = atLeastOneTick(product, best + toward(draft) * quoteStep(halfSpread(product, fair)));
  if (first < filled) fills.push({ time, price: worse, quantity: filled - first });
  return finish(draft, atLeastOneTick(product, worse + toward(draft) * random.between(0, 4)), closedAt(time, fills));
}

/** Generates an order that rests until the market reaches it. */
function makeFilled(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.chance(0.6) ? 'Day' : 'GTC');
  const { product, time, requested } = draft;
  const until = Math.min(opening.settle, opening.now, time + Math.floor(random.wait(2 * HOUR)));
  const times = Array.from({ length: 5 }, () => between(time, until, random)).sort((a, b) => a - b);
  const values = times.map((at) => atLeastOneTick(product, Math.round(prices.fair(product, at))));
  const price = toward(draft) > 0 ? Math.min(...values) : Math.max(...values);
  const filledAt = times[values.indexOf(price)] ?? time;
  const first = random.chance(0.4) && requested > 1 ? part(requested, random) : requested;
  const fills = [{ time: filledAt, price, quantity: first }];
  const last = between(filledAt, Math.min(until, filledAt + MINUTE), random);
  if (first < requested) fills.push({ time: last, price, quantity: requested - first });
  return finish(draft, price, closedAt(fills.at(-1)?.time ?? filledAt, fills));
}

/** Generates an order that rests, mostly unfilled, until it is cancelled or expires. */
function makeUnfilled(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random } = context;
  const timeInForce = random.chance(0.6) ? 'Day' : 'GTC';
  const draft = draftOf(opening, context, timeInForce);
  const { time, product, settle, now, requested } = draft;
  const end = timeInForce === 'Day' ? settle : Math.min(product.expiresAt ?? Infinity, time + LONGEST_GTC);
  const expires = end <= now && random.chance(0.4);
  const closed = expires ? end : between(time, Math.min(end, now), random);
  const partly = random.chance(0.4) && requested > 1;
  const period = { from: time, until: closed };
  if (!partly) return finish(draft, unreachedPrice(draft, period, context), closedAt(closed, []));
  const turn = findTurn(draft, period, context);
  return finish(draft, turn.price, closedAt(closed, [{ ...turn, quantity: part(requested, random) }]));
}

function draftOf(opening: Opening, { random, accounts }: GeneratorContext, timeInForce: TimeInForce): Draft {
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

function closedAt(time: Micros, fills: readonly Fill[]): Ending {
  return { status: 'Closed', closedAt: time, fills };
}

interface Ending {
  readonly status: Order['status'];
  readonly closedAt: Micros | null;
  readonly fills: readonly Fill[];
}

function finish(draft: Draft, price: number, { status, closedAt: end, fills }: Ending): GeneratedOrder {
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

/** Returns a price that the market did not reach within a period. */
function unreachedPrice(draft: Draft, { from, until }: RestingPeriod, context: GeneratorContext): number {
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

/** Finds where the market came closest to an order within a period, filled a part of it and turned. */
function findTurn(draft: Draft, { from, until }: RestingPeriod, context: GeneratorContext): Omit<Fill, 'quantity'> {
  const { product, side } = draft;
  const schedule = scheduleOf(product.kind);
  let turn = { time: from, fair: context.prices.fair(product, from) };
  const look = (time: Micros, fair: number): void => {
    if ((fair - turn.fair) * toward(draft) < 0 && isOpen(schedule, time)) turn = { time, fair };
  };
  // Coarse prices turn only at whole hours. A market that closes at one has its last price just before.
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

/** Returns the direction in which a price becomes more aggressive: up for a buyer. */
function toward({ side }: Draft): 1 | -1 {
  return side === 'Bid' ? 1 : -1;
}

/** Draws a part of the quantity. */
function part(quantity: number, random: Random): number {
  return quantity <= 1 ? quantity : random.between(1, quantity - 1);
}

function between(from: Micros, until: Micros, random: Random): Micros {
  return from + Math.floor(Math.max(0, until - from) * random.next());
}
