import type { ApiResponse } from '#api/api-response.ts';
import type { FractionalTicks, Ticks } from '#contract/amounts.ts';
import type { DeskProduct } from '#contract/desk.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import type { FundingRateData } from '#contract/funding.ts';
import type { PriceDataPoint } from '#contract/price-data.ts';
import { orderSessions } from '#domain/price/bars.ts';
import { byIncrement, type Conversion } from '#domain/units/conversions.ts';
import { toDecimal } from '#domain/units/decimal.ts';
import type { FundingSeries } from '#domain/funding/funding-series.ts';
import { checkIncrement } from '#domain/markets/increment-check.ts';
import { wireText } from '#contract/wire-text.ts';
import { toPerpetualSeries } from '../perpetual-series.ts';
import type { HistoryRange } from './perpetual-params.ts';

/** A perpetual's settled rates as the screen uses them, examined once for each response. */
export interface PerpetualData {
  readonly source: ApiResponse<DeskFunding>;
  readonly perpetual: DeskFunding['perpetuals'][number];
  readonly series: FundingSeries;
  readonly product: DeskProduct | null;
  /** Ticks to USD; null without a tick size, withheld where the tick size is known to be wrong. */
  readonly conversion: Conversion<Ticks | FractionalTicks> | null;
}

/** `prices`: null until they have been read. */
export function toPerpetualData(source: ApiResponse<DeskFunding>, product: DeskProduct | null, prices: readonly PriceDataPoint[] | null): PerpetualData | null {
  const [perpetual] = toPerpetualSeries(source);
  if (perpetual === undefined) return null;
  const { row, series } = perpetual;
  return { source, perpetual: row, series, product, conversion: product && toConversion(product, row.prints[0], prices) };
}

function toConversion(product: DeskProduct, print: FundingRateData | undefined, prices: readonly PriceDataPoint[] | null): PerpetualData['conversion'] {
  const settlement = orderSessions(prices ?? []).at(-1)?.settlementPrice;
  const none = prices === null ? undefined : null;
  const usd = settlement === undefined ? none : toDecimal(settlement);
  const ticks = print === undefined ? null : toDecimal(wireText(print, 'mark_price'));
  return byIncrement(product, checkIncrement(product, { ticks, usd }).reason);
}

export const RANGE_DAYS: Readonly<Record<Exclude<HistoryRange, 'all'>, number>> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 };
const DAY_MS = 86_400_000;

/** A range ends at the latest settled funding time. */
export function toRangeStart({ settledTo, expectedFrom }: FundingSeries, range: HistoryRange): number {
  return range === 'all' ? expectedFrom : Math.max(expectedFrom, (settledTo ?? 0) - RANGE_DAYS[range] * DAY_MS);
}
