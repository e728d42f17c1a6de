import type { Decimal } from '../units/decimal.ts';

export type RankOrder = 'highest first' | 'lowest first';

/** The rank of each value. Equal values share a rank; missing values have none. */
export function rankValues(values: readonly (Decimal | null)[], order: RankOrder): readonly (number | null)[] {
  const present = values.filter((value) => value !== null);
  const isBefore = (a: Decimal, b: Decimal): boolean => (order === 'highest first' ? a.gt(b) : a.lt(b));
  return values.map((value) => (value === null ? null : 1 + present.filter((other) => isBefore(other, value)).length));
}
