import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct, DeskProducts } from '#contract/desk/desk.ts';
import type { ProductTrailingStats } from '#contract/exchange/trailing-stats.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { whyWithheld } from '../checks/judge-prices.ts';
import type { Estimate, Estimates } from '../funding/estimate.ts';
import { NO_AGES, type MarketAges } from './market-ages.ts';
import { addEstimate, toMarketFunding, type MarketFunding } from './market-funding.ts';
import { createMarketPrices, indexByProduct, type MarketPrices, type PriceResponses } from './market-prices.ts';
import { asContracts, asUsd, fromCents } from '../units/conversions.ts';
import { isActive } from '../products/is-active.ts';
import { dateOf } from '../time/session.ts';
import { toQuantity, type Quantity } from '../units/quantity.ts';
import type { TermContext } from '../specification/term.ts';
import type { Source, Sourced } from '../source.ts';
import { findLatestOpenInterest } from '../voi/voi-rows.ts';
import type { Day } from '#contract/exchange/day.ts';

/** The responses that market rows are made of. All but the directory may still be missing. */
export interface MarketResponses extends PriceResponses {
  readonly products: Sourced<DeskProducts>;
}

/** One product of the list. Null: no value, which is not zero. */
export interface MarketRow extends MarketPrices {
  readonly productId: number;
  readonly product: DeskProduct;
  readonly volume: Quantity | null;
  readonly volumeUsd: Quantity | null;
  /** Why there is no volume of 24 hours, or null. */
  readonly volumeMissingBecause: string | null;
  readonly openInterest: Quantity | null;
  readonly openInterestUsd: Quantity | null;
  readonly openInterestDate: Day | null;
  /** Null for all but perpetuals. */
  readonly funding: MarketFunding | null;
  /** Settlements of the last days implied by open interest, and the latest one, for a sparkline. Null: a day without one. */
  readonly trend: readonly (number | null)[];
  /** Added when the exchange's time is known. */
  readonly ages: MarketAges;
  /** What the terms of the contract are read with; added when the code for it has loaded. */
  readonly terms: TermContext | null;
  readonly expiresSoon: boolean;
}

/** Joins the responses by product, in the order of the directory. Only active products. */
export function toMarketRows(responses: MarketResponses): readonly MarketRow[] {
  const { products, trailing, voi, funding } = responses;
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
      ...toVolume(trailing, index.trailing.get(productId), whyWithheld(reasons, '24 h USD value')),
      ...toOpenInterest(voi, days, whyWithheld(reasons, 'daily USD value')),
      funding: toMarketFunding({ product, latestPrint, funding }),
      trend: toTrend(product, days, prices),
      ages: NO_AGES,
      terms: null,
      expiresSoon: false,
    };
  });
}

function toVolume(
  source: Source | undefined,
  row: ProductTrailingStats | undefined,
  withheld: string | null,
): Pick<MarketRow, 'volume' | 'volumeUsd' | 'volumeMissingBecause'> {
  if (source === undefined)
    return { volume: null, volumeUsd: null, volumeMissingBecause: 'Trailing statistics have not been read.' };
  if (row === undefined)
    return {
      volume: null,
      volumeUsd: null,
      volumeMissingBecause: 'The exchange’s trailing statistics have no row for this product.',
    };
  const at = { source, dataTime: source.answeredAt };
  return {
    volume: toQuantity(at, row, 'volume', asContracts),
    volumeUsd: toQuantity(at, row, 'notionalVolume', { ...asUsd, withheld }),
    volumeMissingBecause: null,
  };
}

type OpenInterest = Pick<MarketRow, 'openInterest' | 'openInterestUsd' | 'openInterestDate'>;

function toOpenInterest(
  source: Source | undefined,
  days: readonly VOIDataPoint[],
  withheld: string | null,
): OpenInterest {
  const row = findLatestOpenInterest(days);
  if (source === undefined || row === null)
    return { openInterest: null, openInterestUsd: null, openInterestDate: null };
  const at = { source, dataTime: row.date };
  return {
    openInterest: toQuantity(at, row, 'openInterest', asContracts),
    openInterestUsd: toQuantity(at, row, 'notionalOpenInterest', { ...fromCents, withheld }),
    openInterestDate: row.date,
  };
}

function toTrend(
  product: DeskProduct,
  days: readonly VOIDataPoint[],
  { checks, settlement, settlementTime }: MarketPrices,
): readonly (number | null)[] {
  const size = wireText(product, 'contract_size');
  // A notional has no sign, so a spread's line would be mirrored at zero.
  if (
    size === undefined ||
    product.type === 'spread' ||
    !(Number(size) > 0) ||
    whyWithheld(checks.reasons, 'daily USD value') !== null
  )
    return [];
  // A session that traded has settled, so unpublished open interest is no gap.
  const settled = days.filter(({ volume, openInterest }) => volume === null || openInterest !== null);
  const levels = settled.map((row) => toLevel(row, Number(size)));
  const newest = settlement?.value?.toNumber() ?? null;
  const isNewer = newest !== null && settlementTime !== null && dateOf(settlementTime) > (settled.at(-1)?.date ?? '');
  return isNewer ? [...levels, newest] : levels;
}

/** An implied settlement as a float, precise enough for a sparkline. */
function toLevel({ notionalOpenInterest, openInterest }: VOIDataPoint, size: number): number | null {
  if (notionalOpenInterest === null || openInterest === null) return null;
  const [usd, units] = [toNumber(notionalOpenInterest) / 100, toNumber(openInterest) * size];
  return units > 0 && usd > 0 ? usd / units : null;
}

type EstimateJoin = (rows: readonly MarketRow[], estimates: Estimates) => readonly MarketRow[];

/** Adds predicted rates to rows. A row whose rate is unchanged stays the same object, so that it is not drawn again. */
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
