import { type Decimal, sumOf } from '../units/decimal.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { DataTime, Source, Sourced } from '../response.ts';
import { type DueTimes, findOverdue, type Overdue, sessionsDueOf } from '../time/overdue.ts';
import { dateOf, sessionOf, toMillis } from '../time/session.ts';
import type { DeskProduct, DeskProducts } from '#contract/desk/desk.ts';
import type { FundingRateData, ProductTrailingStats, VOIDataPoint } from '#contract/exchange/market-data.ts';
import { asContracts, asRate, asUsd, deriveQuantity, fromCents, type Quantity, toQuantity } from '../units/quantity.ts';
import type { Estimate, Estimates } from '../funding/estimate.ts';
import {
  findInProgress,
  type FundingInterval,
  type OtherRate,
  toApr,
  toNextInterval,
  whyDoubtful,
} from '../funding/funding-rate.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { type PriceChecks, whyWithheld } from '../checks/judge-prices.ts';
import { createMarketPrices, indexByProduct, type MarketPrices, type PriceResponses } from './market-prices.ts';
import { NO_CHANGES, type PriceChanges } from './price-change-names.ts';
import type { Trading } from '../products/trading.ts';
import { isActive } from '../products/is-active.ts';
import type { TermContext } from './contract-terms.ts';
import { findLatestOpenInterest } from '../voi/voi-rows.ts';

/**
 * Which figures of a product are overdue, and which are merely from an earlier session.
 *
 * @internal Exported for its test.
 */
export interface MarketAges {
  readonly overdueRate: Overdue | null;
  /** Covers the last price as well, because a product may go without a trade for any length of time. */
  readonly overdueSettlement: Overdue | null;
  readonly overdueInterest: Overdue | null;
  /** The settlement is of an earlier session than the newest. */
  readonly hasEarlierSettlement: boolean;
  /** Open interest is of an earlier session than the newest that should be published. */
  readonly hasEarlierInterest: boolean;
  /** The last trade was before the newest settled session. */
  readonly hasEarlierTrade: boolean;
}

/**
 * Used until the exchange's time is known.
 *
 * @internal Exported for its test.
 */
export const NO_AGES: MarketAges = {
  overdueRate: null,
  overdueSettlement: null,
  overdueInterest: null,
  hasEarlierSettlement: false,
  hasEarlierInterest: false,
  hasEarlierTrade: false,
};

/** The figures of a row that have a time. */
interface DatedRow {
  readonly product: { readonly type?: string };
  readonly settlementTime: DataTime | null;
  readonly lastTime: DataTime | null;
  readonly openInterestDate: Day | null;
  readonly funding: { readonly settledAt: Instant | null } | null;
}

/** Adds the ages of its figures to each row. */
export function addAges<Row extends DatedRow>(rows: readonly Row[], due: DueTimes | null): readonly Row[] {
  return due === null ? rows : rows.map((row) => ({ ...row, ages: toAges(row, due) }));
}

function toAges(row: DatedRow, due: DueTimes): MarketAges {
  const sessions = sessionsDueOf(row.product, due);
  const { newest } = sessions.productDataAll;
  return {
    overdueRate: findOverdue(row.funding?.settledAt ?? null, due.fundingRates),
    overdueSettlement: findOverdue(row.settlementTime, sessions.productDataAll),
    overdueInterest: findOverdue(row.openInterestDate, sessions.chartVoi),
    hasEarlierSettlement: row.settlementTime !== null && dateOf(row.settlementTime) < newest,
    hasEarlierInterest: row.openInterestDate !== null && row.openInterestDate < sessions.chartVoi.newest,
    hasEarlierTrade: (toLastSession(row) ?? newest) < newest,
  };
}

/** Returns the session of the last trade. */
export function toLastSession({ product, lastTime }: Pick<DatedRow, 'product' | 'lastTime'>): Day | null {
  return lastTime === null
    ? null
    : sessionOf(toMillis(lastTime as Instant), { everyDay: product.type === 'perpetual' });
}

/** Funding of a perpetual: the settled rate and the predicted rate, always kept apart. */
export interface MarketFunding {
  readonly settled: Quantity | null;
  /** Simple APR; null if the interval does not have the usual length. */
  readonly settledApr: Quantity | null;
  readonly settledAt: Instant | null;
  /** The interest rate of the last interval, as a fraction. */
  readonly interest: number | null;
  /** Why the settled rate is doubtful, or null. */
  readonly settledDoubt: string | null;
  readonly estimate: Quantity | null;
  readonly estimateApr: Quantity | null;
  readonly estimateDoubt: string | null;
  /** Why the predicted rate is out of date; null if it is current or missing. */
  readonly estimateNotCurrent: string | null;
  /** The interval of the predicted rate, or else the one after the last settled rate. */
  readonly interval: FundingInterval | null;
}

interface FundingDeps {
  readonly product: DeskProduct;
  readonly funding: Source | undefined;
  readonly latestPrint: FundingRateData | undefined;
  readonly otherRates?: readonly OtherRate[] | undefined;
}

/**
 * Computes settled funding. Predicted rates are added as they arrive.
 *
 * @internal Exported for its test.
 */
export function toMarketFunding(deps: FundingDeps): MarketFunding | null {
  if (deps.product.type !== 'perpetual' && deps.latestPrint === undefined) return null;
  return {
    ...toSettled(deps),
    estimate: null,
    estimateApr: null,
    estimateDoubt: null,
    estimateNotCurrent: null,
    interval: deps.latestPrint ? toNextInterval(deps.latestPrint) : null,
  };
}

function addEstimate(funding: MarketFunding, source: Estimate): MarketFunding {
  const estimate = toQuantity({ source, dataTime: source.respondedAt }, source.value, 'funding_rate', asRate);
  return {
    ...funding,
    estimate,
    estimateApr: annualise(estimate, source.value),
    estimateDoubt: whyDoubtful(source.value),
    estimateNotCurrent: source.notCurrent,
    interval: findInProgress(funding.interval, source.value),
  };
}

type Settled = Pick<MarketFunding, 'settled' | 'settledApr' | 'settledAt' | 'interest' | 'settledDoubt'>;

function toSettled({ funding, latestPrint, otherRates }: FundingDeps): Settled {
  if (funding === undefined || latestPrint === undefined)
    return { settled: null, settledApr: null, settledAt: null, interest: null, settledDoubt: null };
  const settled = toQuantity(
    { source: funding, dataTime: latestPrint.interval_end },
    latestPrint,
    'funding_rate',
    asRate,
  );
  return {
    settled,
    settledApr: annualise(settled, latestPrint),
    settledAt: latestPrint.interval_end,
    interest: toNumber(latestPrint.interest_rate),
    settledDoubt: whyDoubtful(latestPrint, otherRates),
  };
}

function annualise(rate: Quantity, interval: FundingInterval): Quantity {
  return deriveQuantity('fraction', 'Simple APR: rate × 3 × 365', [rate], ([value]) =>
    value ? toApr(value, interval) : null,
  );
}

/** The responses from which market rows are made. All except the product list may still be missing. */
export interface MarketResponses extends PriceResponses {
  readonly products: Sourced<DeskProducts>;
  /** Other rates of the newest intervals, if any are known. */
  readonly otherRates?: readonly OtherRate[];
}

/** One product of the list. Null means no value, which is not zero. */
export interface MarketRow extends MarketPrices {
  readonly productId: number;
  readonly product: DeskProduct;
  readonly volume: Quantity | null;
  readonly volumeUsd: Quantity | null;
  /** Why there is no 24 h volume, or null. */
  readonly volumeMissingBecause: string | null;
  readonly openInterest: Quantity | null;
  readonly openInterestUsd: Quantity | null;
  readonly openInterestDate: Day | null;
  /** Null for products other than perpetuals. */
  readonly funding: MarketFunding | null;
  /**
   * Recent settlements implied by open interest, then the latest settlement, for a sparkline. Null: a day without a
   * value.
   */
  readonly trend: readonly (number | null)[];
  /** Added once the exchange's time is known. */
  readonly ages: MarketAges;
  readonly changes: PriceChanges;
  /** What the terms are computed from; added once their code has loaded. */
  readonly terms: TermContext | null;
  readonly expiresSoon: boolean;
  /** Null until the exchange's time is known, and without published times. */
  readonly trading: Trading | null;
}

/** Joins the responses by product, in the order of the product list. Keeps active products only. */
export function toMarketRows(responses: MarketResponses): readonly MarketRow[] {
  const { products, trailing, voi, funding } = responses;
  // A response may have several rates of one interval.
  const otherRates = [...(responses.otherRates ?? []), ...(funding?.value.data ?? [])];
  const index = indexByProduct(responses);
  const toPrices = createMarketPrices(responses, index);
  const active = products.value.products.filter(isActive);
  return active.map((product) => {
    const productId = toNumber(product.product_id);
    const days = index.days.get(productId) ?? [];
    const latestPrint = index.prints.get(productId);
    const prices = toPrices(product);
    const { reasons } = prices.checks;
    return {
      productId,
      product,
      ...prices,
      ...toVolume(trailing, index.trailing.get(productId), reasons),
      ...toOpenInterest(voi, days, reasons),
      funding: toMarketFunding({ product, latestPrint, funding, otherRates }),
      trend: toTrend(product, days, prices),
      ages: NO_AGES,
      changes: NO_CHANGES,
      terms: null,
      expiresSoon: false,
      trading: null,
    };
  });
}

function toVolume(
  source: Source | undefined,
  row: ProductTrailingStats | undefined,
  reasons: PriceChecks['reasons'],
): Pick<MarketRow, 'volume' | 'volumeUsd' | 'volumeMissingBecause'> {
  if (source === undefined)
    return { volume: null, volumeUsd: null, volumeMissingBecause: 'Trailing statistics have not been read.' };
  if (row === undefined)
    return {
      volume: null,
      volumeUsd: null,
      volumeMissingBecause: 'The exchange’s trailing statistics have no row for this product.',
    };
  const at = { source, dataTime: source.respondedAt };
  return {
    volume: toQuantity(at, row, 'volume', { ...asContracts, withheld: whyWithheld(reasons, '24 h volume') }),
    volumeUsd: toQuantity(at, row, 'notionalVolume', { ...asUsd, withheld: whyWithheld(reasons, '24 h USD value') }),
    volumeMissingBecause: null,
  };
}

type OpenInterest = Pick<MarketRow, 'openInterest' | 'openInterestUsd' | 'openInterestDate'>;

function toOpenInterest(
  source: Source | undefined,
  days: readonly VOIDataPoint[],
  reasons: PriceChecks['reasons'],
): OpenInterest {
  const row = findLatestOpenInterest(days);
  if (source === undefined || row === null)
    return { openInterest: null, openInterestUsd: null, openInterestDate: null };
  const at = { source, dataTime: row.date };
  return {
    openInterest: toQuantity(at, row, 'openInterest', {
      ...asContracts,
      withheld: whyWithheld(reasons, 'openInterest'),
    }),
    openInterestUsd: toQuantity(at, row, 'notionalOpenInterest', {
      ...fromCents,
      withheld: whyWithheld(reasons, 'notionalOpenInterest'),
    }),
    openInterestDate: row.date,
  };
}

const LEVEL_FIELDS = ['openInterest', 'notionalOpenInterest'] as const;

function toTrend(
  product: DeskProduct,
  days: readonly VOIDataPoint[],
  { checks, settlement, settlementTime }: MarketPrices,
): readonly (number | null)[] {
  const size = wireText(product, 'contract_size');
  // A notional has no sign, so the line of a spread would be mirrored at zero.
  if (
    size === undefined ||
    product.type === 'spread' ||
    !(Number(size) > 0) ||
    LEVEL_FIELDS.some((field) => whyWithheld(checks.reasons, field) !== null)
  )
    return [];
  // A session with trades has settled, so open interest that is not published yet is no gap.
  const settled = days.filter(({ volume, openInterest }) => volume === null || openInterest !== null);
  const levels = settled.map((row) => toLevel(row, Number(size)));
  const newest = settlement?.value?.toNumber() ?? null;
  const isNewer = newest !== null && settlementTime !== null && dateOf(settlementTime) > (settled.at(-1)?.date ?? '');
  return isNewer ? [...levels, newest] : levels;
}

/** Computes an implied settlement as a float, which is precise enough for a sparkline. */
function toLevel({ notionalOpenInterest, openInterest }: VOIDataPoint, size: number): number | null {
  if (notionalOpenInterest === null || openInterest === null) return null;
  const [usd, units] = [toNumber(notionalOpenInterest) / 100, toNumber(openInterest) * size];
  return units > 0 && usd > 0 ? usd / units : null;
}

type EstimateJoin = (rows: readonly MarketRow[], estimates: Estimates) => readonly MarketRow[];

/** Adds predicted rates to rows. A row whose rate has not changed stays the same object, so it is not drawn again. */
export function createEstimateJoin(): EstimateJoin {
  const known = new WeakMap<MarketRow, { readonly estimate: Estimate; readonly joined: MarketRow }>();
  return (rows, estimates) =>
    rows.map((row) => {
      const { funding, product } = row;
      const estimate = estimates.get(product.base_symbol ?? '');
      if (estimate === undefined || funding === null) return row;
      const last = known.get(row);
      if (last !== undefined && isSame(last.estimate, estimate)) return last.joined;
      const joined = { ...row, funding: addEstimate(funding, estimate) };
      known.set(row, { estimate, joined });
      return joined;
    });
}

function isSame(a: Estimate, b: Estimate): boolean {
  return a.value === b.value && a.receivedAt === b.receivedAt && a.notCurrent === b.notCurrent;
}

/**
 * What a USD value measures. Values of different kinds are never added: a premium or a price difference is a small part
 * of the underlying value.
 */
const VALUE_KINDS = ['notional', 'option premium', 'spread difference'] as const;

type ValueKind = (typeof VALUE_KINDS)[number];

function toValueKind({ type }: { readonly type?: string }): ValueKind {
  return VALUE_KINDS[['option', 'spread'].indexOf(type ?? '') + 1] ?? 'notional';
}

export interface MarketTotal {
  readonly kind: ValueKind;
  readonly value: Decimal | null;
  /** Products with a known value. */
  readonly known: number;
  readonly products: number;
}

/** Totals USD values by kind, because contracts of different products cannot be added. */
export function toMarketTotals(
  rows: readonly MarketRow[],
  name: 'volumeUsd' | 'openInterestUsd',
): readonly MarketTotal[] {
  const byKind = Map.groupBy(rows, ({ product }) => toValueKind(product));
  return VALUE_KINDS.flatMap((kind) => {
    const values = byKind.get(kind)?.map((row) => row[name]?.value ?? null) ?? [];
    return values.length === 0
      ? []
      : [
          {
            kind,
            value: sumOf(values),
            known: values.filter((value) => value !== null).length,
            products: values.length,
          },
        ];
  });
}
