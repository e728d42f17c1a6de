import { Order } from '../exchange/order.ts';
import { mayBeWithheld, type Shape, toShape } from '../exchange/schema.ts';

/** A field of an order, as expressions of rules use it. */
export interface ExpressionField {
  readonly name: string;
  readonly type: 'number' | 'text' | 'time as text';
  /** Null for a text, and for a number without a unit. */
  readonly unit: string | null;
  /** The values that the interface lists; empty if it lists none. */
  readonly values: readonly string[];
  /** Whether it can be null, which no comparison but `!= null` and `== null` accepts. */
  readonly isNullable: boolean;
  readonly description: string;
}

/** All fields of an order. An expression can use no others. */
export const EXPRESSION_FIELDS: readonly ExpressionField[] = Object.entries(toShape(Order).properties ?? {}).map(
  ([name, shape]) => ({
    name,
    type: toType(shape),
    unit: shape['x-unit'] ?? null,
    values: shape.enum ?? [],
    isNullable: mayBeWithheld(shape),
    description: shape.description ?? '',
  }),
);

function toType({ type, format }: Shape): ExpressionField['type'] {
  const types: readonly unknown[] = typeof type === 'string' ? [type] : (type ?? []);
  if (!types.includes('string')) return 'number';
  return format === 'date-time' ? 'time as text' : 'text';
}

/** Functions that expressions may use. Others could take any time, and are refused. */
export const EXPRESSION_FUNCTIONS = [
  'startsWith',
  'endsWith',
  'contains',
  'size',
  'has',
  'double',
  'int',
  'string',
  'timestamp',
  'duration',
] as const;
