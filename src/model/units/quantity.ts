import type { OpaqueNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { findWithheldReason } from '#contract/exchange/withheld.ts';
import { convert, type Conversion, type QuantityUnit, type SpecUsed } from './conversions.ts';
import type { Decimal } from './decimal.ts';
import type { DataTime, Source } from '../source.ts';

/** Provenance of a number from one field of one response. */
export interface ReadProvenance {
  readonly kind: 'read';
  readonly source: Source;
  /** Path in the row, for example `ohlc.close`. */
  readonly field: string;
  /** The raw value; null for null. */
  readonly wireText: string | null;
  readonly wireUnit: string;
  readonly factor: string;
  readonly spec: SpecUsed | null;
  readonly dataTime: DataTime | null;
}

/** Provenance of a number computed from others. */
interface DerivedProvenance {
  readonly kind: 'derived';
  /** The calculation. */
  readonly how: string;
  readonly from: readonly Quantity[];
}

/** A number with its provenance. The same object is shown, explained and exported. */
export interface Quantity {
  /** Null: no value, which is not zero, or withheld. */
  readonly value: Decimal | null;
  readonly unit: QuantityUnit;
  /** Why an existing value is not shown, or null. */
  readonly withheld: string | null;
  readonly provenance: ReadProvenance | DerivedProvenance;
}

/** Source of a row, and the time of its data. */
export interface RowSource {
  readonly source: Source;
  readonly dataTime: DataTime | null;
  /** Prefix of the field's path, for example `ohlc.`. */
  readonly prefix?: string;
}

type FieldOf<Row, Wire> = {
  [Field in keyof Row & string]-?: NonNullable<Row[Field]> extends Wire ? Field : never;
}[keyof Row & string];

/** The number in a field. The compiler accepts only the conversion for the field's type: cents do not pass as dollars. */
export function toQuantity<Wire extends string | OpaqueNumber<string>, Row extends object>(
  { source, dataTime, prefix = '' }: RowSource,
  row: Row,
  field: FieldOf<Row, Wire>,
  conversion: Conversion<Wire>,
): Quantity {
  const { wireUnit, unit, factor, spec, withheld } = conversion;
  const text = readWire(row, field);
  const provenance: ReadProvenance = {
    kind: 'read',
    source,
    field: prefix + field,
    wireText: text,
    wireUnit,
    factor,
    spec,
    dataTime,
  };
  if (text === null) return { value: null, unit, withheld: findWithheldReason(row, field), provenance };
  return { value: withheld === null ? convert(text, conversion) : null, unit, withheld, provenance };
}

function readWire(row: object, field: string): string | null {
  const text: unknown = wireText(row as Readonly<Record<string, number>>, field);
  return typeof text === 'string' ? text : null;
}

/** A number computed from others. Null if one of them is null, withheld if one of them is. */
export function deriveQuantity(
  unit: QuantityUnit,
  how: string,
  from: readonly Quantity[],
  compute: (values: readonly Decimal[]) => Decimal | null,
): Quantity {
  const values = from.flatMap(({ value }) => (value === null ? [] : [value]));
  const whole = values.length === from.length;
  const withheld = from.find((quantity) => quantity.withheld !== null)?.withheld ?? null;
  return { value: whole ? compute(values) : null, unit, withheld, provenance: { kind: 'derived', how, from } };
}

/** The responses that a number is based on, without duplicates. */
export function sourcesOf({ provenance }: Quantity): readonly Source[] {
  if (provenance.kind === 'read') return [provenance.source];
  return [...new Set(provenance.from.flatMap(sourcesOf))];
}
