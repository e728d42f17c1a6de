/** Where a row keeps why values of it were replaced by null. */
export const WITHHELD = Symbol('withheld');

type RowWithReasons = Record<string, unknown> & { [WITHHELD]?: Record<string, string> };

/** A copy of a row in which a field is null, although the exchange sent a value. The path is that in the row: `ohlc.close`. */
export function withhold(row: object, path: string, reason: string): object {
  const known = row as RowWithReasons;
  const [field = '', ...nested] = path.split('.');
  if (nested.length > 0) return { ...known, [field]: withhold(known[field] as object, nested.join('.'), reason) };
  return { ...known, [field]: null, [WITHHELD]: { ...known[WITHHELD], [field]: reason } };
}

/** Why a field is null although the exchange sent a value; null where it did not send one, or the value is there. */
export function findWithheldReason(row: object, field: string): string | null {
  return (row as RowWithReasons)[WITHHELD]?.[field] ?? null;
}
