import { useEffect, useRef, useState } from 'react';
import { createOrderPages, LARGEST_ORDERS_PAGE } from '#api/pages.ts';
import { useDoor } from '#api/react.tsx';
import { useVenueAhead } from '#api/react-venue-time.ts';
import { countOf, formatCount } from '#domain/format-count.ts';
import { LaterDialog } from '#ui/later-dialog.tsx';
import { useAnnounced } from '#ui/live-region.tsx';
import { download } from '#ui/download.ts';
import { formatDuration } from '#ui/time/format-time.ts';
import { useNow } from '#ui/time/use-now.tsx';
import { describeFilters } from '../filter-text.ts';
import styles from '../orders.module.css';
import { estimateRows, toRequests } from './estimate.ts';
import { exportHistory, isComplete, type ExportProgress, type ExportResult } from './export-history.ts';
import { toHistoryStatement, toSentence } from './history-statement.ts';
import type { HistoryToolsProps } from './history-props.ts';
import { toLocalFilter, toRequest } from './question.ts';
import { BudgetLeft } from './read-until.tsx';
import { sleep } from './sleep.ts';

type ExportHistoryProps = Pick<HistoryToolsProps, 'columns' | 'list' | 'history' | 'question' | 'found' | 'terms'> & { readonly close: () => void };

/** All pages of what is asked and filtered, as a file, with a statement of completeness beside it. */
export function ExportHistory(props: ExportHistoryProps) {
  const { history, question, found, terms, close } = props;
  const { api, now } = useDoor();
  const aheadMs = useVenueAhead();
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const [stopped, setStopped] = useState<ExportResult | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    setProgress({ requests: 0, read: 0, written: 0, at: null, waitsUntil: null });
    const page = createOrderPages(api, toRequest(question), LARGEST_ORDERS_PAGE);
    const ask: Parameters<typeof exportHistory>[0]['ask'] = (cursor) => page(cursor, { signal: stop.signal });
    const result = await exportHistory({ ask, terms, aheadMs, test: found.test, signal: stop.signal, report: setProgress, now, sleep: (ms) => sleep(ms, stop.signal) });
    running.current = null;
    setProgress(null);
    if (!isComplete(result)) setStopped(result);
    else {
      giveFiles(result, props, now());
      close();
    }
  };
  return (
    <LaterDialog title="Export" close={close}>
      <div className={styles['form']}>
        <p>All orders that the venue gives for what is asked{found.isFiltered && ', as far as they fit the filters of this page'}, as CSV: fields as they came and figures in USD. Beside it a file that says whether this is all.</p>
        {stopped === null ? <p>{toCostText(history.view)}</p> : <Stopped result={stopped} save={() => { giveFiles(stopped, props, now()); close(); }} />}
        <BudgetLeft />
        {progress === null ? (
          <button type="button" onClick={() => void run()}>
            {stopped === null ? 'Export' : 'Begin again'}
          </button>
        ) : (
          <Progress progress={progress} expected={toExpectedRows(history.view)} cancel={() => running.current?.abort()} />
        )}
      </div>
    </LaterDialog>
  );
}

interface ProgressProps {
  readonly progress: ExportProgress;
  readonly expected: number | null;
  readonly cancel: () => void;
}

function Progress({ progress: { requests, read, at, waitsUntil }, expected, cancel }: ProgressProps) {
  const now = useNow();
  const seconds = waitsUntil === null ? 0 : Math.ceil((waitsUntil - now) / 1_000);
  useAnnounced(waitsUntil === null ? null : 'The export waits: the venue is not to be asked for a while.');
  return (
    <>
      <progress aria-label="Exported" max={expected ?? undefined} value={expected === null ? undefined : Math.min(read, expected)} />
      <span>
        {countOf(read, 'order')}, {countOf(requests, 'request')}{at !== null && `, at ${at.slice(0, 19)}Z`}
        {seconds > 0 && `; the venue is not to be asked for ${formatDuration(seconds)}`}
      </span>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </>
  );
}

function Stopped({ result, save }: { readonly result: ExportResult; readonly save: () => void }) {
  const told = `${toSentence(result)} ${result.stoppedBecause ?? ''}`;
  useAnnounced(told, true);
  return (
    <p>
      {told}{' '}
      <button type="button" onClick={save}>
        Save these, marked INCOMPLETE
      </button>
    </p>
  );
}

/** Null where the list has not been read to its end: how long it is nobody says. */
function toExpectedRows({ list, end }: ExportHistoryProps['history']['view']): number | null {
  return end === null ? null : list.rowCount;
}

function toCostText(view: ExportHistoryProps['history']['view']): string {
  const known = toExpectedRows(view);
  if (known !== null) return `About ${countOf(toRequests(known, LARGEST_ORDERS_PAGE), 'request')} for ${countOf(known, 'order')}.`;
  const day = toRowsADay(view);
  const pace = day === null ? '' : ` At the pace of those read, about ${formatCount(toRequests(day, LARGEST_ORDERS_PAGE) - 1)} for each day.`;
  return `One request for each ${formatCount(LARGEST_ORDERS_PAGE)} orders, to the end of the list: at least ${formatCount(toRequests(view.list.rowCount, LARGEST_ORDERS_PAGE))}.${pace} How many there are, the venue does not say.`;
}

const DAY_MS = 86_400_000;

function toRowsADay({ list: { spans, rowCount, first } }: ExportHistoryProps['history']['view']): number | null {
  const last = spans.at(-1)?.last;
  if (first === null || last === undefined) return null;
  const forwards = Date.parse(last.time) >= Date.parse(first.time) ? 1 : -1;
  const next = new Date(Date.parse(last.time) + forwards * DAY_MS).toISOString();
  return estimateRows({ first, last, rows: rowCount }, next as typeof last.time);
}

function giveFiles(result: ExportResult, { columns, list, question }: ExportHistoryProps, now: number): void {
  const exportedAt = new Date(now).toISOString();
  const name = `order-history-${exportedAt.replaceAll(':', '').slice(0, 17)}Z${isComplete(result) ? '' : '-INCOMPLETE'}`;
  download(`${name}.csv`, result.file);
  const asked = Object.fromEntries(Object.entries(question).filter(([, text]) => text !== ''));
  const subject = { result, file: `${name}.csv`, question: asked, filters: describeFilters(columns, toLocalFilter(list.state)), exportedAt };
  download(`${name}.completeness.json`, toHistoryStatement(subject), 'application/json');
}
