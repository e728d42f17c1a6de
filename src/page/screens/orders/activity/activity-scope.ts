import type { GridState } from '#model/tables/grid.ts';
import { toText } from '../history/query-fields.tsx';

/** Maps the columns by which the journal can filter its counts to the names of its parameters. */
const SCOPE_COLUMNS = {
  product: 'symbol',
  type: 'product_type',
  account: 'account_id',
  firm: 'clearing_member_code',
  connection: 'connection_id',
} as const;

/** The filters of a request for counts. */
export type ActivityScope = Readonly<Partial<Record<(typeof SCOPE_COLUMNS)[keyof typeof SCOPE_COLUMNS], string>>>;

export function toScope({ filters }: Pick<GridState, 'filters'>): ActivityScope {
  const pairs = Object.entries(SCOPE_COLUMNS).map(([column, name]) => [name, toText(filters[column])] as const);
  return Object.fromEntries(pairs.filter(([, text]) => text !== ''));
}

/** Returns the columns whose filters the journal cannot apply to counts; `quick` stands for the text search. */
export function findUncountable({ filters, quick }: Pick<GridState, 'filters' | 'quick'>): readonly string[] {
  const columns = Object.keys(filters).filter((id) => !(id in SCOPE_COLUMNS) || toText(filters[id]) === '');
  return quick.trim() === '' ? columns : [...columns, 'quick'];
}
