import type { Decimal } from '../decimal.ts';

/** Who pays, in words: where the rate is positive, longs do. */
export function namePayer(rate: Decimal): string {
  if (rate.isZero()) return 'nobody pays';
  return rate.isNegative() ? 'shorts pay' : 'longs pay';
}

/** Who pays whom, in words. */
export function describeFunding(rate: Decimal): string {
  const payer = namePayer(rate);
  if (rate.isZero()) return payer;
  return `${payer} ${rate.isNegative() ? 'longs' : 'shorts'}`;
}
