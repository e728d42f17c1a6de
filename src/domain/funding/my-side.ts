import type { Decimal } from '../decimal.ts';

/** From whose side rates are looked at: nobody's, as they are on the wire, or that of one who is long or short. */
export const FUNDING_SIDES = ['market', 'long', 'short'] as const;
export type FundingSide = (typeof FUNDING_SIDES)[number];

/** What a sign means, in words: it stands wherever rates do. */
export const SIDE_WORDS: Readonly<Record<FundingSide, string>> = {
  market: 'Positive: longs pay shorts',
  long: 'My side, long: + I receive, − I pay',
  short: 'My side, short: + I receive, − I pay',
};

/** Whether a side sees the sign of the wire turned round: one who is long pays what is positive. */
export function isTurned(side: FundingSide): boolean {
  return side === 'long';
}

/** The same as a factor, for what is drawn. */
export function signOf(side: FundingSide): 1 | -1 {
  return isTurned(side) ? -1 : 1;
}

/** A rate as a side sees it. What is zero has no sign. */
export function toSide(rate: Decimal, side: FundingSide): Decimal {
  return isTurned(side) && !rate.isZero() ? rate.negated() : rate;
}
