import { countOf } from '#model/format/count.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { EvidenceDialog } from '#page/panels/evidence/evidence-dialog.tsx';
import type { GridTable } from '#page/kit/grid/grid-props.ts';
import { describeFilters } from '#model/tables/orders/filter-text.ts';
import { toLocalFilter, type HistoryQuery } from '#model/tables/orders/history-query.ts';
import type { HistoryWindow } from './use-history-window.ts';
import { useListed } from '../export/use-listed.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import { toPagesContents } from '../export/file-contents.ts';
import { historyReader, type HistorySubject } from '#page/panels/evidence/read-orders.ts';

interface HistoryEvidenceProps {
  readonly list: Pick<ListControl, 'state' | 'link'>;
  readonly table: Pick<GridTable<OrderRow>, 'columns'>;
  readonly history: Pick<HistoryWindow, 'view'>;
  readonly query: HistoryQuery;
  readonly close: () => void;
}

/** Limited because each page costs a request to the exchange. */
const MOST_PAGES = 20;

export function HistoryEvidence({ list, table, history, query, close }: HistoryEvidenceProps) {
  const toListed = useListed(list);
  const { spans } = history.view.list;
  const pages = Math.min(MOST_PAGES, Math.max(1, spans.length));
  const orders = spans.slice(0, pages).reduce((sum, { count }) => sum + count, 0);
  const contents = toPagesContents({ orders, pages, left: describeFilters(table.columns, toLocalFilter(list.state)) });
  const toSubject = (): HistorySubject => ({ screen: 'history', ...toListed(), query, pages });
  return (
    <EvidenceDialog
      offer={{
        title: 'Order history',
        toSubject,
        reader: historyReader,
        contents,
        reads: describeReads(spans.length, pages),
      }}
      close={close}
    />
  );
}

function describeReads(loaded: number, pages: number): string {
  if (loaded > pages)
    return `Of the ${countOf(loaded, 'page')} loaded, the first ${String(pages)} are read again, one request each.`;
  return pages === 1
    ? 'The page loaded is read again, by one request.'
    : `The ${countOf(pages, 'page')} loaded are read again, one request each.`;
}
