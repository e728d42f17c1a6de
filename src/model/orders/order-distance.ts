import { toNumber } from '#contract/exchange/brand.ts';
import type { Decimal } from '../units/decimal.ts';
import { deriveQuantity, type Quantity } from '../units/quantity.ts';
import type { MarketPrice } from './order-terms.ts';
import { toTicks } from './order-figures.ts';
import { isOver, type OrderRow } from './order-row.ts';

/**
 * Computes how far an order rests from the market. Positive is away from it: a bid below or an ask above. Null for an
 * order that does not rest, for an unknown side, and without a market price.
 */
export function toDistanceTicks(row: OrderRow): Quantity | null {
  const market = findMarket(row);
  if (market === null) return null;
  const isBid = row.order.side === 'Bid';
  const how = isBid ? `${market.is} − price, in ticks` : `price − ${market.is}, in ticks`;
  return deriveQuantity('ticks', how, [toTicks(row), market.price], ([price, reference]) =>
    price && reference ? toAway(isBid, price, reference) : null,
  );
}

/**
 * Computes the distance as a fraction of the market price. Null for a spread: its price is a difference, so a fraction
 * of it means nothing.
 */
export function toDistance(row: OrderRow): Quantity | null {
  const market = findMarket(row);
  if (market === null || !hasShare(row, market)) return null;
  const isBid = row.order.side === 'Bid';
  const how = isBid ? `1 − price ÷ ${market.is}` : `price ÷ ${market.is} − 1`;
  return deriveQuantity('fraction', how, [toTicks(row), market.price], ([price, reference]) =>
    price && reference?.gt(0) === true ? toAway(isBid, price, reference).div(reference) : null,
  );
}

function toAway(isBid: boolean, price: Decimal, reference: Decimal): Decimal {
  return isBid ? reference.minus(price) : price.minus(reference);
}

function hasShare({ order }: OrderRow, { ticks }: MarketPrice): boolean {
  return order.product_type !== 'Spread' && (ticks === null || ticks > 0);
}

function findMarket(row: OrderRow): MarketPrice | null {
  const { side, status } = row.order;
  return status === 'Working' && !isOver(row) && (side === 'Bid' || side === 'Ask') ? row.terms.market : null;
}

/** Computes the distance in ticks as a float, for sorting and filtering only. */
export function toSortableDistanceTicks(row: OrderRow): number | null {
  const ticks = findMarket(row)?.ticks ?? null;
  const price = toNumber(row.order.price);
  return ticks === null ? null : row.order.side === 'Bid' ? ticks - price : price - ticks;
}

/** Computes the distance in percent as a float, for sorting and filtering only. */
export function toSortableDistance(row: OrderRow): number | null {
  const market = findMarket(row);
  const away = toSortableDistanceTicks(row);
  if (market === null || away === null || !hasShare(row, market)) return null;
  return (away / (market.ticks ?? NaN)) * 100;
}

/** Nearest first. Each band includes its upper end. */
export const DISTANCE_BANDS = [
  'At or through the market',
  'Up to 1 % away',
  '1 to 5 % away',
  '5 to 20 % away',
  'Over 20 % away',
  'Distance not known',
] as const;
type DistanceBand = (typeof DISTANCE_BANDS)[number];

const UPPER_ENDS = [0, 1, 5, 20, Infinity];

export function toDistanceBand(row: OrderRow): DistanceBand {
  const percent = toSortableDistance(row);
  const at = percent === null ? -1 : UPPER_ENDS.findIndex((end) => percent <= end);
  return DISTANCE_BANDS.at(at) ?? 'Distance not known';
}
