import type { Micros, Product, Trade } from '../../core/model.ts';
import { activityOf } from '../products/activity.ts';
import { addTrade, summarize, takersMissing } from '../session-summary.ts';
import { quoteFor, toTrade } from './background-trades.ts';

/** A price that the exchange sets: a mark, or a settlement price. */
export interface OfficialPrice {
  readonly time: Micros;
  readonly price: number;
}

/** The trades that a session lacks for its low and high to contain its official prices. Those it has may be in any order. */
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
