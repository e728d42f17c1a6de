import type { Decimal } from '../../units/decimal.ts';

/** The text of a figure that is computed from index or mark: they are withheld where they are not above zero. */
export function orNotAvailable(value: Decimal | null, format: (value: Decimal) => string): string {
  return value === null ? 'n/a' : format(value);
}
