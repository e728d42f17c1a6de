import { CHANGE_SINCE_SETTLEMENT } from '../../markets/market-prices.ts';
import {
  describeOverdue,
  type Due,
  type DueTimes,
  findOverdue,
  type Overdue,
  sessionsDueOf,
} from '../../time/overdue.ts';
import type { ApiResponse } from '../../response.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { FundingRateData, PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { findDaysWithoutPrices, orderSessions } from '../../price/bars.ts';
import { findLatestOpenInterest } from '../../voi/voi-rows.ts';

/** A product’s responses about the present, as far as they have been read. */
interface CurrentResponses {
  readonly data: ApiResponse<ProductData> | undefined;
  readonly prices: ApiResponse<readonly PriceDataPoint[]> | undefined;
  readonly voi: ApiResponse<readonly VOIDataPoint[]> | undefined;
  readonly funding: ApiResponse<{ readonly data: readonly FundingRateData[] }> | undefined;
}

/** Which of a product’s figures are older than they should be, by the item that is due. */
export interface OverduePrice {
  readonly settlement: Overdue | null;
  /** For the last price and its change, judged by the settlement that came with them. */
  readonly trading: Overdue | null;
  readonly openInterest: Overdue | null;
  readonly settledRate: Overdue | null;
}

const NONE: OverduePrice = { settlement: null, trading: null, openInterest: null, settledRate: null };

/** Finds nothing due for a product that has expired or is unknown. */
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

/** Skips sessions without trades, as their volume shows: they have no price, so none is due. */
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

/** For each overdue item: a noun for it, and the figures that it makes old. */
const OLD_FIGURES: Readonly<
  Record<keyof OverduePrice, { readonly noun: string; readonly figures: readonly string[] }>
> = {
  trading: { noun: 'settlement in the product data', figures: ['Last', CHANGE_SINCE_SETTLEMENT] },
  settlement: { noun: 'settlement', figures: ['Settlement', 'Settlement change'] },
  openInterest: { noun: 'open interest', figures: ['Open interest'] },
  settledRate: {
    noun: 'settled rate',
    figures: ['Last funding', 'Index at last funding', 'Mark at last funding', 'Premium at last funding'],
  },
};
const KINDS = Object.keys(OLD_FIGURES) as readonly (keyof OverduePrice)[];

/** Writes a sentence for each kind of overdue figure. */
export function listReasons(overdue: OverduePrice): readonly string[] {
  return KINDS.flatMap((kind) => describe(kind, overdue) ?? []);
}

/** Returns why a figure is old; null if it is current. */
export function findReason(figure: string, overdue: OverduePrice): string | null {
  const kind = KINDS.find((one) => OLD_FIGURES[one].figures.includes(figure));
  return kind === undefined ? null : describe(kind, overdue);
}

function describe(kind: keyof OverduePrice, overdue: OverduePrice): string | null {
  const known = overdue[kind];
  return known && describeOverdue(OLD_FIGURES[kind].noun, known);
}
