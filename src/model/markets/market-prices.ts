import type { FractionalTicks, Ticks } from '#contract/exchange/amounts.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import type { RecordedPrice } from '#contract/desk/journal.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { asTicks, byIncrement, type Conversion, deriveQuantity, type Quantity, toQuantity } from '../units/quantity.ts';
import type { DataTime, Source, Sourced } from '../response.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type {
  FundingRateData,
  PriceDataPoint,
  ProductTrailingStats,
  VOIDataPoint,
} from '#contract/exchange/market-data.ts';
import { findWithheldReason } from '#contract/exchange/row-notes.ts';
import {
  type IncrementCheck,
  judgePrices,
  type PriceChecks,
  toIncrementCheck,
  whyWithheld,
} from '../checks/judge-prices.ts';
import { EQUAL_TICKS, hasTradedSince } from '../checks/price-evidence.ts';
import { groupByProduct } from '../voi/voi-rows.ts';

/** Screens use this name so that the change of the last price is not confused with a change between two settlements. */
export const CHANGE_SINCE_SETTLEMENT = 'Chg since settle';

interface LastPrices {
  /** Last price in USD; withheld if ticks cannot be converted. */
  readonly last: Quantity | null;
  readonly lastTime: DataTime | null;
  /**
   * The response with the time of the last trade, or with its absence; null if the exchange has no row for the product.
   */
  readonly lastSource: Source | null;
  /** Last price minus the previous settlement, in USD. */
  readonly change: Quantity | null;
  /** The change divided by the settlement: a ratio of ticks, so it does not depend on the tick size. */
  readonly changeFraction: Quantity | null;
}

/** The newest prices as published. */
interface TickPrices {
  readonly last: Quantity;
  readonly settlement: Quantity;
}

export type TicksConversion = Conversion<Ticks | FractionalTicks>;

/**
 * Reads the last price and its change from the previous settlement. Without a conversion, there are no USD values.
 * `doubt`: why prices of the product data are withheld, whatever their unit.
 */
export function toLastPrices(
  source: Source | undefined,
  row: ProductData | undefined,
  conversion: TicksConversion | null,
  doubt: string | null = null,
): LastPrices {
  if (source === undefined || row === undefined)
    return { last: null, lastTime: null, lastSource: null, change: null, changeFraction: null };
  const at = { source, dataTime: row.last_price_time };
  const wrongLast = doubt ?? whyLastIsWrong(row);
  const wrongChange = wrongLast ?? findWrongChange(row);
  return {
    last: conversion && toLastPrice(source, row, { ...conversion, withheld: conversion.withheld ?? doubt }),
    lastTime: row.last_price_time,
    lastSource: source,
    change:
      conversion && row.price_change !== null
        ? toQuantity(at, row, 'price_change', { ...conversion, withheld: conversion.withheld ?? wrongChange })
        : null,
    changeFraction: row.price_change === null ? null : toFraction(source, row, wrongChange),
  };
}

/** Reads the last price; withheld if it cannot be right. */
export function toLastPrice(source: Source, row: RecordedPrice, conversion: TicksConversion): Quantity {
  const withheld = conversion.withheld ?? whyLastIsWrong(row);
  return toQuantity({ source, dataTime: row.last_price_time }, row, 'last_price', { ...conversion, withheld });
}

/**
 * Returns why the last price cannot be right: a trade since the last settlement must lie within the session's low and
 * high.
 */
export function whyLastIsWrong(row: RecordedPrice): string | null {
  const { last_price: last, low_price: low, high_price: high } = row;
  if (last === null || low === null || high === null) return null;
  const isWithin = toNumber(low) <= toNumber(last) && toNumber(last) <= toNumber(high);
  return hasTradedSince(row) && !isWithin
    ? 'The last price is outside the low and high of its session, so it is withheld.'
    : null;
}

/** Returns why the change cannot be right: after a settlement, it must be the last price minus that settlement. */
function findWrongChange(row: ProductData): string | null {
  const { last_price: last, settlement_price: settlement, price_change: change } = row;
  if (last === null || settlement === null || change === null || !hasTradedSince(row)) return null;
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

export interface MarketPrices extends LastPrices {
  readonly checks: PriceChecks;
  readonly check: IncrementCheck;
  /** In USD, converted from ticks; withheld if the tick size is wrong. */
  readonly settlement: Quantity | null;
  readonly settlementTime: DataTime | null;
  /** Null if the exchange has no row for the product. */
  readonly ticks: TickPrices | null;
  /** Why there are no prices, or null. */
  readonly missingBecause: string | null;
}

/** The responses from which prices and their checks are computed. A venue may lack some of them. */
export interface PriceResponses {
  readonly voi?: Sourced<readonly VOIDataPoint[]> | undefined;
  /** The latest settled funding of every perpetual. */
  readonly funding?: Sourced<{ readonly data: readonly FundingRateData[] }> | undefined;
  readonly data?: Sourced<readonly ProductData[]> | undefined;
  /** Product data of settled sessions; null until they have been read. */
  readonly sessions: readonly (readonly ProductData[])[] | null;
  readonly trailing?: Sourced<readonly ProductTrailingStats[]> | undefined;
  /** The charts read so far, by product ID, each in order of its sessions. */
  readonly charts?: ReadonlyMap<number, readonly PriceDataPoint[]> | undefined;
}

/** The rows of the responses, by product ID. */
export interface ProductIndex {
  readonly days: ReadonlyMap<number, readonly VOIDataPoint[]>;
  readonly prints: ReadonlyMap<number, FundingRateData>;
  readonly data: ReadonlyMap<number, ProductData>;
  readonly sessions: ReadonlyMap<number, readonly ProductData[]>;
  readonly trailing: ReadonlyMap<number, ProductTrailingStats>;
}

/** Groups each response by product once, for all computations that need it. */
export function indexByProduct({ voi, funding, data, sessions, trailing }: PriceResponses): ProductIndex {
  return {
    days: groupByProduct(voi?.value ?? []),
    prints: latestPrintByProduct(funding?.value.data ?? []),
    data: new Map(data?.value.map((row) => [toNumber(row.product_id), row])),
    sessions: Map.groupBy((sessions ?? []).flat(), ({ product_id: id }) => toNumber(id)),
    trailing: new Map(trailing?.value.map((row) => [toNumber(row.productId), row])),
  };
}

/** Creates a function that computes the prices of a product. The responses are grouped once for all products. */
export function createMarketPrices(
  responses: PriceResponses,
  index: ProductIndex,
): (product: DeskProduct) => MarketPrices {
  const { data } = responses;
  const checkPrices = createPriceChecks(responses, index);
  return (product) => {
    const { checks, check } = checkPrices(product);
    const row = index.data.get(toNumber(product.product_id));
    const doubt = whyWithheld(checks.reasons, 'product data price');
    const conversion = byIncrement(product, check.reason ?? doubt);
    return {
      checks,
      check,
      settlement: toSettlement(data, row, conversion),
      settlementTime: row?.settlement_time ?? null,
      ticks: data === undefined || row === undefined ? null : toTicks(data, row, doubt),
      missingBecause: whyMissing(data, row, conversion),
      ...toLastPrices(data, row, conversion, doubt),
    };
  };
}

function whyMissing(
  source: Source | undefined,
  row: ProductData | undefined,
  conversion: TicksConversion | null,
): string | null {
  if (source === undefined) return 'Product data have not been read, or the exchange does not offer them.';
  if (row === undefined) return 'The exchange’s product data have no row for this product.';
  if (conversion === null) return 'The exchange publishes no tick size for this product.';
  return isMissing(row) ? 'The exchange reports no settlement yet.' : null;
}

/** Returns whether the settlement is neither present nor withheld. */
function isMissing(row: ProductData): boolean {
  return row.settlement_price === null && findWithheldReason(row, 'settlement_price') === null;
}

function toSettlement(
  source: Source | undefined,
  row: ProductData | undefined,
  conversion: TicksConversion | null,
): Quantity | null {
  if (source === undefined || row === undefined || conversion === null || isMissing(row)) return null;
  return toQuantity({ source, dataTime: row.settlement_time }, row, 'settlement_price', conversion);
}

function toTicks(source: Source, row: ProductData, withheld: string | null): TickPrices {
  const conversion = { ...asTicks, withheld };
  return {
    last: toLastPrice(source, row, conversion),
    settlement: toQuantity({ source, dataTime: row.settlement_time }, row, 'settlement_price', conversion),
  };
}

export interface ProductChecks {
  readonly checks: PriceChecks;
  readonly check: IncrementCheck;
}

/** Creates a function that checks a product's figures against each other. */
export function createPriceChecks(
  responses: PriceResponses,
  index: ProductIndex = indexByProduct(responses),
): (product: DeskProduct) => ProductChecks {
  const { voi, sessions, trailing, charts } = responses;
  const isReading = voi === undefined || sessions === null;
  return (product) => {
    const id = toNumber(product.product_id);
    const checks = judgePrices({
      product,
      days: index.days.get(id) ?? [],
      sessions: index.sessions.get(id) ?? [],
      running: index.data.get(id),
      trailing: index.trailing.get(id),
      trailingAt: trailing?.respondedAt ?? null,
      prices: charts?.get(id) ?? [],
      latestPrint: index.prints.get(id),
    });
    return { checks, check: toIncrementCheck(product, checks, isReading) };
  };
}

/** Finds the latest settled rate of each product. Rows may be in any order and number. */
function latestPrintByProduct(rows: readonly FundingRateData[]): ReadonlyMap<number, FundingRateData> {
  return new Map(
    rows
      .toSorted((a, b) => compareInstants(a.interval_end, b.interval_end))
      .map((row) => [toNumber(row.product_id), row]),
  );
}
