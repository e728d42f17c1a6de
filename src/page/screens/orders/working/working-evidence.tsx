import { isPresent, type OrderRow } from '#model/orders/order-row.ts';
import { EvidenceDialog } from '#page/panels/evidence/evidence-dialog.tsx';
import { describeFilters } from '#model/tables/orders/filter-text.ts';
import type { Column } from '#model/tables/orders/column-kinds.ts';
import { useListed } from '../export/use-listed.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import { divideFilters, isAsked } from '#model/tables/orders/order-evidence.ts';
import { toFileContents } from '../export/file-contents.ts';
import { workingReader, type WorkingSubject } from '#page/panels/evidence/read-orders.ts';

export interface WorkingEvidenceProps {
  readonly list: Pick<ListControl, 'state' | 'link'>;
  readonly columns: readonly Column[];
  /** All rows, and those that pass the filter. */
  readonly rows: readonly OrderRow[];
  readonly matching: readonly OrderRow[];
  readonly close: () => void;
}

export function WorkingEvidence({ close, ...list }: WorkingEvidenceProps) {
  const { toArranged, contents } = useWorkingEvidence(list, 'the exchange');
  const toSubject = (): WorkingSubject => ({ screen: 'orders', ...toArranged() });
  const reads = 'The working set is read again, with what its figures depend on. Orders that are gone are not in it.';
  return (
    <EvidenceDialog
      offer={{ title: 'Working orders', toSubject, reader: workingReader, contents, reads }}
      close={close}
    />
  );
}

/** Returns how a list of working orders is arranged, and which orders its evidence contains. */
export function useWorkingEvidence(
  { list, columns, rows, matching }: Omit<WorkingEvidenceProps, 'close'>,
  by: 'the exchange' | 'the journal',
) {
  const toListed = useListed(list);
  const { sorts, grouping } = list.state;
  const { query, left, asked } = divideFilters(list.state);
  const held = rows.filter((row) => isPresent(row) && isAsked(query, row.order));
  const contents = toFileContents({
    noun: 'working order',
    held: held.length,
    shown: matching.filter(isPresent).length,
    accounts: new Set(held.map(({ order }) => order.account_id)).size,
    by,
    asked: describeFilters(columns, { filters: asked, quick: '' }),
    left: describeFilters(columns, left),
  });
  return { toArranged: () => ({ ...toListed(), query, sorts, grouping }), contents };
}
