import type { Micros, Product, Side } from '../model.ts';
import { activityOf } from './activity.ts';
import { RANKS, type Agenda } from './agenda.ts';
import { isListed, type Floor } from './floor.ts';
import type { Hours } from './hours.ts';
import type { Ledger } from './ledger.ts';
import { createRandom, type Random } from './random.ts';

const DAY = 86_400_000_000;
const TAKER = 'taker';
/** A taker goes so many ticks beyond the best price for the rest of what he wants. */
const REACH = 3;

export interface TradersContext {
  readonly floor: Floor;
  readonly agenda: Agenda;
  readonly ledger: Ledger;
  readonly hours: Hours;
  readonly start: Micros;
}

/** Has participants who are nobody's accounts trade the product from now on, while it is listed. */
export function startTakers(product: Product, time: Micros, context: TradersContext): void {
  const { floor, agenda, hours, start } = context;
  const random = createRandom(floor.story.seed, `takers/${product.id}/${start}`);
  const schedule = (from: Micros): void => {
    const { tradesPerDay } = activityOf(product, from);
    if (tradesPerDay === 0) return;
    const opened = Math.max(from, hours.sessionOf(product, from).open);
    agenda.add(opened + Math.ceil(random.wait(DAY / tradesPerDay)), RANKS.trade, act);
  };
  const act = (now: Micros): void => {
    if (!isListed(product, now)) return;
    if (hours.isOpen(product, now)) take(product, now, random, context);
    schedule(now);
  };
  schedule(time);
}

function take(product: Product, time: Micros, random: Random, { floor: { matching }, ledger }: TradersContext): void {
  const side: Side = random.chance(0.5) ? 'Bid' : 'Ask';
  const best = matching.book(product.id).best(side === 'Bid' ? 'Ask' : 'Bid');
  if (best === null) return;
  const quantity = Math.max(1, Math.round(activityOf(product, time).quantity * Math.exp(0.6 * random.normal() - 0.18)));
  const price = best.price + (side === 'Bid' ? REACH : -REACH);
  if (product.kind !== 'spread' && price < 1) return;
  const stamp = ledger.stamp(time);
  ledger.record(matching.quote(TAKER, product.id, [{ side, price, quantity }], stamp));
  matching.quote(TAKER, product.id, [], stamp);
}
