import type { ApiResponse } from '../../response.ts';
import type {
  FundingRateData,
  PriceDataPoint,
  ProductTrailingStats,
  VOIDataPoint,
} from '#contract/exchange/market-data.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { findDaysWithoutPrices, orderSessions } from '../../price/bars.ts';
import { toChange } from '../../price/change.ts';
import {
  asContracts,
  asTicks,
  asUsd,
  byIncrement,
  deriveQuantity,
  fromCents,
  type Quantity,
  toQuantity,
} from '../../units/quantity.ts';
import { formatDay } from '../../format/format-time.ts';
import type { ProductEvidence } from '../../checks/facts.ts';
import {
  type IncrementCheck,
  judgePrices,
  NO_REASONS,
  type PriceChecks,
  toIncrementCheck,
  whyWithheld,
} from '../../checks/judge-prices.ts';
import type { Estimate } from '../../funding/estimate.ts';
import { CHANGE_SINCE_SETTLEMENT, toLastPrices } from '../../markets/market-prices.ts';
import { countPriceDigits } from '../../format/number.ts';
import { addDays, sessionAfter, sessionBefore, sessionOf, toMillis } from '../../time/session.ts';
import { findLatestOpenInterest, sortByDate } from '../../voi/voi-rows.ts';
import type { NamedProduct } from '../../products/product-directory.ts';
import { type PriceFact, toFundingFacts } from './funding-facts.ts';

export interface HeaderResponses {
  /** Null if the exchange does not offer it, or it could not be read. */
  readonly data: ApiResponse<ProductData> | null | undefined;
  readonly prices: ApiResponse<readonly PriceDataPoint[]> | undefined;
  /** Whether the prices cover the whole history. If not, older ones may exist. */
  readonly isWholeHistory: boolean;
  readonly voi: ApiResponse<readonly VOIDataPoint[]> | undefined;
  readonly stats: ApiResponse<ProductTrailingStats> | undefined;
  /** Product data of settled sessions, of all products; null until they have been read. */
  readonly sessions: readonly (readonly ProductData[])[] | null;
  /** The newest settled session; null if unknown. */
  readonly settledSession: Day | null;
  readonly funding: ApiResponse<{ readonly data: readonly FundingRateData[] }> | undefined;
  readonly estimate: Estimate | null;
}

/** Lists the current figures of a product with their provenance and time. A figure in two units has its time once. */
export function toPriceFacts(
  named: NamedProduct,
  responses: HeaderResponses,
  { check, reasons } = checkHeader(named, responses),
): readonly PriceFact[] {
  const { product } = named;
  const settlements = toSettlements(product, responses, whyWithheld(reasons, 'chart price'));
  const digits = settlements[0]?.digits;
  return [
    ...toLast(product, responses, { check, digits }, whyWithheld(reasons, 'product data price')),
    ...settlements,
    ...toTrailing(responses.stats, reasons),
    ...toOpenInterest(responses.voi, reasons),
    ...toFunding(product, responses, { check, digits }, whyWithheld(reasons, 'mark')),
  ];
}

interface HeaderChecks {
  /** Null if the product is unknown. */
  readonly check: IncrementCheck | null;
  readonly reasons: PriceChecks['reasons'];
}

/** Checks the figures of one session against each other: in ticks, in USD, and by the value of open interest. */
export function checkHeader({ product }: NamedProduct, responses: HeaderResponses): HeaderChecks {
  if (product === null) return { check: null, reasons: NO_REASONS };
  const checks = judgePrices(toEvidence(product, responses));
  return { check: toIncrementCheck(product, checks, isReading(responses)), reasons: checks.reasons };
}

function toEvidence(
  product: DeskProduct,
  { data, prices, voi, stats, sessions, funding }: HeaderResponses,
): ProductEvidence {
  return {
    product,
    days: sortByDate(voi?.value ?? []),
    sessions: (sessions ?? []).flat().filter(({ product_id: id }) => id === product.product_id),
    running: data?.value,
    trailing: stats?.value,
    trailingAt: stats?.respondedAt ?? null,
    prices: orderSessions(prices?.value ?? []),
    latestPrint: data === undefined ? undefined : funding?.value.data[0],
  };
}

/** Whether data that could check the tick size may still arrive. */
function isReading({ data, prices, isWholeHistory }: HeaderResponses): boolean {
  if (data === undefined || prices === undefined) return true;
  return prices.value.length === 0 && !(isWholeHistory && prices.setAside.length === 0);
}

interface TickTerms {
  readonly check: IncrementCheck | null;
  readonly digits: number | undefined;
}

/** Returns the last price and its change, under their names on Markets. */
function toLast(
  product: NamedProduct['product'],
  { data, settledSession }: HeaderResponses,
  { check, digits }: TickTerms,
  doubt: string | null,
): readonly PriceFact[] {
  if (data === undefined || data === null || product === null || check === null) return [];
  const { value: row } = data;
  const { last, change, changeFraction } = toLastPrices(
    data,
    row,
    byIncrement(product, check.reason) ?? asTicks,
    doubt,
  );
  const toFact = (name: string, quantity: Quantity | null): readonly PriceFact[] =>
    quantity === null
      ? []
      : [
          {
            name,
            quantity: withChartNote(quantity, check),
            ...(quantity.unit === 'USD' && digits !== undefined && { digits }),
          },
        ];
  return [
    // If the last trade was before the settlement, its price is not current, so its time is shown.
    ...toFact('Last', last).map((fact) => ({
      ...fact,
      ...(row.last_price_time !== null && {
        tradedAt: row.last_price_time,
        ...(isEarlier(row, product, settledSession) && { at: row.last_price_time }),
      }),
    })),
    ...[change, changeFraction]
      .flatMap((quantity) => toFact(CHANGE_SINCE_SETTLEMENT, quantity))
      .map((fact) => ({ ...fact, signed: true })),
  ];
}

/** Whether the last trade was before the newest settlement. */
function isEarlier(
  { last_price_time: time, price_change: change }: ProductData,
  { type }: DeskProduct,
  settledSession: Day | null,
): boolean {
  if (change === null) return true;
  return (
    time !== null &&
    settledSession !== null &&
    sessionOf(toMillis(time), { everyDay: type === 'perpetual' }) <= settledSession
  );
}

function toSettlements(
  product: NamedProduct['product'],
  { prices, voi }: HeaderResponses,
  withheld: string | null,
): readonly PriceFact[] {
  if (prices === undefined) return [];
  const digits = countPriceDigits(
    prices.value.flatMap(({ ohlc: { open, high, low, close }, settlementPrice }) => [
      open,
      high,
      low,
      close,
      settlementPrice,
    ]),
  );
  const [before, last] = orderSessions(prices.value).slice(-2);
  const now = last ?? before;
  if (now === undefined) return [];
  const read = (point: PriceDataPoint): Quantity =>
    toQuantity({ source: prices, dataTime: point.date }, point, 'settlementPrice', { ...asUsd, withheld });
  const settlement: PriceFact = { name: 'Settlement', quantity: read(now), digits, remark: formatDay(now.date) };
  if (last === undefined || before === undefined) return [settlement];
  const pair = [read(before), read(last)];
  const how = `Settlement of ${last.date} vs. settlement of ${before.date}, the previous session with trades.`;
  const reason = whyIncomparable([before.date, last.date], voi?.value, product?.type === 'perpetual');
  const withhold = (change: Quantity): Quantity =>
    reason === null ? change : { ...change, value: null, withheld: reason };
  const absolute = withhold(
    deriveQuantity('USD', how, pair, ([from, to]) => (from && to ? toChange(from, to).absolute : null)),
  );
  const relative = withhold(
    deriveQuantity('fraction', how, pair, ([from, to]) => (from && to ? toChange(from, to).fraction : null)),
  );
  const name = 'Settlement change';
  return [
    settlement,
    { name, quantity: absolute, digits, signed: true, remark: formatDays(before.date, last.date) },
    { name, quantity: relative, signed: true },
    ...[7, 30].map((days) => toChangeOver(days, last, { product, prices, read })),
  ];
}

/** The change of the newest settlement since that of the last session that was this many days before it. */
function toChangeOver(
  days: number,
  last: PriceDataPoint,
  {
    product,
    prices,
    read,
  }: {
    readonly product: NamedProduct['product'];
    readonly prices: NonNullable<HeaderResponses['prices']>;
    readonly read: (point: PriceDataPoint) => Quantity;
  },
): PriceFact {
  const day = sessionBefore(addDays(last.date, 1 - days), { everyDay: product?.type === 'perpetual' });
  const before = prices.value.find(({ date }) => date === day);
  const how =
    `Settlement of ${last.date} vs. settlement of ${day}` +
    (before === undefined ? ', which is not among the prices that were read.' : '.');
  const pair = before === undefined ? [read(last)] : [read(last), read(before)];
  const quantity = deriveQuantity('fraction', how, pair, ([to, from]) =>
    from && to ? toChange(from, to).fraction : null,
  );
  return { name: '7 d / 30 d change', quantity, signed: true };
}

/** `28 → 29 Nov 2026`; the month and the year are written once if they are the same. */
function formatDays(from: Day, to: Day): string {
  const [day, month, year] = formatDay(from).split(' ');
  const [, toMonth, toYear] = formatDay(to).split(' ');
  const start = year !== toYear ? formatDay(from) : month === toMonth ? day : `${day ?? ''} ${month ?? ''}`;
  return `${start ?? ''} → ${formatDay(to)}`;
}

/** Explains why two settlements cannot be compared: a session between them traded, and its settlement is unknown. */
function whyIncomparable(
  [before, last]: readonly [Day, Day],
  settled: readonly VOIDataPoint[] | undefined,
  everyDay: boolean,
): string | null {
  if (settled === undefined) {
    return sessionAfter(before, { everyDay }) < last
      ? `Volume between ${formatDay(before)} and ${formatDay(last)} has not been read, so the two ` +
          'settlements are not compared.'
      : null;
  }
  const between = settled.filter(({ date }) => date > before && date < last);
  const unpriced = findDaysWithoutPrices(between, []).unpriced.at(-1);
  return unpriced === undefined
    ? null
    : `There were trades in the session of ${formatDay(unpriced)}, but its settlement is unknown, so the ` +
        'settlements around it are not compared.';
}

function toTrailing(stats: HeaderResponses['stats'], reasons: PriceChecks['reasons']): readonly PriceFact[] {
  if (stats === undefined) return [];
  const at = { source: stats, dataTime: stats.respondedAt };
  return [
    {
      name: '24 h volume',
      quantity: toQuantity(at, stats.value, 'volume', {
        ...asContracts,
        withheld: whyWithheld(reasons, '24 h volume'),
      }),
    },
    {
      name: '24 h volume',
      quantity: toQuantity(at, stats.value, 'notionalVolume', {
        ...asUsd,
        withheld: whyWithheld(reasons, '24 h USD value'),
      }),
      digits: 0,
    },
  ];
}

function toOpenInterest(voi: HeaderResponses['voi'], reasons: PriceChecks['reasons']): readonly PriceFact[] {
  const row = voi ? findLatestOpenInterest(voi.value) : null;
  if (voi === undefined || row === null) return [];
  const at = { source: voi, dataTime: row.date };
  const remark = formatDay(row.date);
  return [
    {
      name: 'Open interest',
      quantity: toQuantity(at, row, 'openInterest', { ...asContracts, withheld: whyWithheld(reasons, 'openInterest') }),
      remark,
    },
    {
      name: 'Open interest',
      quantity: toQuantity(at, row, 'notionalOpenInterest', {
        ...fromCents,
        withheld: whyWithheld(reasons, 'notionalOpenInterest'),
      }),
      digits: 0,
    },
  ];
}

/**
 * Converts funding figures, which are published in ticks, to USD only if the tick size agrees with the chart’s prices.
 */
function toFunding(
  product: NamedProduct['product'],
  { funding, estimate }: HeaderResponses,
  { check, digits }: TickTerms,
  markWithheld: string | null,
): readonly PriceFact[] {
  if (product === null || check === null) return [];
  const conversion = byIncrement(product, check.reason) ?? asTicks;
  return toFundingFacts(funding, estimate, { conversion, digits, markWithheld }).map((fact) => ({
    ...fact,
    quantity: withChartNote(fact.quantity, check),
  }));
}

/** Notes that a failed tick size check does not affect chart prices, which are published in USD. */
function withChartNote(quantity: Quantity, { verdict, reason }: IncrementCheck): Quantity {
  return verdict === 'off' && quantity.withheld === reason
    ? { ...quantity, withheld: `${reason ?? ''} Chart prices are unaffected.` }
    : quantity;
}
