import { type BookComparison, type Difference, DIFFERENCES } from '../../orders/past-books.ts';
import type { GridState } from '../grid.ts';
import type { OrderRow } from '../../orders/order-row.ts';
import { toRowFilter } from '../row-filter.ts';
import { type Column, textColumn } from './column-kinds.ts';
import { NO_VALUE } from '../../format/number.ts';
import { describeChange } from '../../orders/order-life.ts';
import type { CompletenessCheck } from '../../orders/working-set.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { AddedColumns } from './export-working.ts';

export const DIFFERENCE_NAMES: Readonly<Record<Difference, string>> = {
  added: 'Added',
  changed: 'Changed',
  gone: 'Gone',
  same: 'Unchanged',
};

const NAMES = DIFFERENCES.map((kind) => DIFFERENCE_NAMES[kind]);

/** Creates columns of how an order differs, and of what its fields were before. */
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
      // On a phone, pinned columns leave no space for the others.
      ...(!isNarrow && { pinned: 'start' }),
      tooltip:
        'Added: working at the later time only. Gone: working at the earlier time only; the row shows ' +
        'the order as it was then. Changed: a field differs. What happened between the two times and was ' +
        'undone is not seen.',
    },
    {
      ...textColumn('edits', 'Before → after', 220, editsOf),
      tooltip:
        'The fields that differ, as they were at the earlier and at the later time. “Last modified” ' +
        'alone is not listed.',
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
  const readBy = source.respondedAt ?? order.time;
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

/** Adds columns to the export: the difference, the changed fields, and the figures at the earlier time. */
export function toAddedColumns({ differences }: BookComparison, earlier: EarlierBook): AddedColumns {
  const comparedWith = earlier.completeness.readTo;
  return {
    heading: [
      'difference',
      'compared_with_at',
      'changed_fields',
      'price_ticks_before',
      'avg_price_ticks_before',
      'order_quantity_contracts_before',
      'filled_quantity_contracts_before',
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

export interface StepFilter {
  readonly symbol: string | null;
  /** Whether this filter is as narrow as the list’s. If not, changes of orders outside the list count too. */
  readonly isWhole: boolean;
}

/**
 * Returns the filter that the journal can apply to its changes: one product. A request that named an account would end
 * up in a log.
 */
export function toStepFilter({ filters, quick }: Pick<GridState, 'filters' | 'quick'>): StepFilter {
  const { product } = filters;
  const others = Object.keys(filters).filter((column) => !['product', 'change', 'edits'].includes(column));
  const symbol = product?.kind === 'is' && product.texts.length === 1 ? (product.texts[0] ?? null) : null;
  return { symbol, isWhole: quick === '' && others.length === 0 && (product === undefined || symbol !== null) };
}

/** A list that shows no orders because none of them differs. */
export interface Unchanged {
  /** The orders that pass all other filters. */
  readonly rows: readonly OrderRow[];
  readonly isFiltered: boolean;
}

/**
 * Explains an empty comparison: no order that passes the other filters differs. Null means that no order passes them,
 * or that they hide differences.
 */
export function findUnchanged(
  { rows, differences }: BookComparison,
  columns: readonly Column[],
  { filters, quick }: Pick<GridState, 'filters' | 'quick'>,
): Unchanged | null {
  if (rows.length > 0 && !hidesUnchanged(filters)) return null;
  const others = withoutDifferences(filters);
  const left = rows.filter(toRowFilter(columns, { filters: others, quick }) ?? (() => true));
  if (rows.length > 0 && left.length === 0) return null;
  const isSame = left.every(({ order }) => differences.get(order.id)?.kind === 'same');
  return isSame ? { rows: left, isFiltered: quick !== '' || Object.keys(others).length > 0 } : null;
}

/** Drops the filters of columns that only a comparison has. */
export function withoutDifferences(filters: GridState['filters']): GridState['filters'] {
  return Object.fromEntries(Object.entries(filters).filter(([column]) => !DIFFERENCE_COLUMNS.includes(column)));
}

const DIFFERENCE_COLUMNS: readonly string[] = ['change', 'edits'];

/** Whether a filter of a comparison’s own column hides unchanged orders. */
function hidesUnchanged({ change, edits }: GridState['filters']): boolean {
  return edits !== undefined || (change?.kind === 'is' && !change.texts.includes(DIFFERENCE_NAMES.same));
}
