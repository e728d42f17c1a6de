import type { OpaqueNumber } from '#contract/brand.ts';
import { wireText } from '#contract/json-text.ts';
import { convert, type Conversion, type QuantityUnit, type SpecUsed } from './conversions.ts';
import type { Decimal } from './decimal.ts';
import type { DataTime, Source } from './source.ts';

/** A number read from one field of one answer. */
export interface ReadProvenance {
  readonly kind: 'read';
  readonly source: Source;
  /** Where in the row, for example `ohlc.close`. */
  readonly field: string;
  /** As it came; null where the venue said null. */
  readonly wireText: string | null;
  readonly wireUnit: string;
  readonly factor: string;
  readonly spec: SpecUsed | null;
  readonly dataTime: DataTime | null;
}

/** A number computed from others. */
interface DerivedProvenance {
  readonly kind: 'derived';
  /** A sentence: what was computed, and how. */
  readonly how: string;
  readonly from: readonly Quantity[];
}

/** A number that can say where it came from. The same object is shown, explained and exported. */
export interface Quantity {
  /** Null: there is none, which is not zero; or it is withheld. */
  readonly value: Decimal | null;
  readonly unit: QuantityUnit;
  /** Why a value that there is is not shown. */
  readonly withheld: string | null;
  readonly provenance: ReadProvenance | DerivedProvenance;
}

/** Where a row stands: its answer, and the time that its figures are of. */
export interface RowSource {
  readonly source: Source;
  readonly dataTime: DataTime | null;
  /** What comes before the field's name, for example `ohlc.`. */
  readonly prefix?: string;
}

type FieldOf<Row, Wire> = {
  [Field in keyof Row & string]-?: NonNullable<Row[Field]> extends Wire ? Field : never;
}[keyof Row & string];

/** The number in a field. The conversion must be the one for the field's type: cents do not pass as dollars. */
export function toQuantity<Wire extends string | OpaqueNumber<string>, Row extends object>(
  { source, dataTime, prefix = '' }: RowSource,
  row: Row,
  field: FieldOf<Row, Wire>,
  conversion: Conversion<Wire>,
): Quantity {
  const { wireUnit, unit, factor, spec, withheld } = conversion;
  const text = readWire(row, field);
  const provenance: ReadProvenance = { kind: 'read', source, field: prefix + field, wireText: text, wireUnit, factor, spec, dataTime };
  const isWithheld = text !== null && withheld !== null;
  return { value: text === null || isWithheld ? null : convert(text, conversion), unit, withheld: isWithheld ? withheld : null, provenance };
}

function readWire(row: object, field: string): string | null {
  const text: unknown = wireText(row as Readonly<Record<string, number>>, field);
  return typeof text === 'string' ? text : null;
}

/** A number computed from others; it stays null, and withheld, where one that it cannot do without is. */
export function deriveQuantity(unit: QuantityUnit, how: string, from: readonly Quantity[], compute: (values: readonly Decimal[]) => Decimal | null): Quantity {
  const values = from.flatMap(({ value }) => (value === null ? [] : [value]));
  const whole = values.length === from.length;
  const withheld = from.find((quantity) => quantity.withheld !== null)?.withheld ?? null;
  return { value: whole ? compute(values) : null, unit, withheld, provenance: { kind: 'derived', how, from } };
}

/** The answers that a number rests on, each once. */
export function sourcesOf({ provenance }: Quantity): readonly Source[] {
  if (provenance.kind === 'read') return [provenance.source];
  return [...new Set(provenance.from.flatMap(sourcesOf))];
}
