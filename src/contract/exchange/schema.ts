import type { Static, TArray, TObject, TOptional, TProperties, TSchema, TUnsafe } from 'typebox';
import type { OpenEnum } from './brand.ts';

/**
 * Schemas are plain JSON Schema; TypeBox derives the TypeScript types. TypeBox's own builders would add markers to
 * every field, which nothing here reads and which would slow the start of the page.
 */

/** Unit of a number or text on the wire. */
type Unit = 'ticks' | 'usd' | 'cents' | 'contracts' | 'rate per interval' | 'usd per tick';

/**
 * The part of JSON Schema that the interface needs. `parse/check.ts` checks values against it, the exact checks are
 * generated from it, and the OpenAPI document contains it.
 */
export interface Shape {
  readonly 'type'?: JsonType | readonly JsonType[];
  readonly 'title'?: string;
  readonly 'description'?: string;
  readonly 'enum'?: readonly string[];
  readonly 'pattern'?: string;
  /** In characters. */
  readonly 'maxLength'?: number;
  readonly 'format'?: 'date-time' | 'date' | 'int64' | 'double';
  readonly 'minimum'?: number;
  readonly 'exclusiveMinimum'?: number;
  readonly 'properties'?: Readonly<Record<string, Shape>>;
  readonly 'required'?: readonly string[];
  readonly 'items'?: Shape;
  readonly 'additionalProperties'?: boolean;
  readonly 'x-unit'?: Unit;
}

/** The types of JSON Schema. An integer is a number without a fraction. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

/** One JSON string or number, with the TypeScript type that carries its meaning. */
export function scalar<T>(shape: Shape): TUnsafe<T> {
  return shape as TUnsafe<T>;
}

/** A value from a list. Strict parsing rejects unlisted values; tolerant parsing accepts and reports them. */
export function openEnum<const Known extends string>(
  known: readonly Known[],
  description: string,
): TUnsafe<OpenEnum<Known>> {
  return scalar<OpenEnum<Known>>({ type: 'string', enum: known, description });
}

/** A field that may be null: no value, which is not zero. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const shape = toShape(schema);
  return scalar<Static<Schema> | null>({ ...shape, type: [shape.type, 'null'] as readonly JsonType[] });
}

/**
 * A field that the exchange never sends as null. Null replaces an impossible value, so that the rest of the row can be
 * used.
 */
export function withholdable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const own = { ...toShape(schema) };
  withholdables.add(own);
  return scalar<Static<Schema> | null>(own);
}

const withholdables = new WeakSet<object>();

/** Returns whether null may replace an impossible value of the field. */
export function mayBeWithheld(shape: Shape): boolean {
  return withholdables.has(shape) || (typeof shape.type !== 'string' && shape.type?.includes('null') === true);
}

/** A condition that values of a row must satisfy together. */
export interface Agreement {
  /** Paths of the values, such as `ohlc.close`. They are withheld if they contradict each other. */
  readonly paths: readonly string[];
  readonly expected: string;
  /** Returns the contradiction; null if there is none, or if one of the values deviates by itself. */
  readonly findConflict: (row: Readonly<Record<string, unknown>>) => string | null;
}

const agreements = new WeakMap<object, readonly Agreement[]>();

/** Adds conditions that the values of a row must satisfy together. */
export function agreeing<Row extends TSchema>(row: Row, ...all: readonly Agreement[]): Row {
  agreements.set(row, all);
  return row;
}

export function agreementsOf(shape: Shape): readonly Agreement[] {
  return agreements.get(shape) ?? [];
}

/** An object with known fields, which are required unless wrapped in `optional`. */
export function row<Fields extends TProperties>(title: string, description: string, fields: Fields): TObject<Fields> {
  const properties = fields as Readonly<Record<string, Shape>>;
  const required = Object.entries(properties).flatMap(([name, field]) => (optionals.has(field) ? [] : [name]));
  const shape: Shape = {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    title,
    description,
    additionalProperties: false,
  };
  return shape as TObject<Fields>;
}

/** A row with only some required fields. */
export function partialRow<Row extends TSchema, Field extends keyof Static<Row> & string>(
  title: string,
  whole: Row,
  required: readonly Field[],
): TUnsafe<Pick<Static<Row>, Field> & Partial<Omit<Static<Row>, Field>>> {
  return scalar({ ...toShape(whole), title, required });
}

/** A list of rows of one kind. */
export function list<Row extends TSchema>(item: Row): TArray<Row> {
  const shape: Shape = { type: 'array', items: toShape(item) };
  return shape as TArray<Row>;
}

/** Returns a schema as plain JSON Schema. */
export function toShape(schema: TSchema): Shape {
  return schema;
}

const optionals = new WeakSet<object>();

/** A field that may be absent. */
export function optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  const own = { ...schema };
  optionals.add(own);
  return own as TOptional<Schema>;
}

export type { Static, TSchema };
