import { type OpaqueNumber, toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type {
  FundingRateData,
  PriceDataPoint,
  ProductTrailingStats,
  VOIDataPoint,
} from '#contract/exchange/market-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { CrossCheckName } from './cross-checks.ts';
import { pointAt, type Range } from './price-evidence.ts';

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

/** A figure that a comparison rests on, and that may be wrong. */
export type Claim =
  | 'tick size'
  | 'contract size'
  | 'settlement'
  | 'settlement of the day'
  | 'change'
  | 'range'
  | 'chart'
  | 'candle'
  | 'candle volume'
  | 'open interest'
  | 'open interest value'
  | 'volume'
  | 'volume value'
  | 'session volume'
  | 'session value'
  | '24 h volume'
  | '24 h value'
  | 'mark';

type Terms = Readonly<Partial<Record<Claim, number>>>;

/** One side of a comparison, and how an error of each claim would change it: 1 if multiplied, −1 if divided. */
export interface Side {
  readonly range: Range;
  readonly terms: Terms;
}

/** Two sides that should be equal. */
export interface Fact {
  /** Null if it is not a check but only supports some figures. */
  readonly check: CrossCheckName | null;
  /** The session compared; null for the last 24 hours, and for the session in progress. */
  readonly session: Day | null;
  readonly terms: Terms;
  /** Limits of the logarithm of the first side over the second. If no figure is wrong, zero lies between them. */
  readonly low: number;
  readonly high: number;
  /** The second side divided by the first; a range counts as its middle. Negative: the figure is. */
  readonly ratio: number;
}

export function hasPassed({ low, high }: Pick<Fact, 'low' | 'high'>): boolean {
  return low <= 0 && high >= 0;
}

/** Floats of equal decimals may differ in their last digit. */
const FLOAT_ERROR = 1e-12;

export function widen({ low, high }: Range, share = FLOAT_ERROR): Range {
  return { low: low * (1 - share), high: high * (1 + share) };
}

/** Relates two sides, within the rounding of each. A zero proves nothing. */
export function relate(
  check: Fact['check'],
  session: Day | null,
  first: Side | null,
  second: Side | null,
): Fact | null {
  if (first === null || second === null) return null;
  const [a, b] = [widen(first.range), widen(second.range)];
  if (a.high <= 0 || b.high <= 0) return null;
  const terms: Partial<Record<Claim, number>> = { ...first.terms };
  for (const [claim, sign] of Object.entries(second.terms) as [Claim, number][])
    terms[claim] = (terms[claim] ?? 0) - sign;
  return {
    check,
    session,
    terms,
    low: Math.log(a.low / b.high),
    high: Math.log(a.high / b.low),
    ratio: (b.low + b.high) / (a.low + a.high),
  };
}

/** Relates two sides of which the first may be at most the second. */
export function relateAtMost(...[check, session, first, second]: Parameters<typeof relate>): Fact | null {
  const fact = relate(check, session, first, second);
  return fact && { ...fact, high: Infinity };
}

/** Keeps a comparison only if it passed: it shows that figures are right, but not that they are wrong. */
export function supporting(fact: Fact | null): readonly Fact[] {
  return fact !== null && hasPassed(fact) ? [{ ...fact, check: null }] : [];
}

const MOST_SESSIONS = 4;

/** Compares the newest session that can be compared. If that fails, earlier sessions show what is wrong. */
export function compareNewest<T>(newestFirst: readonly T[], compareAt: (item: T) => Fact | null): readonly Fact[] {
  const found: Fact[] = [];
  for (const item of newestFirst) {
    const fact = compareAt(item);
    if (fact === null) continue;
    const isOlder = found[0] !== undefined && found[0].session !== fact.session;
    if (isOlder && (found.length >= MOST_SESSIONS || found.every(hasPassed))) break;
    found.push(fact);
  }
  return found;
}

export function toAmount(claim: Claim, amount: OpaqueNumber<string> | null | undefined): Side | null {
  return amount === null || amount === undefined || toNumber(amount) <= 0
    ? null
    : { range: pointAt(toNumber(amount)), terms: { [claim]: 1 } };
}
