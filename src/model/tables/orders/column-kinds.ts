import type { OrderRow } from '../../orders/order-row.ts';
import type { GridColumn } from '../grid.ts';

export type Column = GridColumn<OrderRow>;

/** The characters of ids. */
export const DIGITS = /\d/;

export function textColumn(id: string, title: string, width: number, text: Column['text'], alphabet?: RegExp): Column {
  return { id, title, kind: 'text', width, text, value: text, ...(alphabet && { alphabet }) };
}

export function numberColumn(
  id: string,
  title: string,
  width: number,
  value: (row: OrderRow) => number | null,
): Column {
  const text: Column['text'] = (row) => String(value(row));
  return { id, title, kind: 'number', width, text, value };
}

export function quiet(): string {
  return 'quiet';
}
