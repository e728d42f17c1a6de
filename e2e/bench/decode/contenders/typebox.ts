import { Check } from 'typebox/value';
import { ordersSchema } from '../orders-schema.ts';
import type { Read } from '../read.ts';

export const read: Read = (text) => {
  const rows: unknown = JSON.parse(text);
  return Check(ordersSchema, rows) ? rows : null;
};
