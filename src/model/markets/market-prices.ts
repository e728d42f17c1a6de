import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import type { PriceDataPoint } from '#contract/exchange/price-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { ProductTrailingStats } from '#contract/exchange/trailing-stats.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { findWithheldReason } from '#contract/exchange/withheld.ts';
import { judgePrices, type PriceChecks } from '../checks/judge-prices.ts';
import { byIncrement } from '../units/conversions.ts';
import { toIncrementCheck, type IncrementCheck } from '../checks/increment-check.ts';
import { toLastPrices, type LastPrices, type TicksConversion } from './last-price.ts';
import { toQuantity, type Quantity } from '../units/quantity.ts';
import type { DataTime, Source, Sourced } from '../source.ts';
import { groupByProduct } from '../voi/voi-rows.ts';

export interface MarketPrices extends LastPrices {
  readonly checks: PriceChecks;
  readonly check: IncrementCheck;
  /** In USD, from ticks; withheld where the tick size is off. */
  readonly settlement: Quantity | null;
  readonly settlementTime: DataTime | null;
  /** Why there are no prices, or null. */
  readonly missingBecause: string | null;
}

/** The responses that prices and their checks are made of. Not every venue offers all of them. */
export interface PriceResponses {
  readonly voi?: Sourced<readonly VOIDataPoint[]> | undefined;
  /** The latest settled funding of every perpetual. */
  readonly funding?: Sourced<{ readonly data: readonly FundingRateData[] }> | undefined;
  readonly data?: Sourced<readonly ProductData[]> | undefined;
  /** Product data of settled sessions; null until they have been read. */
  readonly sessions: readonly (readonly ProductData[])[] | null;
  readonly trailing?: Sourced<readonly ProductTrailingStats[]> | undefined;
  /** The charts that have been read, by product id, each in the order of its sessions. */
  readonly charts?: ReadonlyMap<number, readonly PriceDataPoint[]> | undefined;
}

/** The rows of the responses by product id. */
export interface ProductIndex {
  readonly days: ReadonlyMap<number, readonly VOIDataPoint[]>;
  readonly prints: ReadonlyMap<number, FundingRateData>;
  readonly data: ReadonlyMap<number, ProductData>;
  readonly sessions: ReadonlyMap<number, readonly ProductData[]>;
  readonly trailing: ReadonlyMap<number, ProductTrailingStats>;
}

/** Each response is sorted by product once, however much is computed from it. */
export function indexByProduct({ voi, funding, data, sessions, trailing }: PriceResponses): ProductIndex {
  return {
    days: groupByProduct(voi?.value ?? []),
    prints: latestPrintByProduct(funding?.value.data ?? []),
    data: new Map(data?.value.map((row) => [toNumber(row.product_id), row])),
    sessions: Map.groupBy((sessions ?? []).flat(), ({ product_id: id }) => toNumber(id)),
    trailing: new Map(trailing?.value.map((row) => [toNumber(row.productId), row])),
  };
}

/** Prices of a product, from responses that are indexed once for all products. */
export function createMarketPrices(
  responses: PriceResponses,
  index: ProductIndex,
): (product: DeskProduct) => MarketPrices {
  const { data } = responses;
  const checkPrices = createPriceChecks(responses, index);
  return (product) => {
    const { checks, check } = checkPrices(product);
    const row = index.data.get(toNumber(product.product_id));
    const conversion = byIncrement(product, check.reason);
    return {
      checks,
      check,
      settlement: toSettlement(data, row, conversion),
      settlementTime: row?.settlement_time ?? null,
      missingBecause: whyMissing(data, row, conversion),
      ...toLastPrices(data, row, conversion),
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

/** Neither there nor withheld. */
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

export interface ProductChecks {
  readonly checks: PriceChecks;
  readonly check: IncrementCheck;
}

/** Holds each product's figures against each other. */
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
      trailingAt: trailing?.answeredAt ?? null,
      prices: charts?.get(id) ?? [],
      latestPrint: index.prints.get(id),
    });
    return { checks, check: toIncrementCheck(product, checks, isReading) };
  };
}

/** The latest settled rate of each product, whatever the order and number of rows. */
function latestPrintByProduct(rows: readonly FundingRateData[]): ReadonlyMap<number, FundingRateData> {
  return new Map(
    rows
      .toSorted((a, b) => compareInstants(a.interval_end, b.interval_end))
      .map((row) => [toNumber(row.product_id), row]),
  );
}
