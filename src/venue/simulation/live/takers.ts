import type { Quote } from '../../market/matching.ts';
import type { Micros, Product, Side } from '../../core/model.ts';
import { activityOf, atLeastOneTick } from '../products/activity.ts';
import { EVENT_RANKS, type EventQueue } from './event-queue.ts';
import { isListed, type MarketSetup } from '../market-setup.ts';
import type { CachedCalendar } from './cached-calendar.ts';
import type { ChangeBuffer } from './change-buffer.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { takersMissing } from '../session-summary.ts';

const DAY = 86_400_000_000;
const TAKER = 'taker';
/** Ticks beyond the best price that a taker accepts. */
const REACH = 3;

interface TakersContext {
  readonly setup: MarketSetup;
  readonly buffer: ChangeBuffer;
}

export interface TradersContext extends TakersContext {
  readonly events: EventQueue;
  readonly calendar: CachedCalendar;
  readonly start: Micros;
}

/** From now on, participants without accounts here trade the product, while it is listed. */
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

/** Takers trade as far as a mark or a settlement price, so that the low and the high of the session contain it. */
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
