import type { Day } from '#contract/exchange/day.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareInstants, isInstant } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { toLastPrices } from '../markets/last-price.ts';
import type { Sourced } from '../source.ts';
import { dateOf, sessionOf, toMillis } from '../time/session.ts';
import type { Decimal } from '../units/decimal.ts';
import type { Quantity } from '../units/quantity.ts';

/** How far the last price of the running session is from the newest settlement. A ratio of ticks, so no tick size is needed. */
export interface RunningChange {
  readonly date: Day;
  /** The session of that settlement. */
  readonly since: Day;
  readonly fraction: Quantity & { readonly value: Decimal };
}

/** Null before the first trade since the settlement, and where the change is unknown or withheld. */
export function toRunningChange({ type }: Pick<DeskProduct, 'type'>, data: Sourced<ProductData>): RunningChange | null {
  const { last_price_time: at, settlement_time: settledAt } = data.value;
  if (at === null || !isInstant(at) || settledAt === null || compareInstants(at, settledAt) <= 0) return null;
  const { changeFraction: fraction } = toLastPrices(data, data.value, null);
  if (fraction === null || !isKnown(fraction)) return null;
  return { date: sessionOf(toMillis(at), { everyDay: type === 'perpetual' }), since: dateOf(settledAt), fraction };
}

function isKnown(quantity: Quantity): quantity is RunningChange['fraction'] {
  return quantity.value !== null;
}
