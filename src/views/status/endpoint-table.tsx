import type { DeskStatus } from '#contract/desk.ts';
import type { DeskPolicy } from '#contract/desk-policy.ts';
import { formatCount } from '#domain/format-count.ts';
import { download } from '#ui/download.ts';
import { FilteredOut, Nothing } from '#ui/panel/panel-body.tsx';
import { StateWord } from '#ui/state-word.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { formatDuration } from '#ui/time/format-time.ts';
import { Moment } from '#ui/time/moment.tsx';
import { endpointRowsToCsv, isOdd, toEndpointRows, type EndpointRow } from './endpoint-rows.ts';
import { OutcomeWord } from './outcome-word.tsx';
import styles from './status-screen.module.css';

const COLUMNS: readonly Column<EndpointRow>[] = [
  { name: 'Endpoint', pinned: true, cell: ({ name }) => name },
  { name: 'Asked', unit: 'by pages', numeric: true, cell: ({ asked }) => formatCount(asked) },
  { name: 'Failed', numeric: true, cell: ({ failed }) => (failed === 0 ? '0' : <StateWord state="attention">{failed}</StateWord>) },
  { name: 'Last asked', cell: ({ lastAt }) => <Moment at={lastAt} /> },
  { name: 'Status', numeric: true, cell: ({ lastStatus }) => lastStatus ?? '–' },
  { name: 'From', cell: ({ lastHow }) => lastHow ?? '–' },
  { name: 'Venue read', cell: ({ venueAt }) => <Moment at={venueAt} /> },
  { name: 'Latency', unit: 'ms, of the venue', numeric: true, cell: ({ venueMs }) => venueMs?.toFixed(0) ?? '–' },
  { name: 'Read again after', numeric: true, cell: ({ everySeconds }) => (everySeconds === null ? '–' : formatDuration(everySeconds)) },
  { name: 'Shape', unit: 'at the start', cell: ({ shape }) => <OutcomeWord outcome={shape} /> },
];

interface EndpointTableProps {
  readonly status: DeskStatus;
  readonly policy: DeskPolicy | undefined;
  readonly onlyOdd: boolean;
  readonly clear: () => void;
}

export function EndpointTable({ status, policy, onlyOdd, clear }: EndpointTableProps) {
  const all = toEndpointRows(status, policy);
  const rows = onlyOdd ? all.filter(isOdd) : all;
  if (all.length === 0) return <Nothing title="No endpoint is known" />;
  if (rows.length === 0) return <FilteredOut total={all.length} clear={clear} />;
  return (
    <>
      <Table caption="Endpoints" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />
      <p className={styles['below']}>
        <button
          type="button"
          onClick={() => {
            download('endpoints.csv', endpointRowsToCsv(rows));
          }}
        >
          Download as CSV
        </button>
      </p>
    </>
  );
}
