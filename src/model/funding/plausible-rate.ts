import type { Quantity } from '../units/quantity.ts';
import { nameSome } from '../format/name-some.ts';

/**
 * Per interval. A rate follows the premium of the book over the index, which arbitrage keeps within a fraction of a percent;
 * this one is 821 % a year, and seventy-five times the interest rate.
 */
const PLAUSIBLE_RATE = 0.0075;
/** Per interval. Exchanges set 0.01 %; ten times that is 110 % a year, and an interest rate in percent is a hundred times it. */
const PLAUSIBLE_INTEREST = 0.001;

/** Why a rate is in doubt. It is counted nevertheless: it is possible. */
export const IMPLAUSIBLE_RATE = 'beyond ±0.75 % per 8 h';
export const IMPLAUSIBLE_INTEREST = 'beyond ±0.1 % per 8 h';

export function isPlausibleRate(rate: number): boolean {
  return Math.abs(rate) <= PLAUSIBLE_RATE;
}

export function isPlausibleInterest(rate: number): boolean {
  return Math.abs(rate) <= PLAUSIBLE_INTEREST;
}

/** A rate, by the name of its perpetual; null where there is none. */
export interface NamedRate {
  readonly name: string;
  readonly rate: Quantity | null;
}

/** Which of several rates are in doubt, for a notice: they are shown nevertheless. Null where none is. */
export function describeDoubtfulRates(
  noun: string,
  rates: readonly NamedRate[],
): { readonly title: string; readonly text: string } | null {
  const found = rates.filter(({ rate }) => !isPlausibleRate(rate?.value?.toNumber() ?? 0));
  if (found.length === 0) return null;
  return {
    title: `${nameSome(found.map(({ name }) => name))}: ${noun} in doubt.`,
    text: `${found.length === 1 ? 'It is' : 'They are'} ${IMPLAUSIBLE_RATE}.`,
  };
}
