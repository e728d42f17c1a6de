import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { orderSessions } from '../price/bars.ts';
import { withholdImpossiblePrices } from '../price/withheld-prices.ts';
import type { Sourced } from '../response.ts';
import { toMillis } from '../time/session.ts';
import { asUsd, deriveQuantity, type Quantity, toQuantity } from '../units/quantity.ts';
import type { LifeChange, LifeContext, LifeLine } from './order-life.ts';
import { toPrice } from './order-figures.ts';

/** A settlement of an order's product, and the distance of the order's limit price from it. */
export interface LifeSettlement {
  readonly date: Day;
  readonly settledAt: Instant;
  readonly settlement: Quantity;
  /** The limit price at that time. Before the order was first seen, this is its first known price. */
  readonly limit: Quantity;
  /**
   * Positive is away from the market: a bid below it or an ask above it. A fraction, but USD for a spread. Null without
   * a tick size.
   */
  readonly away: Quantity | null;
}

/** Lists the settlements from the last one before the order was first seen until it was last seen, newest first. */
export function toLifeSettlements(
  prices: Sourced<readonly PriceDataPoint[]>,
  changes: readonly LifeChange[],
  { start, end }: Pick<LifeLine, 'start' | 'end'>,
  context: LifeContext,
): readonly LifeSettlement[] {
  const sessions = orderSessions(withholdImpossiblePrices(prices.value, context.terms.product)).filter(
    ({ time }) => toMillis(time) <= end,
  );
  const first = Math.max(
    0,
    sessions.findLastIndex(({ time }) => toMillis(time) <= start),
  );
  return sessions
    .slice(first)
    .map((point) => toLifeSettlement(point, prices, findChange(changes, point.time), context))
    .filter((settlement) => settlement !== null)
    .toReversed();
}

/** Finds the last change known at a time; the first change if all are later. */
function findChange(changes: readonly LifeChange[], time: Instant): LifeChange | undefined {
  return changes.findLast(({ readBy }) => toMillis(readBy) <= toMillis(time)) ?? changes[0];
}

function toLifeSettlement(
  point: PriceDataPoint,
  prices: Sourced<unknown>,
  change: LifeChange | undefined,
  context: LifeContext,
): LifeSettlement | null {
  if (change === undefined) return null;
  const settlement = toQuantity({ source: prices, dataTime: point.date }, point, 'settlementPrice', asUsd);
  const limit = toPrice({ ...context, order: change.order, asOf: toMillis(change.readBy) });
  return {
    date: point.date,
    settledAt: point.time,
    settlement,
    limit,
    away: limit.unit === 'USD' ? toAway(limit, settlement, change) : null,
  };
}

function toAway(limit: Quantity, settlement: Quantity, { order: { side, product_type: type } }: LifeChange): Quantity {
  const isBid = side === 'Bid';
  // The price of a spread is a difference, so a fraction of it means nothing.
  if (type === 'Spread') {
    return deriveQuantity(
      'USD',
      isBid ? 'settlement − price' : 'price − settlement',
      [limit, settlement],
      ([price, reference]) => (price && reference ? (isBid ? reference.minus(price) : price.minus(reference)) : null),
    );
  }
  return deriveQuantity(
    'fraction',
    isBid ? '1 − price ÷ settlement' : 'price ÷ settlement − 1',
    [limit, settlement],
    ([price, reference]) => {
      if (!price || reference?.gt(0) !== true) return null;
      return (isBid ? reference.minus(price) : price.minus(reference)).div(reference);
    },
  );
}
