import type { DeskStatus } from '#contract/desk/desk.ts';
import type { DeskPolicy } from '#contract/desk/policy.ts';
import { formatCount } from '#model/format/count.ts';
import { CsvButton } from '#page/kit/csv-button.tsx';
import { NoMatches } from '#page/panels/no-matches.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { endpointRowsToCsv, hasIssue, toEndpointRows, type EndpointRow } from '#model/tables/status/endpoint-rows.ts';
import { OutcomeLabel } from './self-test-table.tsx';
import styles from './status-screen.module.css';

const COLUMNS: readonly Column<EndpointRow>[] = [
  { name: 'Endpoint', pinned: 'start', cell: ({ name }) => name },
  { name: 'Client requests', numeric: true, cell: ({ requests }) => formatCount(requests) },
  {
    name: 'Failed',
    numeric: true,
    cell: ({ failed }) => (failed === 0 ? '0' : <StatusBadge state="attention">{failed}</StatusBadge>),
  },
  { name: 'Over budget', numeric: true, cell: ({ overBudget }) => formatCount(overBudget) },
  { name: 'Last request', cell: ({ lastAt }) => <Timestamp at={lastAt} /> },
  { name: 'HTTP', numeric: true, cell: ({ lastStatus }) => lastStatus ?? '–' },
  { name: 'Cache', cell: ({ lastHow }) => lastHow ?? '–' },
  { name: 'Last exchange response', cell: ({ venueAt }) => <Timestamp at={venueAt} /> },
  { name: 'Latency', unit: 'ms, incl. queue', numeric: true, cell: ({ venueMs }) => venueMs?.toFixed(0) ?? '–' },
  {
    name: 'Refresh interval',
    numeric: true,
    cell: ({ everySeconds }) => (everySeconds === null ? '–' : formatDuration(everySeconds)),
  },
  { name: 'Schema check', unit: 'at startup', cell: ({ shape }) => <OutcomeLabel outcome={shape} /> },
];

interface EndpointTableProps {
  readonly status: DeskStatus;
  readonly policy: DeskPolicy | undefined;
  readonly onlyIssues: boolean;
  readonly clear: () => void;
}

export function EndpointTable({ status, policy, onlyIssues, clear }: EndpointTableProps) {
  const all = toEndpointRows(status, policy);
  const rows = onlyIssues ? all.filter(hasIssue) : all;
  if (all.length === 0)
    return (
      <EmptyState title="No endpoints">
        <p>Perpdesk reported none.</p>
      </EmptyState>
    );
  if (rows.length === 0) return <NoMatches total={all.length} clear={clear} />;
  return (
    <>
      <Table caption="Endpoints" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />
      <p className={styles['below']}>
        <CsvButton fileName="endpoints" write={() => endpointRowsToCsv(rows)} />
      </p>
    </>
  );
}
