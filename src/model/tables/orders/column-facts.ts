import type { OrderRow } from '../../orders/order-row.ts';
import type { GridColumn } from '../grid-column.ts';
import type { GridState } from '../grid-state.ts';
import { toRowFilter, toWordOf } from '../row-filter.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** The values of a column with their counts, the most frequent first. */
export function countValues(
  rows: readonly OrderRow[],
  column: GridColumn<OrderRow>,
): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>();
  const wordOf = toWordOf(column);
  for (const row of rows) {
    const word = wordOf(row);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([a, left], [b, right]) => right - left || collator.compare(a, b));
}

/** The least and the greatest value of a column; null if no row has one. */
export function findExtent(
  rows: readonly OrderRow[],
  { value }: GridColumn<OrderRow>,
): readonly [least: number, greatest: number] | null {
  let [least, greatest] = [Infinity, -Infinity];
  for (const row of rows) {
    const one = value(row);
    if (typeof one !== 'number') continue;
    least = Math.min(least, one);
    greatest = Math.max(greatest, one);
  }
  return least > greatest ? null : [least, greatest];
}

/** How many rows pass the filters of some columns. */
export function countMatches(
  rows: readonly OrderRow[],
  columns: readonly GridColumn<OrderRow>[],
  filters: GridState['filters'],
): number {
  const passes = toRowFilter(columns, { filters, quick: '' });
  return rows.reduce((count, row) => count + Number(passes?.(row) ?? true), 0);
}
