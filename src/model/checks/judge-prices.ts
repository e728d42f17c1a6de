import type { DeskProduct } from '#contract/desk/desk.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { Comparison, CrossCheckName } from './cross-checks.ts';
import { formatDay } from '../format/format-time.ts';
import { formatNumber } from '../format/number.ts';
import { toDecimal } from '../units/decimal.ts';
import { comparePrices } from './compare-prices.ts';
import { type Claim, type Fact, hasPassed, type ProductEvidence } from './facts.ts';
import { findSuspects, sumTerms } from './find-suspects.ts';

/** A source of figures that may be wrong. */
export type Suspect =
  | Exclude<Claim, 'settlement' | 'settlement of the day' | 'change' | 'range' | 'candle'>
  /** Prices of the product data. */
  | 'prices';

function toSuspect(claim: Claim): Suspect {
  switch (claim) {
    case 'settlement':
    case 'settlement of the day':
    case 'change':
    case 'range':
      return 'prices';
    case 'candle':
      return 'chart';
    default:
      return claim;
  }
}

/** The figures that a failed check may withhold. */
type CheckedFigure =
  | 'price in ticks'
  | 'product data price'
  | 'contract size'
  | 'volume'
  | 'notionalVolume'
  | 'openInterest'
  | 'notionalOpenInterest'
  | '24 h volume'
  | '24 h USD value'
  | 'session volume'
  | 'chart price'
  | 'chart volume'
  | 'mark';

/** If the contract size contradicts the USD values, either may be wrong, so both are withheld. */
const WITHHELD_BY: Readonly<Record<CheckedFigure, readonly Suspect[]>> = {
  'price in ticks': ['tick size'],
  'product data price': ['prices'],
  'contract size': ['contract size'],
  'volume': ['volume'],
  'notionalVolume': ['volume value', 'contract size'],
  'openInterest': ['open interest'],
  'notionalOpenInterest': ['open interest value', 'contract size'],
  '24 h volume': ['24 h volume'],
  '24 h USD value': ['24 h value', 'contract size'],
  'session volume': ['session volume'],
  'chart price': ['chart'],
  'chart volume': ['candle volume'],
  'mark': ['mark'],
};

/** The checks of one product, and the figures to withhold because of them. */
export interface PriceChecks {
  readonly comparisons: readonly Comparison[];
  /** Why the figures that depend on each suspect are withheld. */
  readonly reasons: ReadonlyMap<Suspect, string>;
}

export const NO_REASONS: PriceChecks['reasons'] = new Map();

/** Returns why a figure is withheld, or null. */
export function whyWithheld(reasons: PriceChecks['reasons'], figure: CheckedFigure): string | null {
  return WITHHELD_BY[figure].map((suspect) => reasons.get(suspect)).find((reason) => reason !== undefined) ?? null;
}

/** Returns why all prices or all volumes of the chart are withheld. */
export function toChartDoubts(reasons: PriceChecks['reasons']) {
  return { price: whyWithheld(reasons, 'chart price'), volume: whyWithheld(reasons, 'chart volume') };
}

/** Runs the checks. Where some fail, finds the figures that stand alone against the others. */
export function judgePrices(evidence: ProductEvidence): PriceChecks {
  const facts = comparePrices(evidence);
  const failed = facts.filter((fact) => !hasPassed(fact));
  const explanations = findSuspects(facts).map((claims) => new Set(claims.map(toSuspect)));
  const all = new Set(explanations.flatMap((one) => [...one]));
  const certain = [...all].filter((suspect) => explanations.every((one) => one.has(suspect)));
  const unclear = [...all].filter((suspect) => !certain.includes(suspect) && !isCovered(suspect, all));
  const toReason = (suspect: Suspect, among: readonly Suspect[]): string => {
    const decisive = failed.find(({ terms }) => among.some((one) => sumTerms(terms, claimsOf(one)) !== 0)) ?? failed[0];
    return decisive === undefined ? '' : explain(among.length > 1 ? among : [suspect], evidence.product, decisive);
  };
  return {
    comparisons: toComparisons(facts),
    reasons: new Map([
      ...certain.map((suspect) => [suspect, toReason(suspect, [suspect])] as const),
      ...unclear.map((suspect) => [suspect, toReason(suspect, unclear)] as const),
    ]),
  };
}

/**
 * What a doubtful specification withholds anyway. The chart needs no conversion, so it is not in doubt where the
 * conversion may be wrong.
 */
const COVERED: readonly (readonly [specification: Suspect, covered: readonly Suspect[]])[] = [
  ['tick size', ['prices', 'mark', 'chart']],
  ['contract size', ['open interest value', 'volume value', 'session value', '24 h value']],
];

function isCovered(suspect: Suspect, all: ReadonlySet<Suspect>): boolean {
  return COVERED.some(([specification, covered]) => all.has(specification) && covered.includes(suspect));
}

function claimsOf(suspect: Suspect): readonly Claim[] {
  if (suspect === 'prices') return ['settlement', 'settlement of the day', 'change', 'range'];
  return suspect === 'chart' ? ['chart', 'candle'] : [suspect];
}

/** Returns one result of each check: the first that failed, or else the newest. */
function toComparisons(facts: readonly Fact[]): readonly Comparison[] {
  const byCheck = Map.groupBy(facts, ({ check }) => check);
  return [...byCheck].flatMap(([check, done]) => {
    const fact = done.find((one) => !hasPassed(one)) ?? done[0];
    return check === null || fact === undefined
      ? []
      : [{ check, passed: hasPassed(fact), session: fact.session, ratio: fact.ratio }];
  });
}

/** What a suspect is called in a sentence. */
const NAMES: Readonly<Record<Suspect, string>> = {
  'tick size': 'tick size',
  'contract size': 'contract size',
  'prices': 'settlement in the product data',
  'chart': 'chart’s settlement',
  'candle volume': 'chart’s volume',
  'open interest': 'open interest',
  'open interest value': 'USD value of open interest',
  'volume': 'daily volume',
  'volume value': 'USD value of daily volume',
  'session volume': 'volume in the product data',
  'session value': 'USD value of the volume in the product data',
  '24 h volume': '24 h volume',
  '24 h value': 'USD value of the 24 h volume',
  'mark': 'mark at the last funding time',
};

/** What is withheld besides the figure itself. */
const ALL_OF: Readonly<Partial<Record<Suspect, string>>> = {
  prices: 'prices of the product data are withheld',
  chart: 'the chart’s prices are withheld',
  mark: 'index and mark are not converted',
};

function explain(suspects: readonly Suspect[], product: DeskProduct, fact: Fact): string {
  const [first = 'prices', ...others] = suspects;
  const { session, ratio } = fact;
  const of = session === null || first === 'mark' ? '' : ` of ${formatDay(session)}`;
  // The ratio of a suspect that divides is the inverse.
  const times = sumTerms(fact.terms, claimsOf(first)) < 0 ? ratio : 1 / ratio;
  const nameOf = (suspect: Suspect): string =>
    suspect === 'prices' && 'range' in fact.terms ? 'price range in the product data' : NAMES[suspect];
  if (others.length === 0) return explainOne(first, product, times, `${nameOf(first)}${of}`, of);
  if (others.length === 1 && suspects.includes('tick size') && suspects.includes('contract size'))
    return (
      `The published tick size, ${toText(product, 'price_increment')} USD, or contract size, ` +
      `${toText(product, 'contract_size')}, looks wrong: together they imply ${toTimes(times)} the ` +
      `exchange’s own USD values${of}, so prices in ticks are not converted and USD values are withheld.`
    );
  const names = suspects.map(nameOf);
  return (
    `The ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}${of} contradict each other by a factor of ` +
    `${round(Math.max(ratio, 1 / ratio))}. Which is wrong is unknown, so all are withheld.`
  );
}

function explainOne(suspect: Suspect, product: DeskProduct, times: number, name: string, of: string): string {
  if (suspect === 'tick size')
    return (
      `The published tick size, ${toText(product, 'price_increment')} USD, gives ${toTimes(times)} the ` +
      `exchange’s own USD price${of}, so prices in ticks are not converted.`
    );
  if (suspect === 'contract size')
    return (
      `The published contract size, ${toText(product, 'contract_size')}, gives ${toTimes(times)} the ` +
      `exchange’s own USD values${of}, so these and figures computed with it are withheld.`
    );
  const is = times < 0 ? 'negative' : `${toTimes(times)} what the exchange’s other figures imply`;
  return `The ${name} is ${is}, so ${ALL_OF[suspect] ?? 'it is withheld'}.`;
}

function toText(product: DeskProduct, field: 'price_increment' | 'contract_size'): string {
  return toDecimal(wireText(product, field) ?? '0').toFixed();
}

/** `about 1,000 times`, `about 0.8 times`, `about 1/100 of`. */
function toTimes(ratio: number): string {
  return ratio > 0.1 ? `about ${round(ratio)} times` : `about 1/${round(1 / ratio)} of`;
}

/** Rounds to three digits, or to more where these would hide that it is not 1. */
function round(ratio: number): string {
  const digits = ratio >= 10 ? 1 : Math.max(3, 1 - Math.floor(Math.log10(Math.abs(ratio - 1))));
  return formatNumber(toDecimal(String(ratio)).toSignificantDigits(digits));
}

/** The check that ticks times the published tick size give the USD prices that the exchange publishes elsewhere. */
export interface IncrementCheck {
  /** `unchecked`: there is no USD price to compare with. `pending`: it has not been read yet. */
  readonly verdict: 'agrees' | 'off' | 'unchecked' | 'pending';
  /** The comparison that decided the verdict. */
  readonly comparison: Comparison | null;
  /** Why prices are not converted, if the check failed or is pending. */
  readonly reason: string | null;
}

const PENDING =
  'Prices in ticks are not converted yet: the tick size is unchecked until the exchange’s own USD price has been read.';

/** From the most exact to the least exact. */
const TICK_SIZE_CHECKS: readonly CrossCheckName[] = [
  'chartSettlement',
  'openInterestValue',
  'sessionPrice',
  'trailingPrice',
  'mark',
];

/**
 * Derives the verdict on the tick size from the cross-checks. `isReading`: a response that could decide has not been
 * read yet.
 */
export function toIncrementCheck(
  product: DeskProduct,
  { comparisons, reasons }: PriceChecks,
  isReading: boolean,
): IncrementCheck {
  if (wireText(product, 'price_increment') === undefined)
    return { verdict: 'unchecked', comparison: null, reason: null };
  const done = TICK_SIZE_CHECKS.flatMap((name) => comparisons.find(({ check }) => check === name) ?? []);
  const reason = whyWithheld(reasons, 'price in ticks');
  if (reason !== null) return { verdict: 'off', comparison: done.find(({ passed }) => !passed) ?? null, reason };
  const comparison = done.find(({ passed }) => passed) ?? null;
  if (comparison !== null) return { verdict: 'agrees', comparison, reason: null };
  return isReading
    ? { verdict: 'pending', comparison, reason: PENDING }
    : { verdict: 'unchecked', comparison, reason: null };
}
