import type { WireOrder } from '../lib/wire-orders.ts';

/** The columns that every contender shows: the same fields, widths and texts. */
export interface BenchColumn {
  readonly key: keyof WireOrder;
  readonly width: number;
  readonly kind: 'text' | 'number' | 'time';
  readonly format: (order: WireOrder) => string;
}

export const ROW_PX = 28;

const figures = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 5 });

type NumberKey = 'price' | 'avg_price' | 'quantity_requested' | 'quantity_filled';
type TimeKey = 'time' | 'last_modified';

function text(key: Exclude<keyof WireOrder, NumberKey>, width: number): BenchColumn {
  return { key, width, kind: 'text', format: (order) => String(order[key]) };
}

function number(key: NumberKey, width: number): BenchColumn {
  const format = (order: WireOrder): string => {
    const value = order[key];
    return value === null ? '' : figures.format(value);
  };
  return { key, width, kind: 'number', format };
}

function time(key: TimeKey): BenchColumn {
  return { key, width: 175, kind: 'time', format: (order) => new Date(order[key]).toISOString() };
}

export const COLUMNS: readonly BenchColumn[] = [
  text('symbol', 130),
  time('time'),
  time('last_modified'),
  text('product_id', 75),
  text('product_type', 85),
  text('id', 170),
  text('connection_id', 130),
  text('clearing_firm_code', 80),
  text('account_id', 90),
  text('open_ack_id', 170),
  text('side', 50),
  number('price', 90),
  number('avg_price', 100),
  number('quantity_requested', 85),
  number('quantity_filled', 85),
  text('status', 90),
  text('time_in_force', 50),
];

export const ID_PLACE = COLUMNS.findIndex(({ key }) => key === 'id');
