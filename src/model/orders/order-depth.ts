import { wireText } from '#contract/exchange/row-notes.ts';
import { Decimal } from '../units/decimal.ts';
import { toPrice } from './order-figures.ts';
import { type OrderRow, toWorkingQuantity } from './order-row.ts';
import type { Quantity } from '../units/quantity.ts';

/** Orders at one price. */
export interface DepthLevel {
  readonly ticks: Decimal;
  readonly price: Quantity;
  readonly orders: number;
  readonly remaining: number;
  /** Quantity including all better prices of the same side. */
  readonly cumulative: number;
}

export interface OrderDepth {
  /** Unit of prices: ticks if they cannot be converted to USD. */
  readonly unit: 'USD' | 'ticks';
  /** Best (highest) price first. */
  readonly bids: readonly DepthLevel[];
  /** Best (lowest) price first. */
  readonly asks: readonly DepthLevel[];
}

/** The part of a depth around the market price. */
export interface DepthPart extends OrderDepth {
  /** Number of orders further from the market. */
  readonly beyond: number;
}

/**
 * Keeps the levels within a share of the market price, both in ticks. Cumulative quantities stay unchanged, because
 * they add up from the best price outwards.
 */
export function withinOf({ unit, bids, asks }: OrderDepth, market: number, share: number): DepthPart {
  const reach = Math.abs(market) * share;
  const isWithin = ({ ticks }: DepthLevel): boolean => Math.abs(ticks.toNumber() - market) <= reach;
  const beyond = [...bids, ...asks].filter((level) => !isWithin(level)).reduce((sum, { orders }) => sum + orders, 0);
  return { unit, bids: bids.filter(isWithin), asks: asks.filter(isWithin), beyond };
}

/**
 * Groups the orders of one product by price. Orders without remaining quantity, with a withheld quantity, or in doubt
 * do not count.
 */
export function toOrderDepth(rows: readonly OrderRow[]): OrderDepth {
  const resting = rows.filter((row) => row.terms.doubt === null && (toWorkingQuantity(row) ?? 0) > 0);
  return {
    unit: resting.every(({ terms }) => terms.usdPerTick !== null) ? 'USD' : 'ticks',
    bids: toLevels(
      resting.filter(({ order }) => order.side === 'Bid'),
      -1,
    ),
    asks: toLevels(
      resting.filter(({ order }) => order.side === 'Ask'),
      1,
    ),
  };
}

interface Spread {
  readonly ticks: Decimal;
  /** Null if prices are in ticks. */
  readonly usd: Decimal | null;
}

/** Computes the difference from the best bid to the best ask; negative if own orders cross, null if a side is empty. */
export function toSpread({ unit, bids: [bid], asks: [ask] }: OrderDepth): Spread | null {
  if (bid === undefined || ask === undefined) return null;
  const [low, high] = [bid.price.value, ask.price.value];
  return { ticks: ask.ticks.minus(bid.ticks), usd: unit === 'USD' && low && high ? high.minus(low) : null };
}

function toLevels(rows: readonly OrderRow[], direction: 1 | -1): readonly DepthLevel[] {
  const byTicks = Map.groupBy(rows, ({ order }) => wireText(order, 'price'));
  const levels = [...byTicks].map(([text, members]) => ({ ticks: new Decimal(text), members }));
  levels.sort((a, b) => direction * a.ticks.comparedTo(b.ticks));
  let cumulative = 0;
  return levels.flatMap(({ ticks, members }) => {
    const [first] = members;
    const remaining = members.reduce((sum, row) => sum + (toWorkingQuantity(row) ?? 0), 0);
    cumulative += remaining;
    return first === undefined ? [] : [{ ticks, price: toPrice(first), orders: members.length, remaining, cumulative }];
  });
}
