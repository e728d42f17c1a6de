import type { Answer } from '#api/answer.ts';
import type { FractionalTicks, Ticks } from '#contract/amounts.ts';
import type { DeskProduct } from '#contract/desk.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import type { FundingRateData } from '#contract/funding.ts';
import type { PriceDataPoint } from '#contract/price-data.ts';
import { orderSessions } from '#domain/bars.ts';
import type { Conversion } from '#domain/conversions.ts';
import { toDecimal } from '#domain/decimal.ts';
import type { FundingSeries } from '#domain/funding/funding-series.ts';
import { checkIncrement, toCheckedConversion } from '#domain/increment-check.ts';
import { asWritten } from '#domain/wire-row.ts';
import { toPerpetuals } from '../compare-row.ts';
import type { OneRange } from './one-params.ts';

/** A perpetual's settled funding as the screen uses it: examined once for each answer. */
export interface OneData {
  readonly source: Answer<DeskFunding>;
  readonly perpetual: DeskFunding['perpetuals'][number];
  readonly series: FundingSeries;
  readonly product: DeskProduct | null;
  /** Ticks to USD; null without an increment, withheld where it is known to be wrong. */
  readonly conversion: Conversion<Ticks | FractionalTicks> | null;
}

/** `prices`: null where they have not been read. */
export function toOneData(source: Answer<DeskFunding>, product: DeskProduct | null, prices: readonly PriceDataPoint[] | null): OneData | null {
  const [perpetual] = toPerpetuals(source);
  if (perpetual === undefined) return null;
  const { row, series } = perpetual;
  return { source, perpetual: row, series, product, conversion: product && toConversion(product, row.prints[0], prices) };
}

function toConversion(product: DeskProduct, print: FundingRateData | undefined, prices: readonly PriceDataPoint[] | null): OneData['conversion'] {
  const settlement = orderSessions(prices ?? []).at(-1)?.settlementPrice;
  const none = prices === null ? undefined : null;
  const usd = settlement === undefined ? none : toDecimal(settlement);
  const ticks = print === undefined ? null : toDecimal(asWritten(print, 'mark_price'));
  return toCheckedConversion(product, checkIncrement(product, { ticks, usd }));
}

export const RANGE_DAYS: Readonly<Record<Exclude<OneRange, 'all'>, number>> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 };
const DAY_MS = 86_400_000;

/** From when on prints are drawn: a range ends with the newest boundary. */
export function toRangeStart({ settledTo, expectedFrom }: FundingSeries, range: OneRange): number {
  return range === 'all' ? expectedFrom : Math.max(expectedFrom, (settledTo ?? 0) - RANGE_DAYS[range] * DAY_MS);
}
