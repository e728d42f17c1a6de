import { type Decimal, sumOf, toDecimal } from '../units/decimal.ts';
import type { FundingSeries } from './funding-series.ts';
import { findAfter, type FundingWindow, measureWindow, toWindow, type WindowMeasures } from './funding-window.ts';
import { INTERVALS_PER_DAY, toAprOfSum } from './funding-rate.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { readFundingPrice } from './funding-prices.ts';
import type { TimedPrint } from './funding-faults.ts';

export const CARRY_SIDES = ['long', 'short'] as const;
export type CarrySide = (typeof CARRY_SIDES)[number];

/** The price that values the position. */
export const CARRY_PRICES = ['price_index', 'mark_price'] as const;
export type CarryPrice = (typeof CARRY_PRICES)[number];

/** The unit of a position’s size. */
export const CARRY_SIZES = ['contracts', 'usd'] as const;
export type CarrySize = (typeof CARRY_SIZES)[number];

/** A number of contracts, valued at each funding time, or the same notional throughout, which needs no prices. */
export type CarryPosition = ContractPosition | NotionalPosition;

interface NotionalPosition {
  readonly side: CarrySide;
  /** In USD. */
  readonly notional: Decimal;
}

export interface ContractPosition {
  readonly side: CarrySide;
  readonly contracts: Decimal;
  /** Units of the underlying per contract. */
  readonly contractSize: Decimal;
  /** USD per tick. */
  readonly increment: Decimal;
  readonly price: CarryPrice;
}

/** Exact funding payment of one interval in USD; negative if the position paid. */
export interface CarryPayment {
  readonly rate: Decimal;
  /** Null if the notional is given. */
  readonly priceUsd: Decimal | null;
  readonly notional: Decimal;
  readonly payment: Decimal;
}

export interface SettledPayment extends CarryPayment {
  readonly print: TimedPrint;
}

export interface Carry {
  /** Oldest first. */
  readonly payments: readonly SettledPayment[];
  /** Settled rates without a payment because their price is withheld. */
  readonly unpriced: number;
  readonly coverage: WindowMeasures;
  readonly sum: Decimal | null;
  readonly meanNotional: Decimal | null;
  /** The sum relative to the mean notional. */
  readonly share: Decimal | null;
  /** Simple APR: the sum relative to the mean notional, scaled to a year. */
  readonly apr: Decimal | null;
}

/** Computes the funding payments of a position held over a window. */
export function computeCarry(series: FundingSeries, window: FundingWindow, position: CarryPosition): Carry {
  const prints = series.prints.slice(findAfter(series, window.from), findAfter(series, window.to));
  const payments = prints.flatMap((print) =>
    toSettled(print, toPayment(position, toDecimal(wireText(print.row, 'funding_rate')), print)),
  );
  const sum = sumOf(payments.map(({ payment }) => payment));
  const notional = sumOf(payments.map((payment) => payment.notional));
  const meanNotional = notional === null ? null : notional.div(payments.length);
  const share = sum !== null && meanNotional !== null && !meanNotional.isZero() ? sum.div(meanNotional) : null;
  return {
    payments,
    unpriced: prints.length - payments.length,
    coverage: measureWindow(series, window),
    sum,
    meanNotional,
    share,
    apr: share && toAprOfSum(share, payments.length),
  };
}

function toSettled(print: TimedPrint, payment: CarryPayment | null): readonly SettledPayment[] {
  return payment === null ? [] : [{ print, ...payment }];
}

/**
 * Computes the payment of the current interval from the predicted rate and the prices of the last settled rate. It is
 * not part of the carry.
 */
export function estimateCarry(series: FundingSeries, position: CarryPosition, estimate: Decimal): CarryPayment | null {
  const last = series.prints.at(-1);
  return last === undefined ? null : toPayment(position, estimate, last);
}

/** Computes the payment of one interval. At a positive rate, longs pay shorts. Null if the price is withheld. */
function toPayment(position: CarryPosition, rate: Decimal, print: TimedPrint): CarryPayment | null {
  const valued = toNotional(position, print);
  if (valued === null) return null;
  const due = valued.notional.times(rate);
  return { rate, ...valued, payment: position.side === 'long' && !due.isZero() ? due.negated() : due };
}

function toNotional(position: CarryPosition, { row }: TimedPrint): Pick<CarryPayment, 'priceUsd' | 'notional'> | null {
  if ('notional' in position) return { priceUsd: null, notional: position.notional };
  const { contracts, contractSize, increment, price } = position;
  const priceUsd = readFundingPrice(row, price)?.times(increment);
  return priceUsd === undefined ? null : { priceUsd, notional: contracts.times(contractSize).times(priceUsd) };
}

const DAYS = 30;

/**
 * What a position would receive or pay if a rate and the price of the last funding time stayed the same. An assumption,
 * not a forecast.
 */
export interface CarryAhead {
  readonly intervals: number;
  /**
   * Whether these are the intervals of the chosen period that have not settled, rather than those of the next 30 days.
   */
  readonly isOfPeriod: boolean;
  /** In USD; null without a current predicted rate. */
  readonly atPredicted: Decimal | null;
  readonly mean: MeanAhead | null;
}

interface MeanAhead {
  readonly rate: Decimal;
  /** Number of settled rates in the last 30 days behind the mean. */
  readonly prints: number;
  readonly payment: Decimal;
}

export function toCarryAhead(
  series: FundingSeries,
  { notSettled }: Pick<WindowMeasures, 'notSettled'>,
  position: CarryPosition,
  predicted: CarryPayment | null,
): CarryAhead {
  const isOfPeriod = notSettled > 0;
  const intervals = isOfPeriod ? notSettled : DAYS * INTERVALS_PER_DAY;
  return {
    intervals,
    isOfPeriod,
    atPredicted: predicted?.payment.times(intervals) ?? null,
    mean: toMeanAhead(series, position, intervals),
  };
}

function toMeanAhead(series: FundingSeries, position: CarryPosition, intervals: number): MeanAhead | null {
  const { sum, prints } = measureWindow(series, toWindow(DAYS, series.endsAt ?? 0));
  if (sum === null) return null;
  const rate = sum.div(prints);
  const each = estimateCarry(series, position, rate);
  return each && { rate, prints, payment: each.payment.times(intervals) };
}
