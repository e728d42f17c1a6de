import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { countOf } from '../format/count.ts';
import { premiumOf, toFundingPrice, toPremium } from '../funding/funding-prices.ts';
import { INTERVALS_PER_YEAR, toApr, toAprOfSum } from '../funding/funding-rate.ts';
import { type PerpetualSeries, toRateQuantity } from '../funding/funding-series.ts';
import { findAfter, measureWindow, toWindow } from '../funding/funding-window.ts';
import type { Source, Sourced } from '../response.ts';
import { Decimal, sumOf } from '../units/decimal.ts';
import { asRate, asTicks, deriveQuantity, type Quantity, type QuantityUnit, toQuantity } from '../units/quantity.ts';
import { type Basis, minutesBetween, MINUTES_OF_YEAR } from '../basis/basis.ts';
import { toBasis } from './month-basis.ts';
import type { CurveLeg, CurveMonth } from './curve-months.ts';

/**
 * `cash`: cash and carry, which holds the perpetual long and the month short. `reverse`: the other way round. A long
 * perpetual pays a positive rate.
 */
type CarrySide = 'cash' | 'reverse';

/** A side for all months, or for each month the side that earned. */
export const CARRY_CHOICES = ['earning', 'cash', 'reverse'] as const;
export type CarryChoice = (typeof CARRY_CHOICES)[number];

/** What figures are shown as: a fraction a year, or USD until expiry of one contract of the month or of a notional. */
export const CARRY_UNITS = ['year', 'contract', 'notional'] as const;
export type CarryUnit = (typeof CARRY_UNITS)[number];

/** The days over which funding is realised. */
export const CARRY_WINDOWS = ['7', '30', '90'] as const;
export type CarryDays = (typeof CARRY_WINDOWS)[number];

/** What a long perpetual paid a year, as published, and where its premium has been. */
export interface PerpetualFunding {
  /** Mean settled rate × 1,095; null if none settled in the window. */
  readonly realised: Quantity | null;
  /** The sum of the settled rates: what the window itself paid; null if none settled in it. */
  readonly inWindow: Quantity | null;
  /** Settled rates in the window, of how many intervals since the listing. */
  readonly rates: number;
  readonly intervals: number;
  /** Predicted rate × 1,095; null if there is none. */
  readonly predicted: Quantity | null;
  /** Mark ÷ index − 1 at the funding times of the window; null if none has both prices. */
  readonly premium: PremiumRange | null;
}

interface PremiumRange {
  readonly low: Quantity;
  readonly high: Quantity;
  /** Funding times with both prices. */
  readonly count: number;
}

interface FundingInputs {
  readonly perpetual: PerpetualSeries;
  readonly source: Source;
  readonly estimate: Sourced<EstimatedFundingRateData> | null;
  readonly days: CarryDays;
}

export function toPerpetualFunding({ perpetual, source, estimate, days }: FundingInputs): PerpetualFunding {
  const { series } = perpetual;
  const window = toWindow(Number(days), series.endsAt ?? 0);
  const { prints: rates, intervals } = measureWindow(series, window);
  const [from, to] = [findAfter(series, window.from), findAfter(series, window.to)];
  const settled = Array.from({ length: to - from }, (_, place) => toRateQuantity(perpetual, from + place, source));
  const how = `Mean of ${countOf(rates, 'settled rate')} of ${days} days × ${String(INTERVALS_PER_YEAR)} (3 × 365)`;
  const known = settled.filter((rate) => rate !== null);
  const summed = `Sum of ${String(rates)} of ${countOf(intervals, 'settled rate')} in ${days} days`;
  return {
    inWindow:
      rates === 0 ? null : deriveQuantity('fraction', summed, known, (values) => sumOf(values) ?? new Decimal(0)),
    realised:
      rates === 0
        ? null
        : deriveQuantity('fraction', how, known, (values) =>
            toAprOfSum(sumOf(values) ?? new Decimal(0), values.length),
          ),
    rates,
    intervals,
    predicted: estimate && toPredicted(estimate),
    premium: toPremiumRange(perpetual, source, from, to),
  };
}

function toPredicted(estimate: Sourced<EstimatedFundingRateData>): Quantity {
  const { value } = estimate;
  const rate = toQuantity({ source: estimate, dataTime: estimate.respondedAt }, value, 'funding_rate', asRate);
  return deriveQuantity('fraction', `Predicted rate × ${String(INTERVALS_PER_YEAR)} (3 × 365)`, [rate], ([one]) =>
    one ? toApr(one, value) : null,
  );
}

function toPremiumRange({ series }: PerpetualSeries, source: Source, from: number, to: number): PremiumRange | null {
  const premiums = series.prints.slice(from, to).flatMap(({ row }) => {
    const premium = premiumOf(row);
    return premium === null ? [] : [{ row, premium }];
  });
  const [first, ...rest] = premiums;
  if (first === undefined) return null;
  let [low, high] = [first, first];
  for (const one of rest) {
    if (one.premium.lt(low.premium)) low = one;
    if (one.premium.gt(high.premium)) high = one;
  }
  const toFigure = ({ row }: typeof first): Quantity => {
    const at = { source, dataTime: row.interval_end, prefix: 'prints.' };
    const price = (field: 'mark_price' | 'price_index') => toFundingPrice(at, row, field, asTicks);
    return toPremium(price('mark_price'), price('price_index'));
  };
  return { low: toFigure(low), high: toFigure(high), count: premiums.length };
}

/** What one side of the carry of a month keeps. All figures are received; negative: paid. */
export interface CarryMonth {
  readonly month: CurveMonth;
  readonly side: CarrySide;
  /** From the settlement to expiry. */
  readonly minutes: number;
  /** The basis if held to expiry, without the perpetual’s premium then. */
  readonly basis: Quantity | null;
  /** What the window itself paid, as a fraction of the perpetual’s price or in USD; not scaled to any other time. */
  readonly inWindow: Quantity | null;
  /** A year, or until expiry, at the mean settled rate of the window. */
  readonly realisedFunding: Quantity | null;
  readonly predictedFunding: Quantity | null;
  /** Basis and funding at the mean settled rate. */
  readonly realised: Quantity | null;
  /** Basis and funding as predicted. */
  readonly predicted: Quantity | null;
  /** The same at the mean settled rate, with the least and the most that the perpetual’s premium of the window leaves at expiry. */
  readonly least: Quantity | null;
  readonly most: Quantity | null;
  /** Why figures are missing, in a sentence, or null. */
  readonly refusedBecause: string | null;
}

export interface CarryTerms {
  readonly choice: CarryChoice;
  readonly unit: CarryUnit;
  /** In USD: the value of the perpetual’s leg. */
  readonly notional: Decimal;
}

/** Computes the carry of each month against the perpetual, in the unit of the terms. */
export function toCarryMonths(
  months: readonly CurveMonth[],
  perpetual: CurveLeg | null,
  funding: PerpetualFunding | null,
  terms: CarryTerms,
): readonly CarryMonth[] {
  return months.map((month) => {
    const basis = toBasis(month, perpetual);
    const minutes = month.settledAt === null ? 0 : minutesBetween(month.settledAt, month.expiresAt);
    const scale: Scale = { ...terms, month, perpetual, minutes };
    const parts = {
      basis: scaleBasis(basis, scale),
      realised: scaleFunding(funding?.realised ?? null, scale),
      predicted: scaleFunding(funding?.predicted ?? null, scale),
    };
    const inWindow = scaleWindow(funding?.inWindow ?? null, scale);
    const side = terms.choice === 'earning' ? findEarning(parts) : terms.choice;
    const received = toReceived(parts, side);
    return {
      month,
      side,
      minutes,
      ...received,
      inWindow: inWindow && receive(inWindow, -signOf(side), PAID[side]),
      ...toExtremes(received.realised, funding?.premium ?? null, side, scale),
      refusedBecause: whyRefused(basis, funding, terms.unit),
    };
  });
}

/** What cash and carry receives or pays: the basis it keeps, and, as published, the funding that its long perpetual pays. */
interface Parts {
  readonly basis: Quantity | null;
  readonly realised: Quantity | null;
  readonly predicted: Quantity | null;
}

/** The side that earned with funding as realised; without it, as predicted, or by the basis alone. */
function findEarning({ basis, realised, predicted }: Parts): CarrySide {
  const received = basis?.value ?? new Decimal(0);
  const paid = realised?.value ?? predicted?.value ?? new Decimal(0);
  return received.lt(paid) ? 'reverse' : 'cash';
}

const PAID: Readonly<Record<CarrySide, string>> = {
  cash: '− funding: a long perpetual pays it',
  reverse: 'Funding: a short perpetual receives it',
};

function toReceived({ basis, realised, predicted }: Parts, side: CarrySide) {
  const sign = signOf(side);
  const kept = basis && receive(basis, sign, side === 'cash' ? 'Basis' : '− basis');
  const [realisedFunding, predictedFunding] = [
    realised && receive(realised, -sign, PAID[side]),
    predicted && receive(predicted, -sign, PAID[side]),
  ];
  return {
    basis: kept,
    realisedFunding,
    predictedFunding,
    realised: add(kept, realisedFunding, 'Basis + funding at the mean settled rate'),
    predicted: add(kept, predictedFunding, 'Basis + funding as predicted'),
  };
}

/** Cash and carry ends with a long perpetual, which is then worth its premium more than the month settles at. */
function toExtremes(carry: Quantity | null, premium: PremiumRange | null, side: CarrySide, scale: Scale) {
  const ends = [premium?.low ?? null, premium?.high ?? null].map((one) => {
    const scaled = one && scaleOnce(one, scale);
    const left = scaled && receive(scaled, signOf(side), side === 'cash' ? 'Premium at expiry' : '− premium at expiry');
    return add(
      carry,
      left,
      'Carry at the mean settled rate + what a premium that the perpetual has had leaves at expiry',
    );
  });
  const [least = null, most = null] = side === 'cash' ? ends : ends.toReversed();
  return { least, most };
}

function signOf(side: CarrySide): 1 | -1 {
  return side === 'cash' ? 1 : -1;
}

function receive(quantity: Quantity, sign: number, how: string): Quantity {
  return deriveQuantity(quantity.unit, how, [quantity], ([value]) =>
    value ? (value.isZero() ? value : value.times(sign)) : null,
  );
}

function add(a: Quantity | null, b: Quantity | null, how: string): Quantity | null {
  if (a === null || b === null) return null;
  return deriveQuantity(a.unit, how, [a, b], ([first, second]) => (first && second ? first.plus(second) : null));
}

interface Scale extends CarryTerms {
  readonly month: CurveMonth;
  readonly perpetual: CurveLeg | null;
  readonly minutes: number;
}

function unitOf({ unit }: CarryTerms): QuantityUnit {
  return unit === 'year' ? 'fraction' : 'USD';
}

function scaleBasis({ usd, fraction, aYear }: Basis, scale: Scale): Quantity | null {
  const size = wireText(scale.month.product, 'contract_size');
  switch (scale.unit) {
    case 'year':
      return aYear;
    case 'contract':
      if (usd === null || size === undefined) return null;
      return deriveQuantity('USD', `Basis × contract size ${size}`, [usd], ([value]) => value?.times(size) ?? null);
    case 'notional':
      return scaleNotional(fraction, scale, 'Basis as a fraction');
  }
}

/** Scales what is paid a year to the time until expiry. */
function scaleFunding(aYear: Quantity | null, scale: Scale): Quantity | null {
  if (aYear === null || scale.minutes <= 0 || scale.unit === 'year') return aYear;
  const part = deriveQuantity(
    'fraction',
    `Funding a year × ${String(scale.minutes)} minutes to expiry ÷ ${String(MINUTES_OF_YEAR)}`,
    [aYear],
    ([value]) => value?.times(scale.minutes).div(MINUTES_OF_YEAR) ?? null,
  );
  return scaleOnce(part, scale);
}

/** What the window paid stays a fraction beside figures a year: it is not scaled to a year. */
function scaleWindow(sum: Quantity | null, scale: Scale): Quantity | null {
  return sum === null || scale.unit === 'year' ? sum : scaleOnce(sum, scale);
}

/** Scales a fraction of the perpetual’s price that is paid once. */
function scaleOnce(fraction: Quantity, scale: Scale): Quantity | null {
  const { unit, month, perpetual, minutes } = scale;
  if (unit === 'notional') return scaleNotional(fraction, scale, 'Fraction');
  if (unit === 'year')
    return deriveQuantity(
      'fraction',
      `Fraction × ${String(MINUTES_OF_YEAR)} minutes of 365 days ÷ ${String(minutes)} minutes to expiry`,
      [fraction],
      ([value]) => (value && minutes > 0 ? value.times(MINUTES_OF_YEAR).div(minutes) : null),
    );
  const [price, size] = [perpetual?.settlement ?? null, wireText(month.product, 'contract_size')];
  if (price === null || size === undefined) return null;
  return deriveQuantity(
    'USD',
    `Fraction × settlement of ${perpetual?.symbol ?? ''} × contract size ${size}`,
    [fraction, price],
    ([part, usd]) => (part && usd ? part.times(usd).times(size) : null),
  );
}

function scaleNotional(fraction: Quantity | null, scale: Scale, name: string): Quantity | null {
  return (
    fraction &&
    deriveQuantity(
      unitOf(scale),
      `${name} × notional of ${scale.notional.toFixed()} USD`,
      [fraction],
      ([value]) => value?.times(scale.notional) ?? null,
    )
  );
}

function whyRefused(basis: Basis, funding: PerpetualFunding | null, unit: CarryUnit): string | null {
  if (basis.refusedBecause !== null && (unit === 'year' || basis.usd === null)) return basis.refusedBecause;
  if (funding === null) return null;
  return funding.realised === null ? 'No rate of the perpetual settled in this window.' : null;
}
