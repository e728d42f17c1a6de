import type { Micros, Product, Side, Trade } from '../../core/model.ts';
import { activityOf, atLeastOneTick, halfSpread } from '../products/activity.ts';
import { addTrade, summarize, takersMissing } from '../session-figures.ts';
import { toNotionalCents } from '../../market/money.ts';
import type { Prices } from '../prices.ts';
import type { Random } from '../../core/random.ts';

/** A price that the exchange determines: a mark or a settlement price. */
export interface OfficialPrice {
  readonly time: Micros;
  readonly price: number;
}

/**
 * Generates the trades that are missing for a session's low and high to contain its official prices. `traded` may be in
 * any order.
 */
export function makeOfficialTrades(
  product: Product,
  official: readonly OfficialPrice[],
  traded: readonly Trade[],
): Trade[] {
  const made: Trade[] = [];
  let summary = summarize(traded);
  for (const { time, price } of official) {
    for (const taker of takersMissing(price, summary?.ohlc ?? null)) {
      const trade = toTrade(product, time, quoteFor(taker, product, price), activityOf(product, time).quantity);
      summary = addTrade(summary, trade);
      made.push(trade);
    }
  }
  return made;
}

const DAY = 86_400_000_000;

export interface TimeSpan {
  readonly from: Micros;
  readonly until: Micros;
}

/** Generates trades between participants that have no account in the simulation, oldest first. */
export function makeTrades(
  product: Product,
  { from, until }: TimeSpan,
  { prices, random, atMost }: { readonly prices: Prices; readonly random: Random; readonly atMost: number },
): Trade[] {
  const { tradesPerDay, quantity } = activityOf(product, from);
  const total = drawCount(tradesPerDay * Math.max(0, (until - from) / DAY), random);
  const count = Math.min(total, atMost);
  const times = Array.from({ length: count }, () => from + Math.floor(random.next() * (until - from))).sort(
    (a, b) => a - b,
  );
  const lot = (quantity * total) / Math.max(1, count);
  return times.map((time) => makeTrade(product, time, prices, random, lot));
}

function makeTrade(product: Product, time: Micros, prices: Prices, random: Random, lot: number): Trade {
  const price = quoteFor(random.chance(0.5) ? 'Bid' : 'Ask', product, prices.fair(product, time));
  const quantity = Math.max(1, Math.round(lot * Math.exp(0.6 * random.normal() - 0.18)));
  return toTrade(product, time, price, quantity);
}

/** Returns the best quote that a taker meets around a fair price. */
export function quoteFor(taker: Side, product: Product, fair: number): number {
  const toward = taker === 'Bid' ? 1 : -1;
  return atLeastOneTick(product, Math.round(fair) + toward * halfSpread(product, fair));
}

export function toTrade(product: Product, time: Micros, price: number, quantity: number): Trade {
  return { productId: product.id, time, price, quantity, cents: toNotionalCents(product, price, quantity) };
}

function drawCount(mean: number, random: Random): number {
  if (mean <= 0) return 0;
  if (mean < 12) return Math.floor(mean * 2 * random.next() + random.next());
  return Math.round(mean * Math.exp(0.3 * random.normal()));
}
