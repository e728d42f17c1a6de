import { toNumber } from '#contract/brand.ts';
import type { DeskProduct, DeskProducts } from '#contract/desk.ts';
import type { FundingRateData } from '#contract/funding.ts';
import type { ProductData } from '#contract/product.ts';
import type { ProductTrailingStats } from '#contract/trailing-stats.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { compareInstants } from '#contract/instant.ts';
import { wireText } from '#contract/json-text.ts';
import type { IncrementCheck } from './increment-check.ts';
import { toMarketFunding, type MarketFunding } from './market-funding.ts';
import { toMarketPrices, type MarketPrices } from './market-prices.ts';
import { asContracts, asUsd, fromCents } from './conversions.ts';
import { toQuantity, type Quantity } from './quantity.ts';
import type { Source, Sourced } from './source.ts';
import { findLatestOpenInterest, groupByProduct } from './voi.ts';
import type { Day } from '#contract/day.ts';

/** The answers that the list of markets is put together from. All but the directory may still be missing. */
export interface MarketAnswers {
  readonly products: Sourced<DeskProducts>;
  readonly trailing?: Sourced<readonly ProductTrailingStats[]> | undefined;
  /** Every product's rows of the last days: asked for without a product. */
  readonly voi?: Sourced<readonly VOIDataPoint[]> | undefined;
  /** Latest settled funding of every perpetual. */
  readonly funding?: Sourced<{ readonly data: readonly FundingRateData[] }> | undefined;
  /** Not every venue offers these. */
  readonly data?: Sourced<readonly ProductData[]> | undefined;
}

/** One product of the list. What is not known is null, and stays so. */
export interface MarketRow extends MarketPrices {
  readonly productId: number;
  readonly product: DeskProduct;
  readonly check: IncrementCheck;
  readonly volume: Quantity | null;
  readonly volumeUsd: Quantity | null;
  readonly openInterest: Quantity | null;
  readonly openInterestUsd: Quantity | null;
  readonly openInterestDate: Day | null;
  /** Null for all but perpetuals. */
  readonly funding: MarketFunding | null;
  /** Settlements of the last days as far as open interest tells them, and the last one, for a small line; nulls are days without one. */
  readonly trend: readonly (number | null)[];
}

/** Joins the answers by product, in the order of the directory. Products that do not trade are left out. */
export function toMarketRows(answers: MarketAnswers): readonly MarketRow[] {
  const { products, trailing, voi, funding, data } = answers;
  const statsById = new Map(trailing?.value.map((row) => [toNumber(row.productId), row]));
  const daysById = groupByProduct(voi?.value ?? []);
  const fundingById = latestPrints(funding?.value.data ?? []);
  const dataById = new Map(data?.value.map((row) => [toNumber(row.product_id), row]));
  const active = products.value.products.filter(({ product_status: status }) => status === undefined || status === 'active');
  return active.map((product) => {
    const productId = toNumber(product.product_id);
    const days = daysById.get(productId) ?? [];
    const prints = fundingById.get(productId);
    const prices = toMarketPrices({ product, days, voi, data, row: dataById.get(productId), funding, prints });
    return {
      productId,
      product,
      ...prices,
      ...toVolume(trailing, statsById.get(productId)),
      ...toOpenInterest(voi, days),
      funding: toMarketFunding({ product, prints, funding }),
      trend: toTrend(product, days, prices),
    };
  });
}

/** Whatever order, and however much, was asked for. */
function latestPrints(rows: readonly FundingRateData[]): ReadonlyMap<number, FundingRateData> {
  return new Map(rows.toSorted((a, b) => compareInstants(a.interval_end, b.interval_end)).map((row) => [toNumber(row.product_id), row]));
}

function toVolume(source: Source | undefined, row: ProductTrailingStats | undefined): Pick<MarketRow, 'volume' | 'volumeUsd'> {
  if (source === undefined || row === undefined) return { volume: null, volumeUsd: null };
  const at = { source, dataTime: source.answeredAt };
  return { volume: toQuantity(at, row, 'volume', asContracts), volumeUsd: toQuantity(at, row, 'notionalVolume', asUsd) };
}

type OpenInterest = Pick<MarketRow, 'openInterest' | 'openInterestUsd' | 'openInterestDate'>;

function toOpenInterest(source: Source | undefined, days: readonly VOIDataPoint[]): OpenInterest {
  const row = findLatestOpenInterest(days);
  if (source === undefined || row === null) return { openInterest: null, openInterestUsd: null, openInterestDate: null };
  const at = { source, dataTime: row.date };
  return {
    openInterest: toQuantity(at, row, 'openInterest', asContracts),
    openInterestUsd: toQuantity(at, row, 'notionalOpenInterest', fromCents),
    openInterestDate: row.date,
  };
}

function toTrend(product: DeskProduct, days: readonly VOIDataPoint[], { settlement, settlementTime }: MarketPrices): readonly (number | null)[] {
  const size = wireText(product, 'contract_size');
  // A notional has no sign: the line of a spread would turn at zero.
  if (size === undefined || product.type === 'spread' || !(Number(size) > 0)) return [];
  // A session that traded has settled: that its open interest is not published leaves no hole.
  const told = days.filter(({ volume, openInterest }) => volume === null || openInterest !== null);
  const levels = told.map((row) => toLevel(row, Number(size)));
  const newest = settlement?.value?.toNumber() ?? null;
  const isNewer = newest !== null && settlementTime !== null && settlementTime.slice(0, 'YYYY-MM-DD'.length) > (told.at(-1)?.date ?? '');
  return isNewer ? [...levels, newest] : levels;
}

/** An implied settlement as far as a line of a few pixels shows it: thousands of exact ones would hold the list up. */
function toLevel({ notionalOpenInterest, openInterest }: VOIDataPoint, size: number): number | null {
  if (notionalOpenInterest === null || openInterest === null) return null;
  const [usd, units] = [toNumber(notionalOpenInterest) / 100, toNumber(openInterest) * size];
  return units > 0 && usd > 0 ? usd / units : null;
}
