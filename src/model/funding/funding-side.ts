import type { Decimal } from '../units/decimal.ts';

/** The sign convention of rates: as published, or what a long or short position receives. */
export const FUNDING_SIDES = ['market', 'long', 'short'] as const;
export type FundingSide = (typeof FUNDING_SIDES)[number];

/** Meaning of the sign, shown next to rates. */
export const SIDE_LABELS: Readonly<Record<FundingSide, string>> = {
  market: 'Positive: longs pay shorts',
  long: 'Long position: + received, − paid',
  short: 'Short position: + received, − paid',
};

/** Whether the side inverts the sign: a long position pays positive rates. */
export function isInverted(side: FundingSide): boolean {
  return side === 'long';
}

/** The sign as a factor, for charts. */
export function signOf(side: FundingSide): 1 | -1 {
  return isInverted(side) ? -1 : 1;
}

/** A rate by a side's sign convention. Zero has no sign. */
export function toSide(rate: Decimal, side: FundingSide): Decimal {
  return isInverted(side) && !rate.isZero() ? rate.negated() : rate;
}
