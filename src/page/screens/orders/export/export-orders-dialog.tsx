import { type ReactNode, useEffect, useRef, useState } from 'react';
import { countOf, formatCount } from '#model/format/count.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { download, downloadRows } from '#page/kit/download.ts';
import type { GridColumn, GridState } from '#model/tables/grid.ts';
import { type AddedColumns, exportWorking, type StatementSubject } from '#model/tables/orders/export-working.ts';
import { describeFilters } from '#model/tables/orders/filter-text.ts';
import { FormChoice, useCsvForm } from './form-choice.tsx';
import styles from '../shared/orders.module.css';

/** The orders to export, and the name and report of the files. */
export interface ExportSubject {
  readonly rows: readonly OrderRow[];
  /** The number of orders before filtering. */
  readonly total: number;
  readonly badge: ReactNode;
  /** The completeness of the list, repeated in each row. */
  readonly set: string;
  readonly added?: AddedColumns | undefined;
  /** The name of both files, without extension. */
  readonly name: string;
  readonly toStatement: (file: Pick<StatementSubject, 'file' | 'filters' | 'exportedAt'>) => string;
}

export interface ExportDialogProps {
  readonly subject: ExportSubject;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly state: GridState;
  readonly close: () => void;
}

/** Exports the filtered orders with a completeness report. */
export function ExportOrdersDialog({ subject: newest, columns, state, close }: ExportDialogProps) {
  // Exports the orders as they were when the dialog opened.
  const [subject] = useState(newest);
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
      const csv = await exportWorking({ ...subject, form, signal: stop.signal, report: setDone, pause });
      if (csv !== null) {
        await downloadFiles(csv, subject, describeFilters(columns, state));
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
          {formatCount(subject.rows.length)} of {countOf(subject.total, 'working order')}, as CSV, plus a completeness
          report (JSON). {subject.badge}
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

async function downloadFiles(
  csv: string,
  { name, toStatement }: ExportSubject,
  filters: readonly string[],
): Promise<void> {
  await downloadRows(`${name}.csv`, csv);
  download(
    `${name}.completeness.json`,
    toStatement({ file: `${name}.csv`, filters, exportedAt: new Date().toISOString() }),
    'application/json',
  );
}

/** Formats the time of a reading for a file name: `2026-11-20T080000Z`. */
export function toStamp(at: string): string {
  return `${at.replaceAll(':', '').slice(0, '2026-11-20T080000'.length)}Z`;
}
