import type { Decimal } from '#domain/decimal.ts';
import { formatNumber } from '#domain/format-number.ts';

export const PRICE_NAMES = { price_index: 'Index', mark_price: 'Mark' } as const;

/** Small positions are paid fractions of a cent. */
export function formatPayment(value: Decimal | null): string {
  return formatNumber(value, { digits: 4, signed: true });
}
