import type { Decimal } from '../units/decimal.ts';

/** Who pays: longs pay positive rates. */
export function namePayer(rate: Decimal): string {
  if (rate.isZero()) return 'no payment';
  return rate.isNegative() ? 'shorts pay' : 'longs pay';
}

/** Who pays whom. */
export function describeFunding(rate: Decimal): string {
  const payer = namePayer(rate);
  if (rate.isZero()) return payer;
  return `${payer} ${rate.isNegative() ? 'longs' : 'shorts'}`;
}
