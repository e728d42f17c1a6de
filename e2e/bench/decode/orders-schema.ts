import { typesOf } from '../../../src/contract/parse/check.ts';
import { Order } from '../../../src/contract/exchange/order.ts';
import { toShape, type Shape } from '../../../src/contract/exchange/schema.ts';

/** The part of the schema that every contender checks: the JSON type of each field, and the words of the interface. */
export const ordersSchema = { type: 'array', items: toTypesAndWords(toShape(Order)) };

function toTypesAndWords(row: Shape) {
  const fields = Object.entries(row.properties ?? {}).map(([name, field]) => [name, toField(field)] as const);
  return { type: 'object', properties: Object.fromEntries(fields), required: [...(row.required ?? [])] };
}

function toField(field: Shape) {
  if (field.enum) return { enum: [...field.enum] };
  const types = typesOf(field).map((type) => ({ type: type === 'integer' ? 'number' : type }));
  return types.length === 1 ? types[0] : { anyOf: types };
}
