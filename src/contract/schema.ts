import { Array as ArrayOf, Object as ObjectOf, Optional, Unsafe } from 'typebox';
import type { Static, TArray, TObject, TProperties, TSchema, TUnsafe } from 'typebox';
import type { Word } from './brand.ts';

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
  readonly format?: 'date-time' | 'date';
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly 'x-unit'?: Unit;
}

/** The types of JSON Schema: an integer is a number without a fraction. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

/** A value that is one JSON string or number, with the TypeScript type that carries its meaning. */
export function scalar<T>(shape: Shape): TUnsafe<T> {
  return Unsafe<T>(shape);
}

/** A word the interface lists. Strict reading refuses others; tolerant reading passes them and reports them. */
export function word<const Known extends string>(known: readonly Known[], description: string): TUnsafe<Word<Known>> {
  return Unsafe<Word<Known>>({ type: 'string', enum: known, description });
}

/** A field that is null while there is nothing to tell. Null is not zero. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const shape = toShape(schema);
  return Unsafe<Static<Schema> | null>({ ...shape, type: [shape.type, 'null'] });
}

/** A resource: an object of known fields, all required unless wrapped in `optional`. */
export function row<Fields extends TProperties>(title: string, description: string, fields: Fields): TObject<Fields> {
  return ObjectOf(fields, { title, description, additionalProperties: false });
}

/** A resource of which only some fields are sure to be there. */
export function partly<Row extends TSchema, Sure extends keyof Static<Row> & string>(
  title: string,
  whole: Row,
  sure: readonly Sure[],
): TUnsafe<Pick<Static<Row>, Sure> & Partial<Omit<Static<Row>, Sure>>> {
  return Unsafe({ ...toShape(whole), title, required: sure });
}

/** Rows of one kind. */
export function list<Row extends TSchema>(item: Row): TArray<Row> {
  return ArrayOf(item);
}

/** A schema seen as the plain JSON Schema that it is. */
export function toShape(schema: TSchema): Shape {
  return schema;
}

/** A field that may be absent. */
export const optional = Optional;

export type { Static, TSchema };
