import type { GridState } from '#model/tables/grid-state.ts';
import { toText } from '../history/query-fields.tsx';

/** Columns by which the journal can filter its counts, and its names for them. */
const SCOPE_COLUMNS = {
  product: 'symbol',
  type: 'product_type',
  account: 'account_id',
  firm: 'clearing_member_code',
  connection: 'connection_id',
} as const;

/** The filters of a request. */
export type ActivityScope = Readonly<Partial<Record<(typeof SCOPE_COLUMNS)[keyof typeof SCOPE_COLUMNS], string>>>;

export function toScope({ filters }: Pick<GridState, 'filters'>): ActivityScope {
  const pairs = Object.entries(SCOPE_COLUMNS).map(([column, name]) => [name, toText(filters[column])] as const);
  return Object.fromEntries(pairs.filter(([, text]) => text !== ''));
}

/** Columns of an address whose filters the journal cannot count by, or its text search as `quick`. */
export function findUncountable({ filters, quick }: Pick<GridState, 'filters' | 'quick'>): readonly string[] {
  const columns = Object.keys(filters).filter((id) => !(id in SCOPE_COLUMNS) || toText(filters[id]) === '');
  return quick.trim() === '' ? columns : [...columns, 'quick'];
}
