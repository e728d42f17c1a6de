import type { ApiResponse } from '#api/api-response.ts';
import type { FundingRateData } from '#contract/funding.ts';
import type { Day } from '#contract/day.ts';
import type { Instant } from '#contract/instant.ts';
import type { PriceDataPoint } from '#contract/price-data.ts';
import type { ProductData } from '#contract/product.ts';
import type { ProductTrailingStats } from '#contract/trailing-stats.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { findBareDays, orderSessions } from '#domain/bars.ts';
import { toChange } from '#domain/change.ts';
import { asContracts, asTicks, asUsd, fromCents } from '#domain/conversions.ts';
import type { Decimal } from '#domain/decimal.ts';
import { formatDay } from '#domain/format-time.ts';
import { checkIncrement, toCheckedConversion, type IncrementCheck } from '#domain/increment-check.ts';
import { findTicks, SINCE_SETTLEMENT, toLastPrices } from '#domain/last-price.ts';
import { countPriceDigits } from '#domain/price-digits.ts';
import { deriveQuantity, toQuantity, type Quantity } from '#domain/quantity.ts';
import { sessionAfter } from '#domain/session.ts';
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

export interface HeaderResponses {
  /** Not every venue has it. */
  readonly data: ApiResponse<ProductData> | undefined;
  readonly prices: ApiResponse<readonly PriceDataPoint[]> | undefined;
  /** Whether the prices are all that there are: else a product without any may have older ones. */
  readonly arePricesAll: boolean;
  readonly voi: ApiResponse<readonly VOIDataPoint[]> | undefined;
  readonly stats: ApiResponse<ProductTrailingStats> | undefined;
  readonly funding: ApiResponse<{ readonly data: readonly FundingRateData[] }> | undefined;
}

/** What is known of a product now, each figure with where it comes from, and of when it is: told once of one in two units. */
export function toPriceFacts({ product }: NamedProduct, answers: HeaderResponses): readonly PriceFact[] {
  const settlements = toSettlements(product, answers);
  return [...toLast(product, settlements[0], answers), ...settlements, ...toTrailing(answers.stats), ...toOpenInterest(answers.voi), ...toFundingMark(product, settlements[0], answers)];
}

/** Where it is now, by the names that the list of markets has for it. */
function toLast(product: NamedProduct['product'], settlement: PriceFact | undefined, answers: HeaderResponses): readonly PriceFact[] {
  const { data } = answers;
  if (data === undefined || product === null) return [];
  const { value: row } = data;
  const check = checkIncrement(product, { ticks: findTicks(row), usd: findUsd(settlement, answers) });
  const { last, change, changeFraction } = toLastPrices(data, row, toCheckedConversion(product, check) ?? asTicks);
  const toFact = (name: string, quantity: Quantity | null): readonly PriceFact[] =>
    quantity === null ? [] : [{ name, quantity: sparingChart(quantity, check), ...(quantity.unit === 'USD' && settlement?.digits !== undefined && { digits: settlement.digits }) }];
  return [
    // One from before the settlement is not where it is now.
    ...toFact('Last', last).map((fact) => ({ ...fact, ...(row.last_price_time !== null && row.price_change === null && { at: row.last_price_time }) })),
    ...[change, changeFraction].flatMap((quantity) => toFact(SINCE_SETTLEMENT, quantity)).map((fact) => ({ ...fact, signed: true })),
  ];
}

function toSettlements(product: NamedProduct['product'], { prices, voi }: HeaderResponses): readonly PriceFact[] {
  if (prices === undefined) return [];
  const digits = countPriceDigits(prices.value.flatMap(({ ohlc: { open, high, low, close }, settlementPrice }) => [open, high, low, close, settlementPrice]));
  const [before, last] = orderSessions(prices.value).slice(-2);
  const now = last ?? before;
  if (now === undefined) return [];
  const read = (point: PriceDataPoint): Quantity => toQuantity({ source: prices, dataTime: point.date }, point, 'settlementPrice', asUsd);
  const settlement: PriceFact = { name: 'Last settlement', quantity: read(now), digits, remark: formatDay(now.date) };
  if (last === undefined || before === undefined) return [settlement];
  const pair = [read(before), read(last)];
  const how = `Settlement of ${last.date} against that of ${before.date}, the session before it that traded.`;
  const reason = findBetween([before.date, last.date], voi?.value, product?.type === 'perpetual');
  const withhold = (change: Quantity): Quantity => (reason === null ? change : { ...change, value: null, withheld: reason });
  const absolute = withhold(deriveQuantity('USD', how, pair, ([from, to]) => (from && to ? toChange(from, to).absolute : null)));
  const relative = withhold(deriveQuantity('fraction', how, pair, ([from, to]) => (from && to ? toChange(from, to).fraction : null)));
  const name = 'Settlement change';
  return [settlement, { name, quantity: absolute, digits, signed: true, remark: `since ${formatDay(before.date)}` }, { name, quantity: relative, signed: true }];
}

/** Why a change over what lies between two sessions is not one of neighbours: of a session between them that traded the settlement is not known. */
function findBetween([before, last]: readonly [Day, Day], settled: readonly VOIDataPoint[] | undefined, everyDay: boolean): string | null {
  if (settled === undefined) {
    return sessionAfter(before, { everyDay }) < last ? `Whether anything traded between ${formatDay(before)} and ${formatDay(last)} has not been read, so their settlements are not compared.` : null;
  }
  const between = settled.filter(({ date }) => date > before && date < last);
  const unpriced = findBareDays(between, []).unpriced.at(-1);
  return unpriced === undefined ? null : `The session of ${formatDay(unpriced)} traded, and its settlement is not known, so those around it are not compared.`;
}

function toTrailing(stats: HeaderResponses['stats']): readonly PriceFact[] {
  if (stats === undefined) return [];
  const at = { source: stats, dataTime: stats.answeredAt };
  return [
    { name: '24 h volume', quantity: toQuantity(at, stats.value, 'volume', asContracts) },
    { name: '24 h volume', quantity: toQuantity(at, stats.value, 'notionalVolume', asUsd), digits: 0 },
  ];
}

function toOpenInterest(voi: HeaderResponses['voi']): readonly PriceFact[] {
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
function toFundingMark(product: NamedProduct['product'], settlement: PriceFact | undefined, answers: HeaderResponses): readonly PriceFact[] {
  const { funding } = answers;
  const print = funding?.value.data[0];
  if (funding === undefined || print === undefined || product === null) return [];
  const at = { source: funding, dataTime: print.interval_end };
  const ticks = toQuantity(at, print, 'mark_price', asTicks);
  const check = checkIncrement(product, { ticks: ticks.value, usd: findUsd(settlement, answers) });
  const conversion = toCheckedConversion(product, check);
  const mark = { name: 'Funding mark', at: print.interval_end };
  if (conversion === null) return [{ ...mark, quantity: ticks }];
  return [{ ...mark, quantity: sparingChart(toQuantity(at, print, 'mark_price', conversion), check), ...(settlement?.digits !== undefined && { digits: settlement.digits }) }];
}

/** What the chart has to hold an increment against; null: there are no prices at all. */
function findUsd(settlement: PriceFact | undefined, { prices, arePricesAll }: HeaderResponses): Decimal | null | undefined {
  return settlement?.quantity.value ?? (arePricesAll && prices?.setAside.length === 0 ? null : undefined);
}

/** An increment that does not hold says nothing of prices that need none. */
function sparingChart(quantity: Quantity, { verdict, reason }: IncrementCheck): Quantity {
  return verdict === 'off' && quantity.withheld !== null ? { ...quantity, withheld: `${reason ?? ''} Prices of the chart come in USD and are not concerned.` } : quantity;
}
