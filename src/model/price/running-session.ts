import { compareInstants, type Day, type Instant, isInstant } from '#contract/exchange/instant.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { type TicksConversion, toLastPrices, whyLastIsWrong } from '../markets/market-prices.ts';
import type { Source, Sourced } from '../response.ts';
import { dateOf, sessionOf, toMillis } from '../time/session.ts';
import type { Decimal } from '../units/decimal.ts';
import { asContracts, type Quantity, toQuantity } from '../units/quantity.ts';
import type { UsdText } from '#contract/exchange/amounts.ts';
import type { Bar } from './bars.ts';

type Prices = Readonly<Record<'open' | 'high' | 'low' | 'last', PricedQuantity>>;

/** A price with a known value. */
export type PricedQuantity = Quantity & { readonly value: Decimal };

/** The session in progress, from product data. It has not settled, and its figures change with every trade. */
export interface RunningSession extends Prices {
  readonly date: Day;
  /** The session of the settlement before it, if known. */
  readonly since?: Day | null;
  readonly source: Source;
  readonly lastTradeAt: Instant;
  readonly volume: Quantity;
}

const PRICE_FIELDS = { open: 'open_price', high: 'high_price', low: 'low_price', last: 'last_price' } as const;

/**
 * Returns null before the first trade after the settlement, and if a price is missing or withheld. `volumeWithheld`: why
 * its volume is withheld, or null.
 */
export function toRunningSession(
  { type }: DeskProduct,
  data: Sourced<ProductData>,
  conversion: TicksConversion,
  volumeWithheld: string | null = null,
): RunningSession | null {
  const { value: row } = data;
  const { last_price_time: lastTradeAt, settlement_time: settledAt } = row;
  if (
    lastTradeAt === null ||
    !isInstant(lastTradeAt) ||
    whyLastIsWrong(row) !== null ||
    (settledAt !== null && compareInstants(lastTradeAt, settledAt) <= 0)
  )
    return null;
  const at = { source: data, dataTime: lastTradeAt };
  const read = (name: keyof typeof PRICE_FIELDS): Quantity => toQuantity(at, row, PRICE_FIELDS[name], conversion);
  const [open, high, low, last] = [read('open'), read('high'), read('low'), read('last')];
  if (!isKnown(open) || !isKnown(high) || !isKnown(low) || !isKnown(last)) return null;
  const date = sessionOf(toMillis(lastTradeAt), { everyDay: type === 'perpetual' });
  return {
    date,
    since: settledAt === null ? null : dateOf(settledAt),
    source: data,
    lastTradeAt,
    open,
    high,
    low,
    last,
    volume: toQuantity(at, row, 'volume', { ...asContracts, withheld: volumeWithheld }),
  };
}

/** Fields of the running session, by the field of a bar: it has a last price instead of a close. */
export const RUNNING_FIELDS = { open: 'open', high: 'high', low: 'low', close: 'last' } as const;

/** Converts the running session to a bar. The last price stands in for both close and settlement. */
export function toRunningBar({ date, open, high, low, last, volume }: RunningSession): Bar {
  const toText = ({ value }: PricedQuantity): UsdText => value.toFixed() as UsdText;
  const latest = toText(last);
  return {
    date,
    lastDate: date,
    sessions: 1,
    open: toText(open),
    high: toText(high),
    low: toText(low),
    close: latest,
    settlement: latest,
    volume: volume.value?.toNumber() ?? null,
  };
}

/**
 * Change of the running session's last price from the newest settlement. As a ratio of ticks, it needs no tick size.
 */
export interface RunningChange {
  readonly date: Day;
  /** The session of the settlement. */
  readonly since: Day;
  readonly fraction: PricedQuantity;
}

/**
 * Returns null before the first trade after the settlement, and if the change is unknown or withheld. `doubt`: why prices
 * of the product data are withheld.
 */
export function toRunningChange(
  { type }: Pick<DeskProduct, 'type'>,
  data: Sourced<ProductData>,
  doubt: string | null = null,
): RunningChange | null {
  const { last_price_time: at, settlement_time: settledAt } = data.value;
  if (at === null || !isInstant(at) || settledAt === null || compareInstants(at, settledAt) <= 0) return null;
  const { changeFraction: fraction } = toLastPrices(data, data.value, null, doubt);
  if (fraction === null || !hasValue(fraction)) return null;
  return { date: sessionOf(toMillis(at), { everyDay: type === 'perpetual' }), since: dateOf(settledAt), fraction };
}

function isKnown(quantity: Quantity): quantity is PricedQuantity {
  return hasValue(quantity) && quantity.unit === 'USD';
}

function hasValue(quantity: Quantity): quantity is PricedQuantity {
  return quantity.value !== null;
}
