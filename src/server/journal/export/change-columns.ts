import type { ColumnSource, SchemaElement } from 'hyparquet-writer';
import type { OrderChange } from '#contract/desk/journal.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';

/** A change as it was received: its orders are texts of JSON. */
export interface ChangeTexts extends Pick<OrderChange, 'kind' | 'order_id' | 'read_after' | 'read_by' | 'fields'> {
  readonly before: string | null;
  readonly order: string;
}

interface ChangeColumn {
  readonly name: string;
  readonly type: 'text' | 'instant' | 'integer' | 'number';
  readonly nullable: boolean;
  readonly read: (change: ChangeTexts) => unknown;
}

/** Ids and the times of the exchange are texts: no other type of a file keeps all of their digits. */
const TEXTS = [
  'symbol',
  'product_type',
  'side',
  'account_id',
  'clearing_firm_code',
  'connection_id',
  'status',
  'time_in_force',
  'time',
  'last_modified',
  'open_ack_id',
] as const;
/** Those that change, so that they are shown as they were, too. */
const NUMBERS = [
  ['price', 'integer'],
  ['quantity_requested', 'integer'],
  ['quantity_filled', 'integer'],
  ['avg_price', 'number'],
] as const;

const COLUMNS: readonly ChangeColumn[] = [
  { name: 'kind', type: 'text', nullable: false, read: ({ kind }) => kind },
  { name: 'order_id', type: 'text', nullable: false, read: ({ order_id: id }) => id },
  { name: 'read_after', type: 'instant', nullable: true, read: ({ read_after: at }) => at },
  { name: 'read_by', type: 'instant', nullable: false, read: ({ read_by: at }) => at },
  { name: 'fields', type: 'text', nullable: false, read: ({ fields }) => fields.join(' ') },
  { name: 'product_id', type: 'integer', nullable: true, read: ({ order }) => valueOf(order, 'product_id') },
  ...TEXTS.map((name): ChangeColumn => ({
    name,
    type: 'text',
    nullable: true,
    read: ({ order }) => valueOf(order, name),
  })),
  ...NUMBERS.flatMap(([name, type]): readonly ChangeColumn[] => [
    {
      name: `before_${name}`,
      type,
      nullable: true,
      read: ({ before }) => (before === null ? null : valueOf(before, name)),
    },
    { name, type, nullable: true, read: ({ order }) => valueOf(order, name) },
  ]),
  // All of it as on the wire, also fields that are not known here.
  { name: 'order', type: 'text', nullable: false, read: ({ order }) => order },
];

const ELEMENTS: Readonly<Record<ChangeColumn['type'], Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
};

export const CHANGE_SCHEMA: readonly SchemaElement[] = [
  { name: 'changes', num_children: COLUMNS.length },
  ...COLUMNS.map(({ name, type, nullable }): SchemaElement => ({
    name,
    ...ELEMENTS[type],
    repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
  })),
];

export function toColumns(changes: readonly ChangeTexts[]): ColumnSource[] {
  return COLUMNS.map(({ name, type, read }) => ({ name, data: changes.map((change) => toCell(type, read(change))) }));
}

/** A value of another type than its column’s is left out of it: it still stands in `order`. */
function toCell(type: ChangeColumn['type'], value: unknown): unknown {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : null;
    case 'instant':
      return typeof value === 'string' ? new Date(value) : null;
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
  }
}

function valueOf(row: string, field: string): unknown {
  const text = fieldOf(row, field);
  return text === undefined ? null : (JSON.parse(text) as unknown);
}
