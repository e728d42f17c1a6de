import type { Day } from '#contract/day.ts';
import type { DeskProduct } from '#contract/desk.ts';
import type { FundingRateData } from '#contract/funding.ts';
import { wireText } from '#contract/json-text.ts';
import type { ProductData } from '#contract/product.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { asContracts, fromCents } from './conversions.ts';
import { toDecimal, type Decimal } from './decimal.ts';
import { checkIncrement, toCheckedConversion, type IncrementCheck } from './increment-check.ts';
import { toLastPrices, type LastPrices } from './last-price.ts';
import { deriveQuantity, toQuantity, type Quantity } from './quantity.ts';
import type { DataTime, Source } from './source.ts';
import { findLatestOpenInterest, toImpliedSettlement } from './voi.ts';

export interface MarketPrices extends LastPrices {
  readonly check: IncrementCheck;
  /** USD. From ticks where their increment holds; else what open interest was valued at, which needs none. */
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
  readonly prints: FundingRateData | undefined;
}

export function toMarketPrices(parts: PriceParts): MarketPrices {
  const { product, data, row } = parts;
  const implied = toImplied(parts);
  const check = checkIncrement(product, { ticks: findTicks(parts), usd: findUsd(parts) });
  return {
    check,
    ...toSettlement(parts, check, implied),
    ...toLastPrices(data, row, toCheckedConversion(product, check)),
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
  // A notional has no sign, so what is implied by it cannot stand for a spread's price.
  if (implied === null || parts.product.type === 'spread') return { settlement, settlementTime: time };
  return { settlement: implied.quantity, settlementTime: implied.date };
}

/** Ticks as USD; null where the venue has none, or publishes no increment. */
function readSettlement({ product, data, row }: PriceParts, check: IncrementCheck): Quantity | null {
  const conversion = toCheckedConversion(product, check);
  if (data === undefined || row === undefined || conversion === null || row.settlement_price === null) return null;
  return toQuantity({ source: data, dataTime: row.settlement_time }, row, 'settlement_price', conversion);
}

/** A price in ticks to hold the increment against: the last settlement, or a perpetual's funding mark. */
function findTicks({ row, prints }: PriceParts): Decimal | null {
  const settlement = row ? wireText(row, 'settlement_price') : null;
  if (settlement !== null) return toDecimal(settlement);
  return prints ? toDecimal(wireText(prints, 'mark_price')) : null;
}

/** The last day that tells one: on a day without open interest nothing was valued, and the days before it are no worse. */
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
  const how = `Settlement that open interest was valued at: its value / contracts / contract size ${size}`;
  return { date: row.date, quantity: deriveQuantity('USD', how, from, () => toImpliedSettlement(row, size)) };
}
