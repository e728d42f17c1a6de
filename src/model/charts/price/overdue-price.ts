import type { ApiResponse } from '../../response.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import type { PriceDataPoint } from '#contract/exchange/price-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { findDaysWithoutPrices, orderSessions } from '../../price/bars.ts';
import { type Due, type DueTimes, sessionsDueOf } from '../../time/due-times.ts';
import { findOverdue, type Overdue } from '../../time/overdue.ts';
import { findLatestOpenInterest } from '../../voi/voi-rows.ts';

/** The responses of a product about the present, as far as they have been read. */
interface CurrentResponses {
  readonly data: ApiResponse<ProductData> | undefined;
  readonly prices: ApiResponse<readonly PriceDataPoint[]> | undefined;
  readonly voi: ApiResponse<readonly VOIDataPoint[]> | undefined;
  readonly funding: ApiResponse<{ readonly data: readonly FundingRateData[] }> | undefined;
}

/** Which figures of a product are older than they may be, by what is due. */
export interface OverduePrice {
  readonly settlement: Overdue | null;
  /** Of the last price and its change: the settlement that came with them. */
  readonly trading: Overdue | null;
  readonly openInterest: Overdue | null;
  readonly settledRate: Overdue | null;
}

const NONE: OverduePrice = { settlement: null, trading: null, openInterest: null, settledRate: null };

/** Of an expired product nothing is due, nor of one that is unknown. */
export function findOverduePrice(
  product: DeskProduct | null,
  { data, prices, voi, funding }: CurrentResponses,
  due: DueTimes | null,
): OverduePrice {
  if (due === null || product === null || product.product_status === 'expired') return NONE;
  const sessions = sessionsDueOf(product, due);
  return {
    settlement: prices && voi ? findOverdueSettlement(prices.value, voi.value, sessions.chartPrice) : null,
    trading: data ? findOverdue(data.value.settlement_time, sessions.productDataAll) : null,
    openInterest: voi ? findOverdue(findLatestOpenInterest(voi.value)?.date ?? null, sessions.chartVoi) : null,
    settledRate: findOverdue(funding?.value.data[0]?.interval_end ?? null, due.fundingRates),
  };
}

/** A session without trades has no price, and none is due; the volume shows which ones they are. */
function findOverdueSettlement(
  points: readonly PriceDataPoint[],
  rows: readonly VOIDataPoint[],
  due: Due,
): Overdue | null {
  const last = orderSessions(points).at(-1)?.date;
  if (last === undefined) return null;
  const { withoutTrades, unpriced } = findDaysWithoutPrices(
    rows.filter(({ date }) => date > last),
    [],
  );
  const accounted = withoutTrades.findLast((day) => unpriced.every((other) => day < other)) ?? last;
  return findOverdue(accounted, due) && { newest: last, due: due.newest };
}
