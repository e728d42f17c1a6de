import type { GridFilter } from '../grid-state.ts';
import { isLocal, QUERY_COLUMNS } from './history-query.ts';
import { toReportedType } from './type-filter.ts';

const LOADED_ONLY = 'Applies to loaded orders only.';

/** Who applies the filter of a column: the exchange, or this page to the orders loaded so far. */
export function describeScope(columnId: string, filter: GridFilter | undefined): string {
  if (columnId === 'time') return `${LOADED_ONLY} To have the exchange filter by time, set From and To above the list.`;
  if (!(columnId in QUERY_COLUMNS)) return LOADED_ONLY;
  if (filter === undefined)
    return 'The exchange filters by one exact value. Several values, or “Contains”, apply to loaded orders only.';
  if (!isLocal(columnId, filter)) return 'Filtered by the exchange.';
  const reported = columnId === 'type' ? toReportedType(filter) : null;
  return reported === null
    ? `${LOADED_ONLY} The exchange filters by one value.`
    : `The exchange filters by ${reported.type}, which includes perpetuals; the rest applies to loaded orders only.`;
}
