import type { Instant } from '#contract/exchange/instant.ts';
import { countOf } from '../format/count.ts';
import { formatDay, formatDuration } from '../format/format-time.ts';
import { formatNumber } from '../format/number.ts';
import { dateOf, toMillis } from '../time/session.ts';
import type { Decimal } from '../units/decimal.ts';
import { deriveQuantity, type Quantity } from '../units/quantity.ts';

/** What a basis may be measured over: a settlement, or the index or mark of a perpetual at a funding time. */
export const BASIS_PRICES = ['settlement', 'index', 'mark'] as const;
export type BasisPrice = (typeof BASIS_PRICES)[number];

interface LegBase {
  readonly kind: BasisPrice;
  readonly symbol: string;
}

interface PricedLeg extends LegBase {
  /** In USD. */
  readonly price: Quantity;
  readonly at: Instant;
  readonly missingBecause: null;
}

interface MissingLeg extends LegBase {
  readonly price: null;
  /** The time of a settlement of another session, which is no leg, or null. */
  readonly at: Instant | null;
  /** Why there is no price, in a sentence. */
  readonly missingBecause: string;
}

/** One of the two prices of a basis. */
export type BasisLeg = PricedLeg | MissingLeg;

/** Two prices, and the time for which their difference is earned. */
export interface BasisTerms {
  /** The settlement of a future. */
  readonly far: BasisLeg;
  /** What it is measured over. */
  readonly near: BasisLeg;
  /** The product at whose expiry the time begins; null: it begins at the settlement of the future. */
  readonly after: { readonly symbol: string; readonly expiresAt: Instant } | null;
  /** When the future expires. */
  readonly until: Instant;
  /** How many minutes the two prices may be apart; zero: they must be of the same minute. */
  readonly mostApart: number;
}

/** What a future costs over another price. */
export interface Basis {
  /** The settlement of the future minus the other price. */
  readonly usd: Quantity | null;
  /** Relative to the other price. */
  readonly fraction: Quantity | null;
  /** Simple, actual/365. */
  readonly aYear: Quantity | null;
  /** Why one of the figures is null or withheld, in a sentence; null if none is. */
  readonly refusedBecause: string | null;
}

const MINUTE_MS = 60_000;
export const MINUTES_OF_DAY = 1_440;
export const MINUTES_OF_YEAR = 365 * MINUTES_OF_DAY;
/** For a shorter time, a tick moves a figure a year by whole percents. */
export const LEAST_DAYS = 3;
/** No basis is as large as this, so prices further apart are in different units. */
export const WRONG_FACTOR = '1.5';

/** `14 Aug 2026, 21:00 UTC`. */
export function formatSettledAt(at: Instant): string {
  return `${formatDay(dateOf(at))}, ${at.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDThh:mm'.length)} UTC`;
}

/** Counts the minutes from a settlement to expiry; negative after it. */
export function minutesBetween(settledAt: Instant, expiresAt: Instant): number {
  return Math.round((toMillis(expiresAt) - toMillis(settledAt)) / MINUTE_MS);
}

/** Counts the minutes between two prices; zero if they are of the same minute. */
export function minutesApart(one: Instant, other: Instant): number {
  const [first, second] = [one, other].map((at) => Math.floor(toMillis(at) / MINUTE_MS));
  return Math.abs((first ?? 0) - (second ?? 0));
}

export function refuseBasis(refusedBecause: string): Basis {
  return { usd: null, fraction: null, aYear: null, refusedBecause };
}

/** Computes a basis. Prices of different times differ by what the market moved in between. */
export function computeBasis(terms: BasisTerms): Basis {
  const inputs = findInputs(terms);
  if (typeof inputs === 'string') return refuseBasis(inputs);
  const { far, near, settledAt, apart } = inputs;
  const [name, other] = [terms.far.symbol, `${terms.near.kind} of ${terms.near.symbol}`];
  const usd = deriveQuantity(
    'USD',
    `Settlement of ${name} − ${other}${apart === 0 ? '' : `, ${formatMinutes(apart)} apart`}`,
    [far, near],
    ([a, b]) => (a && b ? a.minus(b) : null),
  );
  const fraction = deriveQuantity('fraction', `Basis in USD ÷ ${other}`, [usd, near], ([difference, base]) =>
    difference && base ? difference.div(base) : null,
  );
  const minutes = minutesBetween(terms.after?.expiresAt ?? settledAt, terms.until);
  if (minutes < LEAST_DAYS * MINUTES_OF_DAY)
    return { usd, fraction, aYear: null, refusedBecause: whyTooNear(terms, settledAt, minutes) };
  return { usd, fraction, aYear: annualise(fraction, minutes, terms), refusedBecause: null };
}

/** Simple, actual/365: the same fraction again and again, without interest on interest. */
function annualise(fraction: Quantity, minutes: number, { far, after }: BasisTerms): Quantity {
  const span = after === null ? 'to expiry' : `from the expiry of ${after.symbol} to that of ${far.symbol}`;
  const how = `Basis × ${String(MINUTES_OF_YEAR)} minutes of 365 days ÷ ${String(minutes)} minutes ${span}`;
  return deriveQuantity('fraction', how, [fraction], ([value]) => value?.times(MINUTES_OF_YEAR).div(minutes) ?? null);
}

function whyTooNear({ far, after, until }: BasisTerms, settledAt: Instant, minutes: number): string {
  const days = countOf(Math.max(0, Math.floor(minutes / MINUTES_OF_DAY)), 'day');
  const start = after === null ? `its settlement of ${formatDay(dateOf(settledAt))}` : after.symbol;
  return (
    `${far.symbol} expires ${days} after ${start}, on ${formatSettledAt(until)}: ` +
    `a basis is not scaled to a year under ${String(LEAST_DAYS)} days.`
  );
}

interface Inputs {
  readonly far: Quantity;
  readonly near: Quantity;
  readonly settledAt: Instant;
  /** In minutes. */
  readonly apart: number;
}

/** Returns the two prices, or why they may not be compared. */
function findInputs(terms: BasisTerms): Inputs | string {
  const tooFar = whyApart(terms);
  if (tooFar !== null) return tooFar;
  const { far, near } = terms;
  if (far.missingBecause !== null) return far.missingBecause;
  if (near.missingBecause !== null) return near.missingBecause;
  for (const { symbol, price } of [far, near]) if (price.withheld !== null) return `${symbol}: ${price.withheld}`;
  const wrong = whyWrongTickSize(far, near);
  return wrong ?? { far: far.price, near: near.price, settledAt: far.at, apart: minutesApart(far.at, near.at) };
}

/** Both times may be known although one of the prices is of another session. */
function whyApart({ far, near, mostApart }: BasisTerms): string | null {
  if (far.at === null || near.at === null) return null;
  const apart = minutesApart(far.at, near.at);
  if (apart <= mostApart) return null;
  const [at, than] = [formatSettledAt(far.at), formatSettledAt(near.at)];
  return near.kind === 'settlement'
    ? `${far.symbol} settled on ${at}, and ${near.symbol} on ${than}: a basis needs both settlements of the same minute.`
    : `The nearest known ${near.kind} of ${near.symbol} is of ${than}, ${formatMinutes(apart)} from the settlement of ` +
        `${at}: more than the ${formatMinutes(mostApart)} allowed.`;
}

/** `3 h 00 min`. */
export function formatMinutes(minutes: number): string {
  return formatDuration(minutes * 60);
}

function whyWrongTickSize(far: PricedLeg, near: PricedLeg): string | null {
  const [future, other] = [far.price.value, near.price.value];
  const [name, otherName] = [far.symbol, near.symbol];
  const isSettled = near.kind === 'settlement';
  if (future?.gt(0) !== true || other?.gt(0) !== true)
    return isSettled
      ? `The settlements of ${name} and ${otherName} are not both above zero, so there is no basis.`
      : `The settlement of ${name} and the ${near.kind} of ${otherName} are not both above zero, so there is no basis.`;
  const factor = divideLarger(future, other);
  if (factor.lt(WRONG_FACTOR)) return null;
  const ofOther = isSettled ? otherName : `the ${near.kind} of ${otherName}`;
  return (
    `${name} settled at ${formatNumber(future)} USD and ${ofOther} at ${formatNumber(other)} USD, a factor of ` +
    `${formatNumber(factor, { digits: 2 })}: one of the tick sizes must be wrong.`
  );
}

function divideLarger(one: Decimal, other: Decimal): Decimal {
  return one.gt(other) ? one.div(other) : other.div(one);
}
