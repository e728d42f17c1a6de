import type {
  Cents,
  Contracts,
  FractionalTicks,
  RatePerInterval,
  Ticks,
  Usd,
  UsdText,
} from '#contract/exchange/amounts.ts';
import { findWithheldReason, wireText } from '#contract/exchange/row-notes.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { type Decimal, toDecimal } from './decimal.ts';
import type { OpaqueNumber } from '#contract/exchange/brand.ts';
import type { DataTime, Source } from '../response.ts';

/** Unit of a number on the screen. */
export type QuantityUnit = 'USD' | 'contracts' | 'ticks' | 'per interval' | 'fraction';

/** The specification that a conversion uses. */
interface SpecUsed {
  readonly productId: number;
  readonly symbol: string | null;
  readonly field: 'price_increment';
  readonly wireText: string;
}

/** How a wire value of one type is converted to a unit. */
export interface Conversion<Wire> {
  /** Exists for the compiler only: it ties the conversion to its wire type. */
  readonly accepts?: (wire: Wire) => void;
  readonly wireUnit: string;
  readonly unit: QuantityUnit;
  /** Multiplier of the wire's number, as a plain decimal. */
  readonly factor: string;
  readonly spec: SpecUsed | null;
  /** Why the result must not be shown, or null. */
  readonly withheld: string | null;
}

const plain = { factor: '1', spec: null, withheld: null } as const;

/** Chart prices and trailing statistics are in USD already. */
export const asUsd: Conversion<UsdText | Usd> = { ...plain, wireUnit: 'USD', unit: 'USD' };
export const fromCents: Conversion<Cents> = { ...plain, wireUnit: 'US cents', unit: 'USD', factor: '0.01' };
export const asContracts: Conversion<Contracts> = { ...plain, wireUnit: 'contracts', unit: 'contracts' };
export const asTicks: Conversion<Ticks | FractionalTicks> = { ...plain, wireUnit: 'ticks', unit: 'ticks' };
export const asRate: Conversion<RatePerInterval> = {
  ...plain,
  wireUnit: 'fraction per interval',
  unit: 'per interval',
};

/**
 * Converts ticks to USD by the published tick size; null without one. `withheld` says why the result must not be shown.
 */
export function byIncrement(product: DeskProduct, withheld: string | null): Conversion<Ticks | FractionalTicks> | null {
  const increment = wireText(product, 'price_increment');
  if (increment === undefined) return null;
  const productId = Number(wireText(product, 'product_id'));
  const spec: SpecUsed = { productId, symbol: product.symbol ?? null, field: 'price_increment', wireText: increment };
  return { wireUnit: 'ticks', unit: 'USD', factor: toDecimal(increment).toFixed(), spec, withheld };
}

/**
 * Converts a wire text to the conversion's unit.
 *
 * @internal Exported for its test.
 */
export function convert(text: string, { factor }: Pick<Conversion<never>, 'factor'>): Decimal {
  const value = toDecimal(text);
  return factor === plain.factor ? value : value.times(factor);
}

/** Provenance of a number from one field of one response. */
export interface ReadProvenance {
  readonly kind: 'read';
  readonly source: Source;
  /** Path in the row, for example `ohlc.close`. */
  readonly field: string;
  /** The raw text; null for a null value. */
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
  /** Null means that there is no value, which differs from zero, or that the value is withheld. */
  readonly value: Decimal | null;
  readonly unit: QuantityUnit;
  /** Why an existing value is not shown, or null. */
  readonly withheld: string | null;
  readonly provenance: ReadProvenance | DerivedProvenance;
}

/** The source of a row and the time of its data. */
export interface RowSource {
  readonly source: Source;
  readonly dataTime: DataTime | null;
  /** Prefix of the field's path, for example `ohlc.`. */
  readonly prefix?: string;
}

type FieldOf<Row, Wire> = {
  [Field in keyof Row & string]-?: NonNullable<Row[Field]> extends Wire ? Field : never;
}[keyof Row & string];

/**
 * Reads a number from a field. The compiler accepts only a conversion for the field's type, so cents cannot pass as
 * dollars.
 */
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

/** Computes a number from others: null if one of them is null, withheld if one of them is withheld. */
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

/** Lists the responses that a number is based on, without duplicates. */
export function sourcesOf({ provenance }: Quantity): readonly Source[] {
  if (provenance.kind === 'read') return [provenance.source];
  return [...new Set(provenance.from.flatMap(sourcesOf))];
}
