import type { Static, TArray, TObject, TOptional, TProperties, TSchema, TUnsafe } from 'typebox';
import type { Word } from './brand.ts';

/**
 * Schemas are plain JSON Schema; TypeBox tells the TypeScript types that follow from them. Its builders do the same with
 * marks of their own in every field, which nothing here reads and every start of the page would wait for.
 */

/** What a number or text on the wire counts. */
type Unit = 'ticks' | 'usd' | 'cents' | 'contracts' | 'rate per interval' | 'usd per tick';

/**
 * The part of JSON Schema that the interface needs. `check.ts` judges values by it, the validators are compiled from it,
 * and the OpenAPI document prints it.
 */
export interface Shape {
  readonly type?: JsonType | readonly JsonType[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: 'date-time' | 'date' | 'int64' | 'double';
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly additionalProperties?: boolean;
  readonly 'x-unit'?: Unit;
}

/** The types of JSON Schema: an integer is a number without a fraction. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

/** A value that is one JSON string or number, with the TypeScript type that carries its meaning. */
export function scalar<T>(shape: Shape): TUnsafe<T> {
  return shape as TUnsafe<T>;
}

/** A word the interface lists. Strict reading refuses others; tolerant reading passes them and reports them. */
export function word<const Known extends string>(known: readonly Known[], description: string): TUnsafe<Word<Known>> {
  return scalar<Word<Known>>({ type: 'string', enum: known, description });
}

/** A field that is null while there is nothing to tell. Null is not zero. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const shape = toShape(schema);
  return scalar<Static<Schema> | null>({ ...shape, type: [shape.type, 'null'] as readonly JsonType[] });
}

/** A resource: an object of known fields, all required unless wrapped in `optional`. */
export function row<Fields extends TProperties>(title: string, description: string, fields: Fields): TObject<Fields> {
  const properties = fields as Readonly<Record<string, Shape>>;
  const required = Object.entries(properties).flatMap(([name, field]) => (optionals.has(field) ? [] : [name]));
  const shape: Shape = { type: 'object', ...(required.length > 0 && { required }), properties, title, description, additionalProperties: false };
  return shape as TObject<Fields>;
}

/** A resource of which only some fields are sure to be there. */
export function partly<Row extends TSchema, Sure extends keyof Static<Row> & string>(
  title: string,
  whole: Row,
  sure: readonly Sure[],
): TUnsafe<Pick<Static<Row>, Sure> & Partial<Omit<Static<Row>, Sure>>> {
  return scalar({ ...toShape(whole), title, required: sure });
}

/** Rows of one kind. */
export function list<Row extends TSchema>(item: Row): TArray<Row> {
  const shape: Shape = { type: 'array', items: toShape(item) };
  return shape as TArray<Row>;
}

/** A schema seen as the plain JSON Schema that it is. */
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
