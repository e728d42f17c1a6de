import type { FractionalTicks, Ticks } from '#contract/amounts.ts';
import { wireText } from '#contract/json-text.ts';
import type { ProductData } from '#contract/product.ts';
import { asTicks, type Conversion } from './conversions.ts';
import { toDecimal, type Decimal } from './decimal.ts';
import { deriveQuantity, toQuantity, type Quantity } from './quantity.ts';
import type { DataTime, Source } from './source.ts';

/** What screens call the change of the last trade, so that it is not taken for one between two settlements. */
export const SINCE_SETTLEMENT = 'Since settlement';

export interface LastPrices {
  /** The last trade, in USD: no value where there is none, and withheld where ticks cannot be converted. */
  readonly last: Quantity | null;
  readonly lastTime: DataTime | null;
  /** Last trade less the settlement before it, as `last` is told. */
  readonly change: Quantity | null;
  /** The same of that settlement: a ratio of ticks, so it holds whatever a tick is worth. */
  readonly changeFraction: Quantity | null;
}

/** A price in ticks to hold the increment against: the settlement, or else the last trade. */
export function findTicks(row: ProductData): Decimal | null {
  const ticks = wireText(row, 'settlement_price') ?? wireText(row, 'last_price');
  return ticks === null ? null : toDecimal(ticks);
}

type TicksConversion = Conversion<Ticks | FractionalTicks>;

/** The last trade and how far it is from the settlement before it. Without a conversion there are no USD. */
export function toLastPrices(source: Source | undefined, row: ProductData | undefined, conversion: TicksConversion | null): LastPrices {
  if (source === undefined || row === undefined) return { last: null, lastTime: null, change: null, changeFraction: null };
  const at = { source, dataTime: row.last_price_time };
  return {
    last: conversion && toQuantity(at, row, 'last_price', conversion),
    lastTime: row.last_price_time,
    change: conversion && row.price_change !== null ? toQuantity(at, row, 'price_change', conversion) : null,
    changeFraction: row.price_change === null ? null : toFraction(source, row),
  };
}

function toFraction(source: Source, row: ProductData): Quantity {
  const from = [
    toQuantity({ source, dataTime: row.last_price_time }, row, 'price_change', asTicks),
    toQuantity({ source, dataTime: row.settlement_time }, row, 'settlement_price', asTicks),
  ];
  return deriveQuantity('fraction', 'Change in ticks / settlement in ticks', from, ([change, before]) =>
    change && before?.gt(0) === true ? change.div(before) : null,
  );
}
