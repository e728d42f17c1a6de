import type { UsdText } from '#contract/exchange/amounts.ts';
import type { Day } from '#contract/exchange/day.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareInstants, isInstant, type Instant } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { TicksConversion } from '../markets/last-price.ts';
import type { Source, Sourced } from '../source.ts';
import { sessionOf, toMillis } from '../time/session.ts';
import { asContracts } from '../units/conversions.ts';
import type { Decimal } from '../units/decimal.ts';
import { toQuantity, type Quantity } from '../units/quantity.ts';
import type { Bar } from './bars.ts';

type Prices = Readonly<Record<'open' | 'high' | 'low' | 'last', PricedQuantity>>;

/** A price that is known. */
export type PricedQuantity = Quantity & { readonly value: Decimal };

/** The session that runs now, from product data: it has not settled, and its figures change with every trade. */
export interface RunningSession extends Prices {
  readonly date: Day;
  readonly source: Source;
  readonly lastTradeAt: Instant;
  readonly volume: Quantity;
}

const PRICE_FIELDS = { open: 'open_price', high: 'high_price', low: 'low_price', last: 'last_price' } as const;

/** Null before the first trade since the settlement, and where a price is missing or withheld. */
export function toRunningSession(
  { type }: DeskProduct,
  data: Sourced<ProductData>,
  conversion: TicksConversion,
): RunningSession | null {
  const { value: row } = data;
  const { last_price_time: lastTradeAt, settlement_time: settledAt } = row;
  if (
    lastTradeAt === null ||
    !isInstant(lastTradeAt) ||
    (settledAt !== null && compareInstants(lastTradeAt, settledAt) <= 0)
  )
    return null;
  const at = { source: data, dataTime: lastTradeAt };
  const read = (name: keyof typeof PRICE_FIELDS): Quantity => toQuantity(at, row, PRICE_FIELDS[name], conversion);
  const [open, high, low, last] = [read('open'), read('high'), read('low'), read('last')];
  if (!isKnown(open) || !isKnown(high) || !isKnown(low) || !isKnown(last)) return null;
  const date = sessionOf(toMillis(lastTradeAt), { everyDay: type === 'perpetual' });
  return { date, source: data, lastTradeAt, open, high, low, last, volume: toQuantity(at, row, 'volume', asContracts) };
}

function isKnown(quantity: Quantity): quantity is PricedQuantity {
  return quantity.value !== null && quantity.unit === 'USD';
}

/** By the price of a bar: the running session has a last price in place of a close. */
export const RUNNING_FIELDS = { open: 'open', high: 'high', low: 'low', close: 'last' } as const;

/** As a bar, whose last price stands in for the close and for the settlement. */
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
    volume: volume.value?.toNumber() ?? 0,
  };
}
