import type { OrderRow } from '../../orders/order-row.ts';
import type { GridColumn, GridFilter, GridState } from '../grid.ts';
import { countMatches } from './column-facts.ts';

/** A ready-made filter of one or a few columns. */
export interface QuickFilter {
  readonly label: string;
  /** Filters by column. */
  readonly filters: GridState['filters'];
}

interface QuickFilterGroup {
  readonly heading: string;
  /** Explains what a user might not expect. */
  readonly note?: string;
  readonly filters: readonly QuickFilter[];
}

export const QUICK_FILTERS: readonly QuickFilterGroup[] = [
  {
    heading: 'Far from the market',
    note: 'A spread’s price is a difference, so its distance is in ticks.',
    filters: [
      { label: '5 % or more away', filters: { distance: atLeast(5) } },
      { label: '20 % or more away', filters: { distance: atLeast(20) } },
      { label: 'Spreads 50 ticks or more away', filters: { type: is('Spread'), distanceTicks: atLeast(50) } },
      { label: 'Spreads 200 ticks or more away', filters: { type: is('Spread'), distanceTicks: atLeast(200) } },
    ],
  },
  {
    heading: 'Old',
    filters: [
      { label: 'Accepted more than 1 day ago', filters: { time: before('1 d ago') } },
      { label: 'Accepted more than 1 week ago', filters: { time: before('1 w ago') } },
      { label: 'Accepted more than 30 days ago', filters: { time: before('30 d ago') } },
      { label: 'Accepted more than 365 days ago', filters: { time: before('365 d ago') } },
    ],
  },
  {
    heading: 'Large',
    filters: [
      { label: 'Underlying notional 100,000 USD or more', filters: { underlying: atLeast(100_000) } },
      { label: 'Underlying notional 1,000,000 USD or more', filters: { underlying: atLeast(1_000_000) } },
    ],
  },
  {
    heading: 'Possible duplicates',
    filters: [
      { label: 'Same account, product, side and price', filters: { duplicates: atLeast(1) } },
      { label: 'Same quantity too', filters: { twins: atLeast(1) } },
    ],
  },
];

function atLeast(from: number): GridFilter {
  return { kind: 'between', from, to: null };
}

function before(to: string): GridFilter {
  return { kind: 'within', from: '', to };
}

function is(text: string): GridFilter {
  return { kind: 'is', texts: [text] };
}

/** Counts the rows that a quick filter finds; null if no row has a value to filter by. */
export function countFound(
  rows: readonly OrderRow[],
  columns: readonly GridColumn<OrderRow>[],
  { filters }: QuickFilter,
): number | null {
  const filtered = columns.filter(({ id }) => id in filters);
  if (rows.length > 0 && filtered.some((column) => rows.every((row) => column.value(row) === null))) return null;
  return countMatches(rows, filtered, filters);
}

/** Whether a quick filter is applied to the list. */
export function isOn({ filters }: QuickFilter, state: Pick<GridState, 'filters'>): boolean {
  return Object.entries(filters).every(([id, filter]) => isSame(state.filters[id], filter));
}

/** Adds a quick filter to the list, or removes it. */
export function toggleQuickFilter<State extends Pick<GridState, 'filters'>>(
  state: State,
  quick: QuickFilter,
  on: boolean,
): State {
  const others = Object.entries(state.filters).filter(([id]) => !(id in quick.filters));
  return { ...state, filters: { ...Object.fromEntries(others), ...(on && quick.filters) } };
}

function isSame(a: GridFilter | undefined, b: GridFilter): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
