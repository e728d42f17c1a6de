import { useEffect, useRef, useState } from 'react';
import { countOf, formatCount } from '#domain/format/count.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { LazyDialog } from '#ui/lazy.tsx';
import { useAnnounced } from '#ui/live-region.tsx';
import { download } from '#ui/download.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import type { GridState } from '#ui/grid/grid-state.ts';
import { CompletenessBadge } from '../working/completeness.tsx';
import { toSetWord, toWorkingStatement } from './working-statement.ts';
import { exportWorking } from './export-working.ts';
import { describeFilters } from '../filter/filter-text.ts';
import { FormChoice, useCsvForm } from './form-choice.tsx';
import styles from '../orders.module.css';
import type { WorkingSnapshot } from '../working/use-working.ts';

interface ExportDialogProps {
  readonly rows: readonly OrderRow[];
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly state: GridState;
  readonly shown: WorkingSnapshot;
  readonly isStale: boolean;
  readonly close: () => void;
}

/** Exports the filtered orders, with a completeness report. */
export function ExportWorkingDialog({ rows, columns, state, shown, isStale, close }: ExportDialogProps) {
  // The export is of the orders at the time the dialog opened.
  const [subject] = useState({ rows, shown, isStale });
  const [done, setDone] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useAnnounced(failure, true);
  const [form, setForm] = useCsvForm();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    setDone(0);
    setFailure(null);
    try {
      const csv = await exportWorking({ rows: subject.rows, set: toSetWord({ completeness: subject.shown.completeness, isStale: subject.isStale }), form, signal: stop.signal, report: setDone, pause });
      if (csv !== null) {
        downloadFiles(csv, subject, describeFilters(columns, state));
        close();
      }
    } catch (error) {
      setFailure(`Export failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    running.current = null;
    setDone(null);
  };
  return (
    <LazyDialog title="Export" close={close}>
      <div className={styles['form']}>
        <p>
          {formatCount(subject.rows.length)} of {countOf(subject.shown.rows.length, 'working order')}, as CSV, plus a completeness report (JSON). <CompletenessBadge completeness={subject.shown.completeness} isStale={subject.isStale} />
        </p>
        {done === null && <FormChoice form={form} set={setForm} />}
        {failure !== null && <p>{failure}</p>}
        {done === null ? (
          <button type="button" onClick={() => void run()}>
            Export {countOf(subject.rows.length, 'order')}
          </button>
        ) : (
          <>
            <progress max={subject.rows.length} value={done} aria-label="Export progress" />
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
    </LazyDialog>
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
  readonly isStale: boolean;
}

function downloadFiles(csv: string, { rows, shown, isStale }: Subject, filters: readonly string[]): void {
  const { completeness, source } = shown;
  const stamp = (completeness.readTo ?? new Date(source.receivedAt).toISOString()).replaceAll(':', '').slice(0, 17);
  const word = toSetWord({ completeness, isStale });
  const name = `working-orders-${stamp}Z${word === 'complete' ? '' : `-${word.replaceAll(' ', '-')}`}`;
  download(`${name}.csv`, csv);
  const statement = { completeness, isStale, exported: rows.length, file: `${name}.csv`, filters, exportedAt: new Date().toISOString(), request: source.target };
  download(`${name}.completeness.json`, toWorkingStatement(statement), 'application/json');
}
