import type { OpaqueNumber } from './brand.ts';

/** Key of the reasons why a row's values were replaced by null. */
const WITHHELD = Symbol('withheld');

type RowWithReasons = Record<string, unknown> & { [WITHHELD]?: Record<string, string> };

/** Copies a row with null in a field although the exchange sent a value. `path` is that in the row: `ohlc.close`. */
export function withhold(row: object, path: string, reason: string): object {
  const known = row as RowWithReasons;
  const [field = '', ...nested] = path.split('.');
  if (nested.length > 0) return { ...known, [field]: withhold(known[field] as object, nested.join('.'), reason) };
  return { ...known, [field]: null, [WITHHELD]: { ...known[WITHHELD], [field]: reason } };
}

/** Returns why a field is null although the exchange sent a value; null if it sent none, or if the value is there. */
export function findWithheldReason(row: object, field: string): string | null {
  return (row as RowWithReasons)[WITHHELD]?.[field] ?? null;
}

/** Key of the wire's own text of a row's numbers that a float cannot hold. */
export const WIRE_TEXT = Symbol('wire text');

/** A row with the kept texts of its numbers. */
export type RowWithTexts = Record<string, unknown> & { [WIRE_TEXT]?: Record<string, string> | undefined };

type ScalarField<Row> = {
  [Field in keyof Row & string]-?: Row[Field] extends string | number | OpaqueNumber<string> | null | undefined
    ? Field
    : never;
}[keyof Row & string];

/**
 * Returns a field's value as text, with the wire's own digits where a float would round them. Null and undefined are
 * returned unchanged.
 */
export function wireText<Row extends object, Field extends ScalarField<Row>>(
  row: Row,
  field: Field,
): string | Extract<Row[Field], null | undefined> {
  const value: unknown = row[field];
  if (typeof value !== 'number' && typeof value !== 'string') return value as Extract<Row[Field], null | undefined>;
  return (row as RowWithTexts)[WIRE_TEXT]?.[field] ?? String(value);
}

/**
 * Returns whether the wire's own text was kept for any of a row's numbers. Otherwise, numbers equal as floats were
 * equal on the wire.
 */
export function keepsDigits(row: object): boolean {
  return (row as RowWithTexts)[WIRE_TEXT] !== undefined;
}
