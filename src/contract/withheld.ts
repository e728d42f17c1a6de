/** Where a row keeps why values of it were replaced by null. */
export const WITHHELD = Symbol('withheld');

type RowWithReasons = Record<string, unknown> & { [WITHHELD]?: Record<string, string> };

/** A copy of a row in which a field that may be null is null, although the exchange sent a value. */
export function withhold(row: object, field: string, reason: string): object {
  const known = (row as RowWithReasons)[WITHHELD];
  return { ...row, [field]: null, [WITHHELD]: { ...known, [field]: reason } };
}

/** Why a field is null although the exchange sent a value; null where it did not send one, or the value is there. */
export function findWithheldReason(row: object, field: string): string | null {
  return (row as RowWithReasons)[WITHHELD]?.[field] ?? null;
}
