import { NO_VALUE } from '../../format/number.ts';
import { DIFFERENCES, type BookComparison } from '../../orders/compare-books.ts';
import { describeChange } from '../../orders/life-phrases.ts';
import type { OrderRow } from '../../orders/order-row.ts';
import type { CompletenessCheck } from '../../orders/working-set.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import type { AddedColumns } from './export-working.ts';
import { textColumn, type Column } from './column-kinds.ts';
import { DIFFERENCE_NAMES } from './difference-names.ts';

const NAMES = DIFFERENCES.map((kind) => DIFFERENCE_NAMES[kind]);

/** How an order differs, and what its fields were before. */
export function createDifferenceColumns({ differences }: BookComparison, isNarrow: boolean): readonly Column[] {
  const nameOf = ({ order }: OrderRow): string => DIFFERENCE_NAMES[differences.get(order.id)?.kind ?? 'same'];
  const known = new WeakMap<OrderRow, string>();
  const editsOf = (row: OrderRow): string => {
    const text = known.get(row) ?? describeEdits(row, differences);
    known.set(row, text);
    return text;
  };
  return [
    {
      ...textColumn('change', 'Change', 92, nameOf, /[a-z]/i),
      compare: (a, b) => NAMES.indexOf(a) - NAMES.indexOf(b),
      // On a phone, pinned columns leave no room for the others.
      ...(!isNarrow && { pinned: 'start' }),
      tooltip:
        'Added: working at the later time only. Gone: working at the earlier time only; the row shows the order as it was then. Changed: a field differs. What happened between the two times and was undone is not seen.',
    },
    {
      ...textColumn('edits', 'Before → after', 220, editsOf),
      tooltip:
        'The fields that differ, as they were at the earlier and at the later time. “Last modified” alone is not listed.',
    },
  ];
}

function describeEdits(row: OrderRow, differences: BookComparison['differences']): string {
  const { order, terms, source } = row;
  const difference = differences.get(order.id);
  if (difference?.kind !== 'changed' || difference.before === null) return NO_VALUE;
  const {
    before: { order: before },
    fields,
  } = difference;
  const readBy = source.answeredAt ?? order.time;
  const phrases = describeChange(
    { kind: 'changed', readAfter: null, readBy, before, order, fields, sinceMs: null },
    { terms, source },
  );
  return phrases.map(({ name, text }) => `${name} ${text}`).join(', ') || 'Last modified';
}

interface EarlierBook {
  readonly completeness: Pick<CompletenessCheck, 'readTo'>;
}

const BEFORE_FIELDS = ['price', 'avg_price', 'quantity_requested', 'quantity_filled'] as const;

/** For the export: the difference, which fields, and the figures as they were at the earlier time. */
export function toAddedColumns({ differences }: BookComparison, earlier: EarlierBook): AddedColumns {
  const comparedWith = earlier.completeness.readTo;
  return {
    heading: [
      'difference',
      'compared_with',
      'changed_fields',
      'price_ticks_before',
      'avg_price_ticks_before',
      'quantity_requested_before',
      'quantity_filled_before',
    ],
    cells: ({ order }) => {
      const { kind = 'same', before = null, fields = [] } = differences.get(order.id) ?? {};
      const figures = BEFORE_FIELDS.map((field) => {
        const digits = before === null ? null : wireText(before.order, field);
        return digits === null ? null : { digits };
      });
      return [DIFFERENCE_NAMES[kind].toLowerCase(), comparedWith, fields.join(' '), ...figures];
    },
  };
}
