import type { FractionalTicks, Ticks } from '#contract/exchange/amounts.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { asTicks, type Conversion } from '../units/conversions.ts';
import { deriveQuantity, toQuantity, type Quantity } from '../units/quantity.ts';
import type { DataTime, Source } from '../source.ts';

/** What screens call the change of the last price, so that it is not mistaken for the change between two settlements. */
export const CHANGE_VS_SETTLEMENT = 'Chg vs. settle';

export interface LastPrices {
  /** Last price in USD; withheld where ticks cannot be converted. */
  readonly last: Quantity | null;
  readonly lastTime: DataTime | null;
  /** Where the time of the last trade was read, if only that there was none; null: the exchange has no row for the product. */
  readonly lastSource: Source | null;
  /** Last price minus the previous settlement, in USD. */
  readonly change: Quantity | null;
  /** The same relative to the settlement: a ratio of ticks, independent of the tick size. */
  readonly changeFraction: Quantity | null;
}

export type TicksConversion = Conversion<Ticks | FractionalTicks>;

/** The last price and its change from the previous settlement. Without a conversion there are no USD values. */
export function toLastPrices(
  source: Source | undefined,
  row: ProductData | undefined,
  conversion: TicksConversion | null,
): LastPrices {
  if (source === undefined || row === undefined)
    return { last: null, lastTime: null, lastSource: null, change: null, changeFraction: null };
  const at = { source, dataTime: row.last_price_time };
  const wrongChange = findWrongChange(row);
  return {
    last:
      conversion &&
      toQuantity(at, row, 'last_price', { ...conversion, withheld: conversion.withheld ?? findContradiction(row) }),
    lastTime: row.last_price_time,
    lastSource: source,
    change:
      conversion && row.price_change !== null
        ? toQuantity(at, row, 'price_change', { ...conversion, withheld: conversion.withheld ?? wrongChange })
        : null,
    changeFraction: row.price_change === null ? null : toFraction(source, row, wrongChange),
  };
}

/** Why the last price cannot be right: that of a trade since the last settlement is within the session’s low and high. */
function findContradiction({
  last_price: last,
  last_price_time: at,
  settlement_time: settledAt,
  low_price: low,
  high_price: high,
}: ProductData): string | null {
  if (last === null || at === null || settledAt === null || low === null || high === null) return null;
  const isOfSession = compareInstants(at, settledAt) > 0;
  const isWithin = toNumber(low) <= toNumber(last) && toNumber(last) <= toNumber(high);
  return isOfSession && !isWithin
    ? 'The last price is outside the low and high of its session, so it is withheld.'
    : null;
}

/** Prices in ticks may have a fraction, which a float does not hold exactly. */
const EQUAL_TICKS = 1e-6;

/** Why the change cannot be right: since the last settlement it is the last price minus that. */
function findWrongChange({
  last_price: last,
  last_price_time: at,
  settlement_price: settlement,
  settlement_time: settledAt,
  price_change: change,
}: ProductData): string | null {
  if (
    last === null ||
    at === null ||
    settlement === null ||
    settledAt === null ||
    change === null ||
    compareInstants(at, settledAt) <= 0
  )
    return null;
  const difference = toNumber(last) - toNumber(settlement) - toNumber(change);
  return Math.abs(difference) > EQUAL_TICKS
    ? 'The change is not the last price minus the settlement, so it is withheld.'
    : null;
}

function toFraction(source: Source, row: ProductData, withheld: string | null): Quantity {
  const from = [
    toQuantity({ source, dataTime: row.last_price_time }, row, 'price_change', { ...asTicks, withheld }),
    toQuantity({ source, dataTime: row.settlement_time }, row, 'settlement_price', asTicks),
  ];
  return deriveQuantity('fraction', 'Change in ticks ÷ settlement in ticks', from, ([change, settlement]) =>
    change && settlement?.gt(0) === true ? change.div(settlement) : null,
  );
}
