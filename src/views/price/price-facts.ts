import type { Answer } from '#api/answer.ts';
import type { FundingRateData } from '#contract/funding.ts';
import type { Instant } from '#contract/instant.ts';
import type { PriceDataPoint } from '#contract/price-data.ts';
import type { ProductTrailingStats } from '#contract/trailing-stats.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { orderSessions } from '#domain/bars.ts';
import { toChange } from '#domain/change.ts';
import { asContracts, asUsd, fromCents } from '#domain/conversions.ts';
import { commonFractionDigits } from '#domain/format-number.ts';
import { formatDay } from '#domain/format-time.ts';
import { checkIncrement, toCheckedConversion } from '#domain/increment-check.ts';
import { deriveQuantity, toQuantity, type Quantity } from '#domain/quantity.ts';
import { findLatestOpenInterest } from '#domain/voi.ts';
import type { NamedProduct } from '#domain/find-product.ts';

/** A figure of the header. */
export interface PriceFact {
  readonly name: string;
  readonly quantity: Quantity;
  readonly signed?: boolean;
  /** After the point; else as many as came. */
  readonly digits?: number;
  readonly remark?: string;
  /** The moment it is of, where that is no day. */
  readonly at?: Instant;
}

export interface HeaderAnswers {
  readonly prices: Answer<readonly PriceDataPoint[]>;
  /** Whether the prices are all that there are: else a product without any may have older ones. */
  readonly arePricesAll: boolean;
  readonly voi: Answer<readonly VOIDataPoint[]> | undefined;
  readonly stats: Answer<ProductTrailingStats> | undefined;
  readonly funding: Answer<{ readonly data: readonly FundingRateData[] }> | undefined;
}

/** What is known of a product now, each figure with where it comes from, and of when it is: told once of one in two units. */
export function toPriceFacts({ product }: NamedProduct, answers: HeaderAnswers): readonly PriceFact[] {
  const digits = Math.max(2, commonFractionDigits(answers.prices.value.map(({ settlementPrice }) => settlementPrice)));
  const settlements = toSettlements(answers.prices, digits);
  return [...settlements, ...toTrailing(answers.stats), ...toOpenInterest(answers.voi), ...toFundingMark(product, settlements[0], answers)];
}

function toSettlements(prices: HeaderAnswers['prices'], digits: number): readonly PriceFact[] {
  const [before, last] = orderSessions(prices.value).slice(-2);
  const now = last ?? before;
  if (now === undefined) return [];
  const read = (point: PriceDataPoint): Quantity => toQuantity({ source: prices, dataTime: point.date }, point, 'settlementPrice', asUsd);
  const remark = formatDay(now.date);
  const settlement: PriceFact = { name: 'Last settlement', quantity: read(now), digits, remark };
  if (last === undefined || before === undefined) return [settlement];
  const pair = [read(before), read(last)];
  const how = `Settlement of ${last.date} against that of ${before.date}, the session before it that traded.`;
  const absolute = deriveQuantity('USD', how, pair, ([from, to]) => (from && to ? toChange(from, to).absolute : null));
  const relative = deriveQuantity('fraction', how, pair, ([from, to]) => (from && to ? toChange(from, to).fraction : null));
  // The list of markets has another change, that of the last trade since the settlement.
  const name = 'Settlement change';
  return [settlement, { name, quantity: absolute, digits, signed: true, remark }, { name, quantity: relative, signed: true }];
}

function toTrailing(stats: HeaderAnswers['stats']): readonly PriceFact[] {
  if (stats === undefined) return [];
  const at = { source: stats, dataTime: stats.answeredAt };
  return [
    { name: '24 h volume', quantity: toQuantity(at, stats.value, 'volume', asContracts) },
    { name: '24 h volume', quantity: toQuantity(at, stats.value, 'notionalVolume', asUsd), digits: 0 },
  ];
}

function toOpenInterest(voi: HeaderAnswers['voi']): readonly PriceFact[] {
  const row = voi ? findLatestOpenInterest(voi.value) : null;
  if (voi === undefined || row === null) return [];
  const at = { source: voi, dataTime: row.date };
  const remark = `daily, ${formatDay(row.date)}`;
  return [
    { name: 'Open interest', quantity: toQuantity(at, row, 'openInterest', asContracts), remark },
    { name: 'Open interest', quantity: toQuantity(at, row, 'notionalOpenInterest', fromCents), digits: 0 },
  ];
}

/** Comes in ticks: shown in USD only where the published increment holds against the chart. */
function toFundingMark(product: NamedProduct['product'], settlement: PriceFact | undefined, { funding, arePricesAll }: HeaderAnswers): readonly PriceFact[] {
  const print = funding?.value.data[0];
  if (funding === undefined || print === undefined || product === null) return [];
  const at = { source: funding, dataTime: print.interval_end };
  const ticks = toQuantity(at, print, 'mark_price', { wireUnit: 'ticks', unit: 'ticks', factor: '1', spec: null, withheld: null });
  const check = checkIncrement(product, { ticks: ticks.value, usd: settlement?.quantity.value ?? (arePricesAll ? null : undefined) });
  const conversion = toCheckedConversion(product, check);
  const mark = { name: 'Funding mark', at: print.interval_end };
  if (conversion === null) return [{ ...mark, quantity: ticks }];
  return [{ ...mark, quantity: toQuantity(at, print, 'mark_price', conversion), ...(settlement?.digits !== undefined && { digits: settlement.digits }) }];
}
