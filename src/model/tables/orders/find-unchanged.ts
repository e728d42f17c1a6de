import type { BookComparison } from '../../orders/compare-books.ts';
import type { OrderRow } from '../../orders/order-row.ts';
import type { GridState } from '../grid-state.ts';
import { toRowFilter } from '../row-filter.ts';
import type { Column } from './column-kinds.ts';
import { DIFFERENCE_NAMES } from './difference-names.ts';

/** A list that shows no orders because none of them differs. */
export interface Unchanged {
  /** The orders that all other filters leave. */
  readonly rows: readonly OrderRow[];
  readonly isFiltered: boolean;
}

/** Why a comparison shows no orders: none of those that the other filters leave differs; null: these filters leave none, or hide differences. */
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

/** The filters but for those of what only a comparison has. */
export function withoutDifferences(filters: GridState['filters']): GridState['filters'] {
  return Object.fromEntries(Object.entries(filters).filter(([column]) => !DIFFERENCE_COLUMNS.includes(column)));
}

const DIFFERENCE_COLUMNS: readonly string[] = ['change', 'edits'];

/** Whether a filter of what only a comparison has hides orders that are unchanged. */
function hidesUnchanged({ change, edits }: GridState['filters']): boolean {
  return edits !== undefined || (change?.kind === 'is' && !change.texts.includes(DIFFERENCE_NAMES.same));
}
