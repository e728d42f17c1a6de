import type { OrderFigures } from '#contract/desk/alerts.ts';
import { toDistance } from '../orders/order-distance.ts';
import { toNotional, toPrice } from '../orders/order-figures.ts';
import type { OrderRow } from '../orders/order-row.ts';
import type { Decimal } from '../units/decimal.ts';
import type { Quantity } from '../units/quantity.ts';
import { writeValue } from './describe-rule.ts';

/** Derives what evidence shows of an order, because the market that it is compared with moves on. */
export function toOrderFigures(row: OrderRow): OrderFigures {
  return {
    price_usd: writeValue(toUsd(toPrice(row))),
    market_usd: writeValue(toMarket(row)),
    distance_percent: writeValue(toDistance(row)?.value?.times(100)),
    notional_usd: writeValue(toUsd(toNotional(row))),
  };
}

/** Without a published tick size, prices are in ticks. */
function toUsd({ value, unit }: Quantity): Decimal | null {
  return unit === 'USD' ? value : null;
}

function toMarket({ terms: { market, conversion } }: OrderRow): Decimal | null {
  const ticks = market?.price.value ?? null;
  return ticks === null || conversion === null || conversion.withheld !== null ? null : ticks.times(conversion.factor);
}
