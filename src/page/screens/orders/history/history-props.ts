import type { RefObject } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import type { GridHandle } from '#page/kit/grid/grid-props.ts';
import type { GridTable } from '#page/kit/grid/grid-table.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import type { HistoryQuery } from '#model/tables/orders/history-query.ts';
import type { HistoryLines } from './use-history-lines.ts';
import type { HistoryWindow } from './use-history-window.ts';

export interface HistoryToolsProps {
  readonly list: ListControl;
  readonly table: GridTable<OrderRow>;
  readonly loaded: readonly OrderRow[];
  readonly history: HistoryWindow;
  readonly query: HistoryQuery;
  readonly found: HistoryLines;
  readonly terms: TermsOf;
  readonly grid: RefObject<GridHandle | null>;
}

export const HISTORY_DIALOGS = ['filter', 'columns', 'until', 'export', 'evidence'] as const;
export type HistoryDialogName = (typeof HISTORY_DIALOGS)[number];
