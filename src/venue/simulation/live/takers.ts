import type { Micros, Product, Side } from '../../model.ts';
import { activityOf } from '../products/activity.ts';
import { EVENT_RANKS, type EventQueue } from './event-queue.ts';
import { isListed, type MarketSetup } from '../market-setup.ts';
import type { CachedCalendar } from './cached-calendar.ts';
import type { ChangeBuffer } from './change-buffer.ts';
import { createRandom, type Random } from '../random.ts';

const DAY = 86_400_000_000;
const TAKER = 'taker';
/** Ticks beyond the best price that a taker accepts. */
const REACH = 3;

export interface TradersContext {
  readonly setup: MarketSetup;
  readonly events: EventQueue;
  readonly buffer: ChangeBuffer;
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

function take(product: Product, time: Micros, random: Random, { setup: { matching }, buffer }: TradersContext): void {
  const side: Side = random.chance(0.5) ? 'Bid' : 'Ask';
  const best = matching.book(product.id).best(side === 'Bid' ? 'Ask' : 'Bid');
  if (best === null) return;
  const quantity = Math.max(1, Math.round(activityOf(product, time).quantity * Math.exp(0.6 * random.normal() - 0.18)));
  const price = best.price + (side === 'Bid' ? REACH : -REACH);
  if (product.kind !== 'spread' && price < 1) return;
  const stamp = buffer.stamp(time);
  buffer.record(matching.quote(TAKER, product.id, [{ side, price, quantity }], stamp));
  matching.quote(TAKER, product.id, [], stamp);
}
