import { useEffect, useRef, useState } from 'react';
import { countOf, formatCount } from '#domain/format-count.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { LaterDialog } from '#ui/later-dialog.tsx';
import { useAnnounced } from '#ui/live-region.tsx';
import { download } from '#ui/download.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import type { GridState } from '#ui/grid/grid-state.ts';
import { Completeness } from './completeness.tsx';
import { toSetWord, toStatement } from './completeness-statement.ts';
import { exportOrders } from './export-orders.ts';
import { describeFilters } from './filter-text.ts';
import styles from './orders.module.css';
import type { WorkingSnapshot } from './use-working.ts';

interface ExportDialogProps {
  readonly rows: readonly OrderRow[];
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly state: GridState;
  readonly shown: WorkingSnapshot;
  readonly close: () => void;
}

/** All that is filtered, as a file, with a statement of completeness beside it. */
export function ExportDialog({ rows, columns, state, shown, close }: ExportDialogProps) {
  // What is exported is what was there when the dialog was opened.
  const [subject] = useState({ rows, shown });
  const [done, setDone] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useAnnounced(failure, true);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    setDone(0);
    setFailure(null);
    try {
      const csv = await exportOrders({ rows: subject.rows, set: toSetWord(subject.shown.proof), signal: stop.signal, report: setDone, pause });
      if (csv !== null) {
        giveFiles(csv, subject, describeFilters(columns, state));
        close();
      }
    } catch (error) {
      setFailure(`The export failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    running.current = null;
    setDone(null);
  };
  return (
    <LaterDialog title="Export" close={close}>
      <div className={styles['form']}>
        <p>
          {formatCount(subject.rows.length)} of {countOf(subject.shown.rows.length, 'working order')}, as CSV: fields as they came and figures in USD. Beside it a file that says whether this is all. <Completeness proof={subject.shown.proof} />
        </p>
        {failure !== null && <p>{failure}</p>}
        {done === null ? (
          <button type="button" onClick={() => void run()}>
            Export {countOf(subject.rows.length, 'order')}
          </button>
        ) : (
          <>
            <progress max={subject.rows.length} value={done} aria-label="Exported" />
            <button
              type="button"
              onClick={() => {
                running.current?.abort();
              }}
            >
              Cancel
            </button>
          </>
        )}
      </div>
    </LaterDialog>
  );
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

interface Subject {
  readonly rows: readonly OrderRow[];
  readonly shown: WorkingSnapshot;
}

function giveFiles(csv: string, { rows, shown }: Subject, filters: readonly string[]): void {
  const { proof, source } = shown;
  const stamp = (proof.readTo ?? new Date(source.receivedAt).toISOString()).replaceAll(':', '').slice(0, 17);
  const name = `working-orders-${stamp}Z${proof.complete ? '' : '-INCOMPLETE'}`;
  download(`${name}.csv`, csv);
  const statement = { proof, exported: rows.length, file: `${name}.csv`, filters, exportedAt: new Date().toISOString(), request: source.target };
  download(`${name}.completeness.json`, toStatement(statement), 'application/json');
}
