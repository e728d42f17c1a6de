import { toNumber } from '#contract/brand.ts';
import type { Day } from '#contract/day.ts';
import type { DeskProduct } from '#contract/desk.ts';
import type { FundingRateData } from '#contract/funding.ts';
import { compareInstants } from '#contract/instant.ts';
import { wireText } from '#contract/wire-text.ts';
import type { ProductData } from '#contract/product.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { asContracts, byIncrement, fromCents } from '../units/conversions.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';
import { checkIncrement, type IncrementCheck } from './increment-check.ts';
import { toLastPrices, type LastPrices } from './last-price.ts';
import { deriveQuantity, toQuantity, type Quantity } from '../units/quantity.ts';
import type { DataTime, Source, Sourced } from '../source.ts';
import { findLatestOpenInterest, groupByProduct, toImpliedSettlement } from '../voi/voi-rows.ts';

export interface MarketPrices extends LastPrices {
  readonly check: IncrementCheck;
  /** In USD: from ticks where the tick size passed its check, else the price that open interest was valued at. */
  readonly settlement: Quantity | null;
  readonly settlementTime: DataTime | null;
}

export interface PriceParts {
  readonly product: DeskProduct;
  readonly days: readonly VOIDataPoint[];
  readonly voi: Source | undefined;
  readonly data: Source | undefined;
  readonly row: ProductData | undefined;
  readonly funding: Source | undefined;
  readonly latestPrint: FundingRateData | undefined;
}

export function toMarketPrices(parts: PriceParts): MarketPrices {
  const { product, data, row } = parts;
  const implied = toImplied(parts);
  const check = checkIncrement(product, { ticks: findTicks(parts), usd: findUsd(parts) });
  return {
    check,
    ...toSettlement(parts, check, implied),
    ...toLastPrices(data, row, byIncrement(product, check.reason)),
  };
}

interface Implied {
  readonly date: Day;
  readonly quantity: Quantity;
}

type Settlement = Pick<MarketPrices, 'settlement' | 'settlementTime'>;

function toSettlement(parts: PriceParts, check: IncrementCheck, implied: Implied | null): Settlement {
  const time = parts.row?.settlement_time ?? null;
  const settlement = readSettlement(parts, check);
  if (settlement !== null && settlement.value !== null) return { settlement, settlementTime: time };
  // A notional has no sign, so it cannot imply a spread's price.
  if (implied === null || parts.product.type === 'spread') return { settlement, settlementTime: time };
  return { settlement: implied.quantity, settlementTime: implied.date };
}

/** The settlement converted to USD; null without a settlement or a tick size. */
function readSettlement({ product, data, row }: PriceParts, check: IncrementCheck): Quantity | null {
  const conversion = byIncrement(product, check.reason);
  if (data === undefined || row === undefined || conversion === null || row.settlement_price === null) return null;
  return toQuantity({ source: data, dataTime: row.settlement_time }, row, 'settlement_price', conversion);
}

/** A price in ticks to check the tick size with: the last settlement, or a perpetual's mark. */
function findTicks({ row, latestPrint }: PriceParts): Decimal | null {
  const settlement = row ? wireText(row, 'settlement_price') : null;
  if (settlement !== null) return toDecimal(settlement);
  return latestPrint ? toDecimal(wireText(latestPrint, 'mark_price')) : null;
}

/** The latest day with an implied settlement: days without open interest have none. */
function findUsd({ product, days, voi }: PriceParts): Decimal | null | undefined {
  const size = wireText(product, 'contract_size');
  if (voi === undefined) return undefined;
  if (size === undefined) return null;
  return days.reduceRight<Decimal | null>((found, day) => found ?? toImpliedSettlement(day, size), null);
}

function toImplied({ product, days, voi }: PriceParts): Implied | null {
  const row = findLatestOpenInterest(days);
  const size = wireText(product, 'contract_size');
  if (voi === undefined || row === null || size === undefined) return null;
  const at = { source: voi, dataTime: row.date };
  const from = [toQuantity(at, row, 'notionalOpenInterest', fromCents), toQuantity(at, row, 'openInterest', asContracts)];
  const how = `Settlement implied by open interest: notional ÷ contracts ÷ contract size ${size}`;
  return { date: row.date, quantity: deriveQuantity('USD', how, from, () => toImpliedSettlement(row, size)) };
}

/** Responses with a product's price in ticks, and in USD without its tick size. Not every venue offers all of them. */
export interface IncrementResponses {
  readonly voi: Sourced<readonly VOIDataPoint[]> | undefined;
  readonly funding: Sourced<{ readonly data: readonly FundingRateData[] }> | undefined;
  readonly data: Sourced<readonly ProductData[]> | undefined;
}

/** Checks the published tick size of products against the exchange's own USD prices. */
export function createIncrementChecks({ voi, funding, data }: IncrementResponses): (product: DeskProduct) => IncrementCheck {
  const daysById = groupByProduct(voi?.value ?? []);
  const printsById = latestPrintByProduct(funding?.value.data ?? []);
  const dataById = new Map(data?.value.map((row) => [toNumber(row.product_id), row]));
  return (product) => {
    const id = toNumber(product.product_id);
    return toMarketPrices({ product, days: daysById.get(id) ?? [], voi, data, row: dataById.get(id), funding, latestPrint: printsById.get(id) }).check;
  };
}

/** The latest settled rate of each product, whatever the order and number of rows. */
export function latestPrintByProduct(rows: readonly FundingRateData[]): ReadonlyMap<number, FundingRateData> {
  return new Map(rows.toSorted((a, b) => compareInstants(a.interval_end, b.interval_end)).map((row) => [toNumber(row.product_id), row]));
}
