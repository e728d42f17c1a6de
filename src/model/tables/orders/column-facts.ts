import type { GridColumn, GridFilter, GridState } from '../grid.ts';
import type { OrderRow } from '../../orders/order-row.ts';
import { toRowFilter, toWordOf } from '../row-filter.ts';

/** The texts of the two fields while they are edited. Both bounds are inclusive. */
interface BoundTexts {
  readonly from: string;
  readonly to: string;
}

export const NO_BOUNDS: BoundTexts = { from: '', to: '' };

/** Returns null if neither field has a bound. */
export function toBoundsFilter({ from, to }: BoundTexts): GridFilter | null {
  const bounds = { from: toBound(from), to: toBound(to) };
  return bounds.from === null && bounds.to === null ? null : { kind: 'between', ...bounds };
}

/** Returns the edited text as long as it means the same as the filter (`5.` for 5), else the filter’s own bound. */
export function toBoundTexts(filter: GridFilter | undefined, written: BoundTexts): BoundTexts {
  if (filter?.kind !== 'between') return NO_BOUNDS;
  return { from: toText(filter.from, written.from), to: toText(filter.to, written.to) };
}

function toText(bound: number | null, written: string): string {
  if (toBound(written) === bound) return written;
  return bound === null ? '' : String(bound);
}

function toBound(text: string): number | null {
  return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
}

const collator = new Intl.Collator('en', { numeric: true });

/** Counts the values of a column, the most frequent first. */
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

/** Finds the least and the greatest value of a column; null if no row has one. */
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

/** Counts the rows that pass the filters of some columns. */
export function countMatches(
  rows: readonly OrderRow[],
  columns: readonly GridColumn<OrderRow>[],
  filters: GridState['filters'],
): number {
  const passes = toRowFilter(columns, { filters, quick: '' });
  return rows.reduce((count, row) => count + Number(passes?.(row) ?? true), 0);
}
