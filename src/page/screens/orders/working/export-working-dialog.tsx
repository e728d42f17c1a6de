import type { OrderRow } from '#model/orders/order-row.ts';
import type { OrderSnapshot } from '../shared/order-snapshot.ts';
import { CompletenessBadge } from './completeness.tsx';
import {
  ExportOrdersDialog,
  toStamp,
  type ExportDialogProps,
  type ExportSubject,
} from '../export/export-orders-dialog.tsx';
import { toSetWord } from '#model/orders/working-set.ts';
import { toWorkingStatement } from '#model/tables/orders/export-working.ts';

interface WorkingExport {
  readonly rows: readonly OrderRow[];
  readonly shown: OrderSnapshot;
  readonly isStale: boolean;
}

/** Exports the filtered orders of the latest reading. */
export function ExportWorkingDialog({
  rows,
  shown,
  isStale,
  ...dialog
}: WorkingExport & Omit<ExportDialogProps, 'subject'>) {
  return <ExportOrdersDialog subject={toSubject({ rows, shown, isStale })} {...dialog} />;
}

function toSubject({ rows, shown, isStale }: WorkingExport): ExportSubject {
  const { completeness, source } = shown;
  const set = toSetWord({ completeness, isStale });
  const at = completeness.readTo ?? new Date(source.receivedAt).toISOString();
  return {
    rows,
    total: completeness.orders,
    badge: <CompletenessBadge completeness={completeness} isStale={isStale} />,
    set,
    name: `working-orders-${toStamp(at)}${set === 'complete' ? '' : `-${set.replaceAll(' ', '-')}`}`,
    toStatement: (file) =>
      toWorkingStatement({ completeness, isStale, exported: rows.length, request: source.target, ...file }),
  };
}
