import type { Quote } from '../../market/matching.ts';
import type { Micros, Order, Product, Side, TimeInForce } from '../../core/model.ts';
import { activityOf, atLeastOneTick, halfSpread } from '../products/activity.ts';
import { EVENT_RANKS, type EventQueue } from './event-queue.ts';
import { isListed, type MarketSetup } from '../market-setup.ts';
import type { CachedCalendar } from '../../market/calendar.ts';
import type { ChangeBuffer } from './change-buffer.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { takersMissing } from '../session-figures.ts';
import { createOrderIds } from '../order-ids.ts';

const DAY = 86_400_000_000;
const TAKER = 'taker';
/** How many ticks beyond the best price a taker accepts. */
const REACH = 3;

interface TakersContext {
  readonly setup: MarketSetup;
  readonly buffer: ChangeBuffer;
}

interface TradersContext extends TakersContext {
  readonly events: EventQueue;
  readonly calendar: CachedCalendar;
  readonly start: Micros;
}

/** Starts trading by participants that have no account in the simulation, for as long as the product is listed. */
export function startTakers(product: Product, time: Micros, context: TradersContext): void {
  const { setup, events, calendar, start } = context;
  const random = createRandom(setup.settings.seed, `takers/${product.id}/${start}`);
  const schedule = (from: Micros): void => {
    const { tradesPerDay } = activityOf(product, from);
    if (tradesPerDay === 0) return;
    const opened = Math.max(from, calendar.sessionOf(product, from).open);
    events.add(opened + Math.ceil(random.wait(DAY / tradesPerDay)), EVENT_RANKS.trade, act);
  };
  const act = (now: Micros): void => {
    if (!isListed(product, now)) return;
    if (calendar.isOpen(product, now)) take(product, now, random, context);
    schedule(now);
  };
  schedule(time);
}

function take(product: Product, time: Micros, random: Random, context: TradersContext): void {
  const side: Side = random.chance(0.5) ? 'Bid' : 'Ask';
  const best = context.setup.matching.book(product.id).best(oppositeOf(side));
  if (best === null) return;
  const quantity = Math.max(1, Math.round(activityOf(product, time).quantity * Math.exp(0.6 * random.normal() - 0.18)));
  const price = atLeastOneTick(product, best.price + (side === 'Bid' ? REACH : -REACH));
  execute(product, { side, price, quantity }, time, context);
}

/** Lets takers trade as far as a mark or a settlement price, so that the session's low and high contain it. */
export function tradeUpTo(official: number, product: Product, time: Micros, context: TakersContext): void {
  for (const side of takersMissing(official, context.buffer.summaryOf(product.id)?.ohlc ?? null)) {
    const levels = context.setup.matching.book(product.id).levels(oppositeOf(side));
    const end = levels.findIndex(({ price }) => (side === 'Bid' ? price >= official : price <= official));
    const last = levels[end];
    if (last === undefined) continue;
    const passed = levels.slice(0, end).reduce((sum, level) => sum + level.quantity, 0);
    const quantity = passed + Math.min(last.quantity, activityOf(product, time).quantity);
    execute(product, { side, price: last.price, quantity }, time, context);
  }
}

function execute(product: Product, order: Quote, time: Micros, { setup: { matching }, buffer }: TakersContext): void {
  const stamp = buffer.stamp(time);
  buffer.record(matching.quote(TAKER, product.id, [order], stamp));
  matching.quote(TAKER, product.id, [], stamp);
}

function oppositeOf(side: Side): Side {
  return side === 'Bid' ? 'Ask' : 'Bid';
}

/** The mean time between two orders of all accounts together, at the usual activity. */
const BETWEEN_ORDERS = 15_000_000;

/** Starts sending and cancelling orders of the accounts. */
export function startAccountTrading(time: Micros, activity: number, context: TradersContext): void {
  const { setup, events, start } = context;
  const between = BETWEEN_ORDERS / activity;
  const random = createRandom(setup.settings.seed, `members/${start}`);
  const send = createSender(context, random);
  const act = (now: Micros): void => {
    send(now);
    cancelSurplus(now, context, random);
    events.add(now + Math.ceil(random.wait(between)), EVENT_RANKS.trade, act);
  };
  events.add(time + Math.ceil(random.wait(between)), EVENT_RANKS.trade, act);
}

function createSender({ setup, buffer, calendar }: TradersContext, random: Random): (time: Micros) => void {
  const { matching, prices, products, accounts } = setup;
  const ids = createOrderIds();
  return (time) => {
    const product = chooseProduct(products, (one) => isListed(one, time) && calendar.isOpen(one, time), time, random);
    if (product === null) return;
    const timeNs = buffer.stamp(time);
    const fair = prices.exact.fair(product, time);
    const side: Side = random.chance(0.5) ? 'Bid' : 'Ask';
    const best = matching.book(product.id).best(side === 'Bid' ? 'Ask' : 'Bid');
    const { price, timeInForce } = decide(product, { side, fair, best: best?.price ?? null }, random);
    const usual = activityOf(product, time).quantity * 1.5;
    const requested = Math.min(
      product.maxOrderQuantity,
      Math.max(1, Math.round(usual * Math.exp(0.9 * random.normal()))),
    );
    const order: Order = {
      ...ids(timeNs),
      timeNs,
      productId: product.id,
      account: random.pick(accounts),
      side,
      price: atLeastOneTick(product, price),
      requested,
      timeInForce,
      filled: 0,
      filledTicks: 0,
      status: 'Working',
      lastModifiedNs: timeNs,
    };
    buffer.record(matching.submit(order));
  };
}

interface Situation {
  readonly side: Side;
  readonly fair: number;
  /** The best price to trade at. */
  readonly best: number | null;
}

/** Decides whether an order executes now, rests near the market, or rests far from it. */
function decide(
  product: Product,
  { side, fair, best }: Situation,
  random: Random,
): { readonly price: number; readonly timeInForce: TimeInForce } {
  const toward = side === 'Bid' ? 1 : -1;
  const half = halfSpread(product, fair);
  const share = random.next();
  if (share < 0.35 && best !== null) {
    const timeInForce = random.pick<TimeInForce>(['IOC', 'IOC', 'IOC', 'Day', 'GTC']);
    // Some of these prices are not good enough to execute.
    return { price: best + toward * random.between(-1, 4), timeInForce };
  }
  const timeInForce = random.chance(0.4) ? 'Day' : 'GTC';
  const range = product.kind === 'spread' ? 30 : Math.max(6, fair * (product.kind === 'option' ? 0.3 : 0.03));
  const away = share < 0.7 ? half * (0.5 + 3 * random.next()) : half + range * (0.05 + random.next());
  return { price: Math.round(fair - toward * away), timeInForce };
}

/** Cancels the orders that exceed the accounts' usual number. */
function cancelSurplus(time: Micros, { setup, buffer }: TradersContext, random: Random): void {
  const resting = [...setup.matching.orders()];
  const surplus = resting.length - setup.settings.working;
  const count = surplus > 0 ? 1 + Math.floor(surplus / 100) : random.chance(0.1) ? 1 : 0;
  for (let at = 0; at < count; at++) {
    const order = resting[Math.floor(random.next() * resting.length)];
    if (order !== undefined) buffer.record(setup.matching.cancel(order.id, buffer.stamp(time)));
  }
}

/** Chooses a product. Busier products get more orders, but each gets some. */
function chooseProduct(
  products: ReadonlyMap<number, Product>,
  isTradable: (product: Product) => boolean,
  time: Micros,
  random: Random,
): Product | null {
  const tradable: Product[] = [];
  const bounds: number[] = [];
  let sum = 0;
  for (const product of products.values()) {
    if (!isTradable(product)) continue;
    const { tradesPerDay } = activityOf(product, time);
    if (tradesPerDay === 0) continue;
    sum += Math.sqrt(tradesPerDay) + 3;
    tradable.push(product);
    bounds.push(sum);
  }
  const place = random.next() * sum;
  return tradable[bounds.findIndex((bound) => place < bound)] ?? null;
}
