import type { DeskProduct } from '#contract/desk/desk.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { Comparison, CrossCheckName } from './cross-checks.ts';
import { formatDay } from '../format/format-time.ts';
import { formatNumber } from '../format/number.ts';
import { toDecimal } from '../units/decimal.ts';
import { comparePrices, type ProductEvidence } from './compare-prices.ts';

/**
 * A figure that may be wrong. Without the chart's price, a wrong tick size and a wrong contract size look alike.
 */
export type Suspect =
  | 'tick size'
  | 'contract size'
  | 'tick size or contract size'
  | 'daily values'
  | '24 h value'
  | 'chart'
  | 'mark';

/** The figures that a failed check may withhold. */
type CheckedFigure =
  | 'price in ticks'
  | 'contract size'
  | 'daily USD value'
  | '24 h USD value'
  | 'chart settlement'
  | 'mark';

/** If the contract size contradicts the USD values, either may be wrong, so both are withheld. */
const WITHHELD_BY: Readonly<Record<CheckedFigure, readonly Suspect[]>> = {
  'price in ticks': ['tick size', 'tick size or contract size'],
  'contract size': ['contract size', 'tick size or contract size'],
  'daily USD value': ['daily values', 'contract size'],
  '24 h USD value': ['24 h value', 'contract size'],
  'chart settlement': ['chart'],
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

/** Runs the checks. Where one fails, finds the figure that the other checks contradict. */
export function judgePrices(evidence: ProductEvidence): PriceChecks {
  const comparisons = comparePrices(evidence);
  const byName = new Map(comparisons.map((comparison) => [comparison.check, comparison]));
  return {
    comparisons,
    reasons: new Map(
      findSuspects(byName).map(([suspect, because]) => [suspect, explain(suspect, evidence.product, because)]),
    ),
  };
}

type Comparisons = ReadonlyMap<CrossCheckName, Comparison>;
type Found = readonly [suspect: Suspect, because: Comparison];

function findSuspects(comparisons: Comparisons): readonly Found[] {
  const mark = findFailed(comparisons, 'fundingMark');
  return [...findPriceSuspects(comparisons), ...(mark === null ? [] : [['mark', mark] as const])];
}

function findPriceSuspects(comparisons: Comparisons): readonly Found[] {
  const ticks = suspectTicks(comparisons);
  const values = suspectValues(comparisons);
  // The chart's prices and product data can show a second fault beside a wrong tick size.
  if (ticks?.[0] === 'tick size' && values !== null) return [ticks, values];
  const first = ticks ?? values ?? suspectMean(comparisons);
  const trailing = findFailed(comparisons, 'trailingPrice');
  if (first === null) return trailing === null ? [] : [['24 h value', trailing]];
  const [suspect, { check }] = first;
  if (suspect !== 'daily values' || trailing === null) return [first];
  // Wrong daily values say nothing about the tick size or the last 24 hours. The trades of those hours do.
  return [first, [check === 'openInterestValue' ? toSpecification(comparisons) : '24 h value', trailing]];
}

/** Names the specification to suspect where ticks do not convert to the exchange's own USD prices. */
function toSpecification(comparisons: Comparisons): Suspect {
  const isChartKnown = comparisons.has('chartSettlement') || comparisons.has('chartOpenInterest');
  return isChartKnown ? 'tick size' : 'tick size or contract size';
}

/** Suspects the tick size where settlements differ, unless trades agree with it and only the other figure differs. */
function suspectTicks(comparisons: Comparisons): Found | null {
  const chart = findFailed(comparisons, 'chartSettlement');
  if (chart !== null) return [isChartOff(comparisons, chart) ? 'chart' : 'tick size', chart];
  const mark = findFailed(comparisons, 'mark');
  if (mark !== null) return [toSpecification(comparisons), mark];
  const value = findFailed(comparisons, 'openInterestValue');
  if (value === null || hasPassed(comparisons, 'chartSettlement')) return null;
  return [agreesWithTrades(comparisons, value) ? 'daily values' : toSpecification(comparisons), value];
}

/** Tolerance for two ratios of different sessions: open interest is published later than settlements. */
const SAME = 0.001;

function isChartOff(comparisons: Comparisons, { ratio }: Comparison): boolean {
  const value = comparisons.has('openInterestValue') ? null : findFailed(comparisons, 'chartOpenInterest');
  return value === null ? hasPassed(comparisons, 'openInterestValue') : distance(ratio, 1 / value.ratio) < SAME;
}

/** Runs where the price is right, so the contract size or a USD value must be wrong. */
function suspectValues(comparisons: Comparisons): Found | null {
  const value = findFailed(comparisons, 'chartOpenInterest');
  if (value !== null) return [agreesWithTrades(comparisons, value) ? 'daily values' : 'contract size', value];
  const volume = findFailed(comparisons, 'sessionVolume');
  if (volume !== null) return ['daily values', volume];
  const candle = findFailed(comparisons, 'candleVolume');
  return candle && [hasPassed(comparisons, 'sessionVolume') ? 'chart' : 'daily values', candle];
}

function suspectMean(comparisons: Comparisons): Found | null {
  const mean = findFailed(comparisons, 'sessionPrice');
  if (mean === null) return null;
  const isPriceRight = CONFIRM_PRICES.some((check) => hasPassed(comparisons, check));
  return [isPriceRight ? 'daily values' : toSpecification(comparisons), mean];
}

const CONFIRM_PRICES: readonly CrossCheckName[] = [
  'openInterestValue',
  'chartOpenInterest',
  'chartSettlement',
  'trailingPrice',
];

/** The mean price of trades may be this far from the middle of their range, so smaller deviations decide nothing. */
const DECISIVE = 1.1;

/**
 * Returns whether trades agree with the settlement, so that only the value of open interest differs. Product data with
 * another value for the same trades prove the same.
 */
function agreesWithTrades(comparisons: Comparisons, { ratio }: Comparison): boolean {
  if (ratio < 0 || findFailed(comparisons, 'sessionVolume') !== null) return true;
  if (ratio < DECISIVE && ratio > 1 / DECISIVE) return false;
  const means = [comparisons.get('trailingPrice'), comparisons.get('sessionPrice')].filter(
    (mean) => mean !== undefined,
  );
  return means.some((mean) => distance(mean.ratio, 1) < distance(mean.ratio, ratio));
}

function distance(a: number, b: number): number {
  return Math.abs(Math.log(a / b));
}

function findFailed(comparisons: Comparisons, check: CrossCheckName): Comparison | null {
  const comparison = comparisons.get(check);
  return comparison === undefined || comparison.passed ? null : comparison;
}

function hasPassed(comparisons: Comparisons, check: CrossCheckName): boolean {
  return comparisons.get(check)?.passed === true;
}

function explain(suspect: Suspect, product: DeskProduct, { check, session, ratio }: Comparison): string {
  const of = session === null ? '' : ` of ${formatDay(session)}`;
  const [times, inverse] = [toTimes(ratio), toTimes(1 / ratio)];
  switch (suspect) {
    case 'tick size':
      return (
        `The published tick size, ${toText(product, 'price_increment')} USD, gives ${inverse} the ` +
        `exchange’s own USD price${of}, so prices in ticks are not converted.`
      );
    case 'contract size':
      return (
        `The published contract size, ${toText(product, 'contract_size')}, gives ${inverse} the ` +
        `exchange’s own USD values${of}, so these and figures computed with it are withheld.`
      );
    case 'tick size or contract size':
      return (
        `The published tick size, ${toText(product, 'price_increment')} USD, or contract size, ` +
        `${toText(product, 'contract_size')}, looks wrong: together they imply ${inverse} the ` +
        `exchange’s own USD values${of}, so prices in ticks are not converted.`
      );
    case 'daily values':
      return explainDailyValues(check, of, ratio);
    case '24 h value':
      return (
        'The USD value of the 24 h volume is ' +
        `${ratio < 0 ? 'negative' : `${times} contracts × contract size × price`}, so it is ` +
        'withheld.'
      );
    case 'mark':
      return `The mark at the last funding time is ${times} the settlement${of}, so index and mark are not converted.`;
    case 'chart':
      if (check === 'candleVolume')
        return (
          `The chart’s volume${of} is ${inverse} that of the product data, so the chart’s ` +
          'settlement is withheld and its candles are in doubt.'
        );
      return (
        `The chart’s settlement${of} is ${times} that of product data and open interest, so it is ` +
        'withheld and the candles are in doubt.'
      );
  }
}

function explainDailyValues(check: CrossCheckName, of: string, ratio: number): string {
  const times = toTimes(ratio);
  if (check === 'sessionVolume')
    return (
      `Daily volume${of}, in contracts or in USD, is ${times} that of the product data, so daily ` +
      'USD values are withheld.'
    );
  if (check === 'candleVolume')
    return `Daily volume${of} is ${times} that of the chart, so daily USD values are withheld.`;
  return (
    `Daily USD values${of} are ` +
    `${ratio < 0 ? 'negative' : `${times} contracts × contract size × price`}, so they are withheld.`
  );
}

function toText(product: DeskProduct, field: 'price_increment' | 'contract_size'): string {
  return toDecimal(wireText(product, field) ?? '0').toFixed();
}

/** `about 1,000 times`, `about 0.8 times`, `about 1/100 of`. */
function toTimes(ratio: number): string {
  return ratio > 0.1 ? `about ${round(ratio)} times` : `about 1/${round(1 / ratio)} of`;
}

function round(ratio: number): string {
  const rounded = toDecimal(String(ratio)).toSignificantDigits(ratio < 10 ? 3 : 1);
  return formatNumber(rounded);
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
