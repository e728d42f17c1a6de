import type { ApiResponse } from '../../response.ts';
import type { FractionalTicks, Ticks } from '#contract/exchange/amounts.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import type { PriceDataPoint } from '#contract/exchange/price-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { orderSessions } from '../../price/bars.ts';
import { byIncrement, type Conversion } from '../../units/conversions.ts';
import type { FundingSeries } from '../../funding/funding-series.ts';
import { findOtherLatestRate, type LatestRateCheck } from '../../checks/check-latest-rate.ts';
import { judgePrices, NO_REASONS, whyWithheld } from '../../checks/judge-prices.ts';
import { toIncrementCheck } from '../../checks/increment-check.ts';
import { sortByDate } from '../../voi/voi-rows.ts';
import { toPerpetualSeries, withReadTime } from './perpetual-series.ts';
import type { HistoryRange } from './perpetual-params.ts';

/** A perpetual's settled rates as the screen uses them, examined once for each response. */
export interface PerpetualData {
  readonly source: ApiResponse<DeskFunding>;
  readonly perpetual: DeskFunding['perpetuals'][number];
  readonly series: FundingSeries;
  readonly product: DeskProduct | null;
  /** Ticks to USD; null without a tick size, withheld where the tick size is known to be wrong. */
  readonly conversion: Conversion<Ticks | FractionalTicks> | null;
  /** Why figures computed with the contract size are not shown, or null. */
  readonly sizeWithheld: string | null;
  /** How the latest rate, as Markets shows it, differs from that of the history; null where it does not. */
  readonly otherRate: LatestRateCheck | null;
}

/** What the tick size, the contract size and the latest rate are checked with. Undefined: not read yet; null: not offered, or not to be read. */
export interface PriceReadings {
  readonly prices: readonly PriceDataPoint[] | null | undefined;
  readonly data: ProductData | null | undefined;
  readonly days: readonly VOIDataPoint[] | null | undefined;
  readonly latest: { readonly data: readonly FundingRateData[] } | null | undefined;
}

/** `dueTo`: the funding time whose rate should have settled by now; null: unknown. Of an expired perpetual no rate is due. */
export function toPerpetualData(
  source: ApiResponse<DeskFunding>,
  product: DeskProduct | null,
  readings: PriceReadings,
  dueTo: number | null,
): PerpetualData | null {
  const [perpetual] = toPerpetualSeries(source, product?.product_status === 'expired' ? null : dueTo);
  if (perpetual === undefined) return null;
  const { row, series } = perpetual;
  const { withheld, reasons } = product === null ? NO_CHECKS : checkPrices(product, row.prints[0], readings);
  return {
    source: withReadTime(source, row.read_at),
    perpetual: row,
    series,
    product,
    conversion: product && byIncrement(product, withheld),
    sizeWithheld: whyWithheld(reasons, 'contract size'),
    otherRate: findOtherLatestRate(readings.latest?.data[0], row.prints),
  };
}

const NO_CHECKS = { withheld: null, reasons: NO_REASONS } as const;

function checkPrices(
  product: DeskProduct,
  latestPrint: FundingRateData | undefined,
  { prices, data, days }: PriceReadings,
) {
  const checks = judgePrices({
    product,
    days: sortByDate(days ?? []),
    sessions: [],
    running: data ?? undefined,
    trailing: undefined,
    trailingAt: null,
    prices: orderSessions(prices ?? []),
    latestPrint: data === undefined ? undefined : latestPrint,
  });
  const { reason } = toIncrementCheck(product, checks, prices === undefined || data === undefined);
  return { withheld: reason ?? whyWithheld(checks.reasons, 'mark'), reasons: checks.reasons };
}

export const RANGE_DAYS: Readonly<Record<Exclude<HistoryRange, 'all'>, number>> = {
  '7d': 7,
  '30d': 30,
  '90d': 90,
  '1y': 365,
};
const DAY_MS = 86_400_000;

/** A range ends at the newest funding time that has settled or should have. */
export function toRangeStart({ expectedTo, expectedFrom }: FundingSeries, range: HistoryRange): number {
  return range === 'all' ? expectedFrom : Math.max(expectedFrom, (expectedTo ?? 0) - RANGE_DAYS[range] * DAY_MS);
}
