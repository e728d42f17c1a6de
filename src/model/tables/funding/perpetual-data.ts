import { type HistoryRange, RANGE_DAYS } from './perpetual-params.ts';
import type { ApiResponse } from '../../response.ts';
import type { FractionalTicks, Ticks } from '#contract/exchange/amounts.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { FundingRateData, PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { orderSessions } from '../../price/bars.ts';
import { byIncrement, type Conversion } from '../../units/quantity.ts';
import { type FundingSeries, toPerpetualSeries, withReadTime } from '../../funding/funding-series.ts';
import { findOtherLatestRate, type LatestRateCheck } from '../../checks/exact-checks.ts';
import { judgePrices, NO_REASONS, toIncrementCheck, whyWithheld } from '../../checks/judge-prices.ts';
import { sortByDate } from '../../voi/voi-rows.ts';

/** A perpetual’s settled rates as the screen uses them, examined once for each response. */
export interface PerpetualData {
  readonly source: ApiResponse<DeskFunding>;
  readonly perpetual: DeskFunding['perpetuals'][number];
  readonly series: FundingSeries;
  readonly product: DeskProduct | null;
  /** Converts ticks to USD; null without a tick size, withheld if the tick size is known to be wrong. */
  readonly conversion: Conversion<Ticks | FractionalTicks> | null;
  /** Why figures computed with the contract size are not shown; null if they are. */
  readonly sizeWithheld: string | null;
  /** How the latest rate that Markets shows differs from that of the history; null if it does not. */
  readonly otherRate: LatestRateCheck | null;
}

/**
 * The data that tick size, contract size and latest rate are checked against. Undefined means not read yet; null means
 * not offered, or not to be read.
 */
export interface PriceReadings {
  readonly prices: readonly PriceDataPoint[] | null | undefined;
  readonly data: ProductData | null | undefined;
  readonly days: readonly VOIDataPoint[] | null | undefined;
  readonly latest: { readonly data: readonly FundingRateData[] } | null | undefined;
}

/**
 * Examines a perpetual. `dueTo` is the funding time whose rate should have settled already; null if unknown. For an
 * expired perpetual no rate is due.
 */
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

const DAY_MS = 86_400_000;

/** Returns the start of a range that ends at the newest funding time that has settled or should have. */
export function toRangeStart({ expectedTo, expectedFrom }: FundingSeries, range: HistoryRange): number {
  return range === 'all' ? expectedFrom : Math.max(expectedFrom, (expectedTo ?? 0) - RANGE_DAYS[range] * DAY_MS);
}
