import type { Product } from '../core/model.ts';

/** A tick is a multiple of 1e-10 USD, so ten decimal places are exact. */
const FRACTION_DIGITS = 10;
const ONE_USD_E10 = 10n ** BigInt(FRACTION_DIGITS);
const ONE_CENT_E10 = ONE_USD_E10 / 100n;

/**
 * Returns the notional value of contracts at a price, in whole cents, rounded half up once. The value measures turnover
 * and exposure, so a negative price counts like a positive one.
 */
export function toNotionalCents(
  { tickE10, contractSize }: Pick<Product, 'tickE10' | 'contractSize'>,
  price: number,
  quantity: number,
): number {
  const { digits, scale } = toDecimal(contractSize);
  const value = BigInt(Math.abs(price)) * tickE10 * digits * BigInt(quantity);
  const unit = ONE_CENT_E10 * 10n ** BigInt(scale);
  const cents = Number((2n * value + unit) / (2n * unit));
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${price} ticks x ${quantity} contracts is too large`);
  return cents;
}

/** Formats a price in whole ticks as USD with ten decimal places, such as `87500.0000000000`. */
export function toUsdText(ticks: number, tickE10: bigint): string {
  const value = BigInt(ticks) * tickE10;
  const digits = (value < 0n ? -value : value).toString().padStart(FRACTION_DIGITS + 1, '0');
  const whole = digits.slice(0, -FRACTION_DIGITS);
  return `${value < 0n ? '-' : ''}${whole}.${digits.slice(-FRACTION_DIGITS)}`;
}

/** Returns the number as a decimal: digits / 10^scale. */
function toDecimal(value: number): { readonly digits: bigint; readonly scale: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}
