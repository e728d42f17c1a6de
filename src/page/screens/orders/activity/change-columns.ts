import { NO_VALUE } from '#model/format/number.ts';
import { describeChange, type LifeChange, nameChange } from '#model/orders/order-life.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import type { GridColumn } from '#model/tables/grid.ts';
import { formatInstant, type Zone, ZONE_NAMES } from '#model/format/format-time.ts';
import type { ListedChange } from './use-changes.ts';

export interface ChangeRow extends ListedChange {
  readonly life: LifeChange;
  /** The name of the change and its fields: `Price 120 → 125 ticks`. */
  readonly what: string;
}

type Column = GridColumn<ChangeRow>;

export const KIND_NAMES = {
  seen: 'New',
  changed: 'Changed',
  gone: 'No longer working',
  ended: 'How it ended',
  returned: 'Listed again',
  passed: 'From order history',
} as const;

export function createChangeColumns(zone: Zone): readonly Column[] {
  const time = (id: string, title: string, read: (row: ChangeRow) => string | null, tooltip: string): Column => ({
    ...textColumn(id, title, 152, (row) => {
      const instant = read(row);
      return instant === null
        ? NO_VALUE
        : formatInstant(Date.parse(instant), zone).slice(0, '2026-11-26 13:00:00'.length);
    }),
    unit: ZONE_NAMES[zone],
    tooltip,
  });
  return [
    time('readBy', 'Seen at', ({ change }) => change.read_by, 'The reading that showed it.'),
    time(
      'readAfter',
      'Not yet at',
      ({ change }) => change.read_after,
      'The last reading without it: it happened at some moment between the two.',
    ),
    textColumn('kind', 'Kind', 128, ({ change: { kind } }) => nameKind(kind)),
    textColumn('product', 'Product', 148, ({ change: { order } }) => order.symbol),
    {
      ...textColumn('side', 'Side', 56, ({ change: { order } }) => order.side),
      tone: ({ change: { order } }) => (order.side === 'Bid' ? 'bid' : order.side === 'Ask' ? 'ask' : undefined),
    },
    textColumn('what', 'What changed', 340, ({ what }) => what),
    textColumn('account', 'Account', 112, ({ change: { order } }) => order.account_id),
    textColumn('id', 'Order ID', 164, ({ change }) => change.order_id),
    textColumn('firm', 'Clearing firm', 112, ({ change: { order } }) => order.clearing_firm_code),
    textColumn('connection', 'Connection', 120, ({ change: { order } }) => order.connection_id),
    textColumn('type', 'Type', 84, ({ change: { order } }) => order.product_type),
  ];
}

function nameKind(kind: string): string {
  return new Map<string, string>(Object.entries(KIND_NAMES)).get(kind) ?? kind;
}

/** Creates a column without sorting, because the list follows the order of the readings. */
function textColumn(id: string, title: string, width: number, text: (row: ChangeRow) => string): Column {
  return { id, title, kind: 'text', width, text, value: text, unsorted: true };
}

export function toChangeRow(listed: ListedChange, termsOf: TermsOf): ChangeRow {
  const { change, source } = listed;
  const { kind, read_after: readAfter, read_by: readBy, before, order, fields } = change;
  const life = { kind: kind as LifeChange['kind'], readAfter, readBy, before, order, fields, sinceMs: null };
  const phrases = describeChange(life, { terms: termsOf(order), source }).map(({ name, text }) => `${name} ${text}`);
  return { ...listed, life, what: [nameChange(life), ...phrases].filter((part) => part !== null).join(' · ') };
}
