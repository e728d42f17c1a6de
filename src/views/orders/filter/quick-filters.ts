import type { OrderRow } from '#domain/orders/order-row.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import type { GridFilter } from '#ui/grid/grid-state.ts';
import { countMatches } from './column-facts.ts';

/** A ready-made filter of one column. */
export interface QuickFilter {
  readonly label: string;
  readonly columnId: string;
  readonly filter: GridFilter;
}

interface QuickFilterGroup {
  readonly heading: string;
  /** What a reader might not expect. */
  readonly note?: string;
  readonly filters: readonly QuickFilter[];
}

export const QUICK_FILTERS: readonly QuickFilterGroup[] = [
  {
    heading: 'Far from the market',
    note: 'Spreads have no distance in percent.',
    filters: [
      { label: '5 % or more away', columnId: 'distance', filter: atLeast(5) },
      { label: '20 % or more away', columnId: 'distance', filter: atLeast(20) },
    ],
  },
  {
    heading: 'Old',
    filters: [
      { label: 'Accepted more than 1 day ago', columnId: 'time', filter: { kind: 'within', from: '', to: '1 d ago' } },
      { label: 'Accepted more than 1 week ago', columnId: 'time', filter: { kind: 'within', from: '', to: '1 w ago' } },
    ],
  },
  {
    heading: 'Large',
    filters: [
      { label: 'Underlying notional 100,000 USD or more', columnId: 'underlying', filter: atLeast(100_000) },
      { label: 'Underlying notional 1,000,000 USD or more', columnId: 'underlying', filter: atLeast(1_000_000) },
    ],
  },
  {
    heading: 'Duplicates',
    filters: [{ label: 'Same account, product, side and price', columnId: 'duplicates', filter: atLeast(1) }],
  },
];

function atLeast(from: number): GridFilter {
  return { kind: 'between', from, to: null };
}

/** How many rows a quick filter finds; null if no row has a value to filter by. */
export function countFound(rows: readonly OrderRow[], columns: readonly GridColumn<OrderRow>[], { columnId, filter }: QuickFilter): number | null {
  const column = columns.find(({ id }) => id === columnId);
  if (column === undefined || (rows.length > 0 && rows.every((row) => column.value(row) === null))) return null;
  return countMatches(rows, column, filter);
}

export function isSame(a: GridFilter | undefined, b: GridFilter): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
