import { useEffect, useRef, useState } from 'react';
import { createOrderPages } from '#page/client/pages.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useVenueOffset } from '#page/client/react/use-desk-status.ts';
import type { LoadedPage } from '#page/client/page-window/page-list.ts';
import type { Order } from '#contract/exchange/order.ts';
import { LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { download, downloadRows } from '#page/kit/download.ts';
import { formatDuration } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import { describeFilters } from '#model/tables/orders/filter-text.ts';
import { FormChoice, useCsvForm } from '../export/form-choice.tsx';
import styles from '../shared/orders.module.css';
import { estimateRows, toRequests } from './request-cost.ts';
import {
  exportHistory,
  type ExportInputs,
  type ExportProgress,
  type ExportResult,
  isComplete,
  readLoaded,
  sleep,
  toHistoryStatement,
  toLoadedPages,
  toSentence,
} from '../export/export-history.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import type { GridTable } from '#page/kit/grid/grid-props.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import type { HistoryLines } from './use-history-lines.ts';
import type { HistoryWindow } from './use-history-window.ts';
import { type HistoryQuery, toLocalFilter, toRequest } from '#model/tables/orders/history-query.ts';
import { BudgetLeft } from './load-until-dialog.tsx';

interface ExportHistoryProps {
  readonly table: GridTable<OrderRow>;
  readonly list: ListControl;
  readonly history: HistoryWindow;
  readonly query: HistoryQuery;
  readonly found: HistoryLines;
  readonly terms: TermsOf;
  readonly close: () => void;
}

/** Exports all orders that match the filters, with a completeness report. */
export function ExportHistoryDialog(props: ExportHistoryProps) {
  const { history, query, found, terms, close } = props;
  const { api, now } = useApi();
  const offsetMs = useVenueOffset();
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const [stopped, setStopped] = useState<ExportResult | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useAnnounced(failure, true);
  const [form, setForm] = useCsvForm();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const loaded = toLoadedPages(history.view);
  const save = async (result: ExportResult): Promise<void> => {
    setFailure(null);
    try {
      await downloadFiles(result, props, now());
      close();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  const run = async (pages: typeof loaded): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    setProgress({ requests: 0, read: 0, written: 0, at: null, waitsUntil: null });
    const readPage = createOrderPages(api, toRequest(query), LARGEST_LIMIT.orders);
    const fetchPage: ExportInputs['fetchPage'] =
      pages === null ? (cursor) => readPage(cursor, { signal: stop.signal }) : readLoaded(pages);
    const written = await exportHistory({
      fetchPage,
      terms,
      offsetMs,
      test: found.test,
      form,
      signal: stop.signal,
      report: setProgress,
      now,
      sleep: (ms) => sleep(ms, stop.signal),
    });
    const result = pages === null ? written : { ...written, requests: 0, end: history.view.end };
    running.current = null;
    setProgress(null);
    if (!isComplete(result)) setStopped(result);
    else await save(result);
  };
  return (
    <LazyDialog title="Export" close={close}>
      <div className={styles['form']}>
        <p>
          All orders that match the exchange filters{found.isFiltered && ' and the filters of this page'}, as CSV, plus
          a completeness report (JSON).
        </p>
        {progress === null && stopped === null && <FormChoice form={form} set={setForm} />}
        {stopped === null ? (
          <p>
            {loaded === null ? (
              toCostText(history.view)
            ) : (
              <AllLoaded pages={loaded} count={history.view.list.rowCount} />
            )}
          </p>
        ) : (
          <Stopped result={stopped} save={() => void save(stopped)} />
        )}
        <BudgetLeft />
        {failure !== null && <p>{failure}</p>}
        {progress === null ? (
          <>
            <button type="button" onClick={() => void run(stopped === null ? loaded : null)}>
              {stopped === null ? 'Export' : 'Start over'}
            </button>
            {stopped === null && loaded !== null && (
              <button type="button" onClick={() => void run(null)}>
                Reload and export
              </button>
            )}
          </>
        ) : (
          <Progress
            progress={progress}
            expected={toExpectedRows(history.view)}
            cancel={() => running.current?.abort()}
          />
        )}
      </div>
    </LazyDialog>
  );
}

/** States the age of the oldest page, because the orders' status is as old as that. */
function AllLoaded({ pages, count }: { readonly pages: readonly LoadedPage<Order>[]; readonly count: number }) {
  const oldest = Math.min(...pages.map(({ source }) => source.receivedAt));
  return (
    <>
      No request: all {countOf(count, 'order')} {count === 1 ? 'is' : 'are'} loaded, the oldest read at{' '}
      <Time at={oldest}>{new Date(oldest).toISOString().slice(11, 19)}Z</Time>. Orders that were working then may have
      closed since.
    </>
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
  useAnnounced(waitsUntil === null ? null : 'The export is waiting for the request budget or the exchange.');
  return (
    <>
      <progress
        aria-label="Export progress"
        max={expected ?? undefined}
        value={expected === null ? undefined : Math.min(read, expected)}
      />
      <span>
        {countOf(read, 'order')}, {countOf(requests, 'request')}
        {at !== null && `, at ${at.slice(0, 19)}Z`}
        {seconds > 0 && `; next request in ${formatDuration(seconds)}`}
      </span>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </>
  );
}

function Stopped({ result, save }: { readonly result: ExportResult; readonly save: () => void }) {
  const text = `${toSentence(result)} ${result.stoppedBecause ?? ''}`;
  useAnnounced(text, true);
  return (
    <p>
      {text}{' '}
      <button type="button" onClick={save}>
        Save as INCOMPLETE
      </button>
    </p>
  );
}

/** Returns the number of rows, or null until the end of the list has been read, since only then is its length known. */
function toExpectedRows({ list, end }: ExportHistoryProps['history']['view']): number | null {
  return end === null ? null : list.rowCount;
}

function toCostText(view: ExportHistoryProps['history']['view']): string {
  const known = toExpectedRows(view);
  if (known !== null)
    return `About ${countOf(toRequests(known, LARGEST_LIMIT.orders), 'request')} for ${countOf(known, 'order')}.`;
  const day = toRowsPerDay(view);
  const pace =
    day === null
      ? ''
      : ' At the rate of the orders loaded so far, about ' +
        `${countOf(toRequests(day, LARGEST_LIMIT.orders) - 1, 'request')} per day of history.`;
  return (
    `One request per ${formatCount(LARGEST_LIMIT.orders)} orders: at least ` +
    `${countOf(toRequests(view.list.rowCount, LARGEST_LIMIT.orders), 'request')}.${pace} The ` +
    'exchange does not report the total number of orders.'
  );
}

const DAY_MS = 86_400_000;

function toRowsPerDay({ list: { spans, rowCount, first } }: ExportHistoryProps['history']['view']): number | null {
  const last = spans.at(-1)?.last;
  if (first === null || last === undefined) return null;
  const forwards = Date.parse(last.time) >= Date.parse(first.time) ? 1 : -1;
  const next = new Date(Date.parse(last.time) + forwards * DAY_MS).toISOString();
  return estimateRows({ first, last, rows: rowCount }, next as typeof last.time);
}

async function downloadFiles(
  result: ExportResult,
  { table, list, query }: ExportHistoryProps,
  now: number,
): Promise<void> {
  const exportedAt = new Date(now).toISOString();
  const time = exportedAt.replaceAll(':', '').slice(0, 17);
  const name = `order-history-${time}Z${isComplete(result) ? '' : '-INCOMPLETE'}`;
  await downloadRows(`${name}.csv`, result.file, result.written);
  const sent = Object.fromEntries(Object.entries(query).filter(([, text]) => text !== ''));
  const subject = {
    result,
    file: `${name}.csv`,
    query: sent,
    filters: describeFilters(table.columns, toLocalFilter(list.state)),
    exportedAt,
  };
  download(`${name}.completeness.json`, toHistoryStatement(subject), 'application/json');
}
