import { toNotionalCents } from '../../market/money.ts';
import type { Micros, Product, Trade } from '../../model.ts';
import { activityOf, halfSpread } from '../products/activity.ts';
import type { Prices } from '../prices/prices.ts';
import type { Random } from '../random.ts';

const DAY = 86_400_000_000;

export interface TimeSpan {
  readonly from: Micros;
  readonly until: Micros;
}

/** Generates trades between participants without accounts here, oldest first. */
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
  const fair = prices.fair(product, time);
  const away = random.chance(0.5) ? halfSpread(product, fair) : -halfSpread(product, fair);
  const price = Math.round(fair) + away;
  const quantity = Math.max(1, Math.round(lot * Math.exp(0.6 * random.normal() - 0.18)));
  return toTrade(product, time, product.kind === 'spread' ? price : Math.max(1, price), quantity);
}

export function toTrade(product: Product, time: Micros, price: number, quantity: number): Trade {
  return { productId: product.id, time, price, quantity, cents: toNotionalCents(product, price, quantity) };
}

function drawCount(mean: number, random: Random): number {
  if (mean <= 0) return 0;
  if (mean < 12) return Math.floor(mean * 2 * random.next() + random.next());
  return Math.round(mean * Math.exp(0.3 * random.normal()));
}
