import { toNumber, type OpaqueNumber } from '#contract/exchange/brand.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type {
  FundingRateData,
  PriceDataPoint,
  ProductTrailingStats,
  VOIDataPoint,
} from '#contract/exchange/market-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { sessionOf, toMillis } from '../time/session.ts';
import type { Comparison, CrossCheckName } from './cross-checks.ts';
import {
  isWithin,
  joinRanges,
  scaleRange,
  toChartSettlement,
  toOpenInterestPrice,
  toSessionPrice,
  toTicksRange,
  toTicksSettlement,
  toTrailingPrice,
  toUsdRange,
  type Range,
  type ValueTerms,
} from './price-evidence.ts';

/** Everything known about a product, from the responses that a screen reads anyway. */
export interface ProductEvidence {
  readonly product: DeskProduct;
  readonly days: readonly VOIDataPoint[];
  /** Product data of settled sessions. */
  readonly sessions: readonly ProductData[];
  /** Product data of the session in progress, with the last settlement. */
  readonly running: ProductData | undefined;
  readonly trailing: ProductTrailingStats | undefined;
  /** When the exchange sent the trailing statistics. */
  readonly trailingAt: Instant | null;
  readonly prices: readonly PriceDataPoint[];
  /** The latest settled funding interval. */
  readonly latestPrint: FundingRateData | undefined;
}

/** Makes all comparisons that the evidence allows, each for the newest session that has both figures. */
export function comparePrices(evidence: ProductEvidence): readonly Comparison[] {
  const increment = toFactor(evidence.product.price_increment);
  const terms = toValueTerms(evidence.product);
  return [
    increment === null ? null : compareChartSettlement(evidence, increment),
    increment === null || terms === null ? null : compareOpenInterestValue(evidence, increment, terms),
    terms === null ? null : compareChartOpenInterest(evidence, terms),
    compareSessionVolume(evidence),
    compareCandleVolume(evidence),
    terms === null ? null : compareSessionPrice(evidence, increment, terms),
    compareFundingMark(evidence),
    increment === null ? null : compareMark(evidence, increment, terms),
    terms === null ? null : compareTrailingPrice(evidence, increment, terms),
  ].filter((comparison) => comparison !== null);
}

function toValueTerms({ contract_size: contractSize, type }: DeskProduct): ValueTerms | null {
  const size = toFactor(contractSize);
  return size === null ? null : { size, mayBeNegative: type === undefined || type === 'spread' };
}

/** Parses a figure of the specification; null where it is missing or not positive. */
function toFactor(field: number | OpaqueNumber<string> | undefined): number | null {
  const factor = field === undefined ? Number.NaN : Number(field);
  return factor > 0 ? factor : null;
}

/** Compares a price with another figure, within the rounding of that figure. A zero proves nothing. */
function compare(check: CrossCheckName, session: Day, price: number, other: Range | null): Comparison | null {
  if (other === null || price === 0) return null;
  const size = Math.abs(price);
  return { check, session, passed: isWithin(size, widen(other)), ratio: (other.low + other.high) / 2 / size };
}

/** Checks that a mean price lies between the lowest and the highest price, allowing for the rounding of each. */
function compareMean(
  check: CrossCheckName,
  session: Day | null,
  mean: Range | null,
  range: Range | null,
): Comparison | null {
  if (mean === null || range === null || range.high === 0) return null;
  const { low, high } = widen(range);
  return {
    check,
    session,
    passed: mean.high >= low && mean.low <= high,
    ratio: (mean.low + mean.high) / (range.low + range.high),
  };
}

/** Floats of equal decimals may differ in their last digit. */
const FLOAT_ERROR = 1e-12;

function widen({ low, high }: Range, share = FLOAT_ERROR): Range {
  return { low: low * (1 - share), high: high * (1 + share) };
}

function compareChartSettlement({ prices, ...evidence }: ProductEvidence, increment: number): Comparison | null {
  return findNewest(toSettlements(evidence), ({ session, ticks }) => {
    const point = prices.find(({ date }) => date === session);
    return point === undefined
      ? null
      : compare('chartSettlement', session, ticks * increment, toChartSettlement(point));
  });
}

function compareOpenInterestValue(
  { days, ...evidence }: ProductEvidence,
  increment: number,
  terms: ValueTerms,
): Comparison | null {
  return findNewest(toSettlements(evidence), ({ session, ticks }) => {
    const row = days.find(({ date }) => date === session);
    return row === undefined
      ? null
      : compare('openInterestValue', session, ticks * increment, toOpenInterestPrice(row, terms));
  });
}

function compareChartOpenInterest({ days, prices }: ProductEvidence, terms: ValueTerms): Comparison | null {
  return findNewest(days.toReversed(), (row) => {
    const point = prices.find(({ date }) => date === row.date);
    const settlement = point?.settlementPrice ?? null;
    return settlement === null
      ? null
      : compare('chartOpenInterest', row.date, Number(settlement), toOpenInterestPrice(row, terms));
  });
}

function compareSessionVolume({ days, sessions }: ProductEvidence): Comparison | null {
  return findNewest(sessions, (data) => {
    const session = toTicksSettlement(data)?.session;
    const row = days.find(({ date }) => date === session);
    if (session === undefined || row === undefined) return null;
    const [contracts, cents] = [toRatio(data.volume, row.volume), toRatio(data.notional_volume, row.notionalVolume)];
    if (contracts === null || cents === null) return null;
    return {
      check: 'sessionVolume',
      session,
      passed: contracts === 1 && cents === 1,
      ratio: contracts === 1 ? cents : contracts,
    };
  });
}

function compareCandleVolume({ days, prices }: ProductEvidence): Comparison | null {
  return findNewest(prices.toReversed(), ({ date, ohlc }) => {
    const ratio = toRatio(ohlc.volume, days.find((row) => row.date === date)?.volume ?? null);
    return ratio === null ? null : { check: 'candleVolume', session: date, passed: ratio === 1, ratio };
  });
}

function toRatio(first: OpaqueNumber<string> | null, second: OpaqueNumber<string> | null): number | null {
  if (first === null || second === null) return null;
  const [a, b] = [toNumber(first), toNumber(second)];
  if (a === b) return 1;
  return a === 0 ? null : b / a;
}

function compareSessionPrice(
  evidence: ProductEvidence,
  increment: number | null,
  terms: ValueTerms,
): Comparison | null {
  return findNewest(evidence.days.toReversed(), (row) =>
    compareMean('sessionPrice', row.date, toSessionPrice(row, terms), findRange(evidence, row.date, increment)),
  );
}

const MARK_MOVES = 0.25;

/** Needs no tick size: it shows whether marks and settlements are in the same unit. */
function compareFundingMark({ latestPrint, ...evidence }: ProductEvidence): Comparison | null {
  if (latestPrint === undefined) return null;
  const mark = toNumber(latestPrint.mark_price);
  return findNewest(toSettlements(evidence), ({ session, ticks }) =>
    mark <= 0 || ticks <= 0
      ? null
      : compare('fundingMark', session, ticks, widen({ low: mark, high: mark }, MARK_MOVES)),
  );
}

/** Replaces the other checks where the exchange publishes no settlement in ticks. */
function compareMark(evidence: ProductEvidence, increment: number, terms: ValueTerms | null): Comparison | null {
  const { latestPrint, prices, days } = evidence;
  if (latestPrint === undefined || toSettlements(evidence).length > 0) return null;
  const point = prices.at(-1);
  const row = terms === null ? undefined : days.findLast((day) => toOpenInterestPrice(day, terms) !== null);
  const settlement = point !== undefined ? toChartSettlement(point) : row && terms && toOpenInterestPrice(row, terms);
  const session = point?.date ?? row?.date;
  const mark = toNumber(latestPrint.mark_price);
  return session === undefined || !settlement || mark <= 0
    ? null
    : compare('mark', session, mark * increment, widen(settlement, MARK_MOVES));
}

const PRICES_MOVE = 0.02;
const DAY_MS = 86_400_000;

/** Compares the mean price of the last 24 hours, which span the session in progress and the one before it. */
function compareTrailingPrice(
  evidence: ProductEvidence,
  increment: number | null,
  terms: ValueTerms,
): Comparison | null {
  const { trailing, running } = evidence;
  if (trailing === undefined || running === undefined || !isWithinTwoSessions(evidence)) return null;
  const range = findRangeOfTwo(evidence, running, increment);
  return compareMean('trailingPrice', null, toTrailingPrice(trailing, terms), range && widen(range, PRICES_MOVE));
}

/**
 * Returns whether the 24 hours lie in these two sessions. They reach into an earlier one if read just before a
 * settlement, or after one that daylight saving has moved forward.
 */
function isWithinTwoSessions({ product, trailingAt, running }: ProductEvidence): boolean {
  const settled = toTicksSettlement(running);
  return (
    trailingAt !== null &&
    settled !== null &&
    sessionOf(toMillis(trailingAt) - DAY_MS, { everyDay: product.type === 'perpetual' }) >= settled.session
  );
}

function findRangeOfTwo(evidence: ProductEvidence, running: ProductData, increment: number | null): Range | null {
  const settled = toTicksSettlement(running);
  if (settled === null) return null;
  const before = findRange(evidence, settled.session, increment);
  if (before === null && !hadNoTrades(evidence, settled.session)) return null;
  const since = increment === null ? null : toTicksRange(running);
  return joinRanges([before, since && scaleRange(since, increment ?? 1)].filter((range) => range !== null));
}

function hadNoTrades({ days }: ProductEvidence, session: Day): boolean {
  const row = days.find(({ date }) => date === session);
  return row?.volume === null;
}

/**
 * Finds the lowest and highest price of a session in USD: from the chart, or else from product data by the tick size.
 */
function findRange({ prices, sessions }: ProductEvidence, session: Day, increment: number | null): Range | null {
  const point = prices.find(({ date }) => date === session);
  if (point !== undefined) return toUsdRange(point);
  const data = sessions.find((row) => toTicksSettlement(row)?.session === session);
  const range = data && increment !== null ? toTicksRange(data) : null;
  return range && scaleRange(range, increment ?? 1);
}

/** Lists settlements in ticks, newest first. */
function toSettlements({ sessions, running }: Pick<ProductEvidence, 'sessions' | 'running'>) {
  return [running, ...sessions]
    .flatMap((row) => toTicksSettlement(row) ?? [])
    .sort((a, b) => (a.session < b.session ? 1 : -1));
}

function findNewest<T>(newestFirst: readonly T[], compareAt: (item: T) => Comparison | null): Comparison | null {
  for (const item of newestFirst) {
    const found = compareAt(item);
    if (found !== null) return found;
  }
  return null;
}
