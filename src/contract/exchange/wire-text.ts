import type { OpaqueNumber } from './brand.ts';

/** Where a row keeps the wire's own text of numbers that a float cannot hold. */
export const WIRE_TEXT = Symbol('wire text');

/** A row, with the texts that were kept of its numbers. */
export type RowWithTexts = Record<string, unknown> & { [WIRE_TEXT]?: Record<string, string> | undefined };

type ScalarField<Row> = {
  [Field in keyof Row & string]-?: Row[Field] extends string | number | OpaqueNumber<string> | null | undefined
    ? Field
    : never;
}[keyof Row & string];

/** A field's value as text, with the wire's own digits where a float would round them. Null and undefined are returned as they are. */
export function wireText<Row extends object, Field extends ScalarField<Row>>(
  row: Row,
  field: Field,
): string | Extract<Row[Field], null | undefined> {
  const value: unknown = row[field];
  if (typeof value !== 'number' && typeof value !== 'string') return value as Extract<Row[Field], null | undefined>;
  return (row as RowWithTexts)[WIRE_TEXT]?.[field] ?? String(value);
}

/** Whether the wire's own text was kept for any of a row's numbers. Without one, equal numbers were equal on the wire. */
export function keepsDigits(row: object): boolean {
  return (row as RowWithTexts)[WIRE_TEXT] !== undefined;
}
