import type { DeskStatus } from '#contract/desk/status.ts';
import { NoMatches } from '#page/panels/missing-rows.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import {
  type EndpointRow,
  endpointRowsToCsv,
  hasIssue,
  isIssue,
  toEndpointRows,
} from '#model/tables/status/endpoint-rows.ts';
import styles from './status-screen.module.css';
import type { DeskPolicy } from '#contract/desk/policy.ts';
import { formatCount } from '#model/format/count.ts';
import { CsvButton } from '#page/kit/csv-button.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';

type SelfTest = NonNullable<DeskStatus['self_test']>;
type Row = SelfTest['rows'][number];

const SELF_TEST_COLUMNS: readonly Column<Row>[] = [
  { name: 'Check', cell: ({ subject }) => <span className={styles['code']}>{subject}</span> },
  { name: 'Result', cell: ({ outcome }) => <OutcomeLabel outcome={outcome} /> },
  { name: 'Details', cell: ({ remark }) => <span className={styles['wrap']}>{remark}</span> },
];

interface SelfTestTableProps {
  readonly selfTest: SelfTest | null;
  readonly onlyIssues: boolean;
  readonly clear: () => void;
}

export function SelfTestTable({ selfTest, onlyIssues, clear }: SelfTestTableProps) {
  if (selfTest === null) {
    return (
      <EmptyState title="Self-test not run yet">
        <p>It runs once after startup and sends one request to each endpoint.</p>
      </EmptyState>
    );
  }
  const rows = onlyIssues ? selfTest.rows.filter(({ outcome }) => isIssue(outcome)) : selfTest.rows;
  if (rows.length === 0) return <NoMatches total={selfTest.rows.length} clear={clear} />;
  return <Table caption="Self-test" columns={SELF_TEST_COLUMNS} rows={rows} keyOf={({ subject }) => subject} />;
}

const LABELS = new Map<string, readonly [label: string, state: 'good' | 'attention' | 'bad' | 'none']>([
  ['good', ['OK', 'good']],
  ['drift', ['Drift', 'attention']],
  ['failed', ['Failed', 'bad']],
  ['not offered', ['Not offered', 'none']],
  ['not tried', ['Not tested', 'none']],
]);

/** Shows an outcome that only a newer server knows as received. */
function OutcomeLabel({ outcome }: { readonly outcome: string | null }) {
  if (outcome === null) return <>–</>;
  const [label, state] = LABELS.get(outcome) ?? [outcome, 'attention' as const];
  return <StatusBadge state={state}>{label}</StatusBadge>;
}

const ENDPOINT_COLUMNS: readonly Column<EndpointRow>[] = [
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
      <Table caption="Endpoints" columns={ENDPOINT_COLUMNS} rows={rows} keyOf={({ name }) => name} />
      <p className={styles['below']}>
        <CsvButton fileName="endpoints" write={() => endpointRowsToCsv(rows)} />
      </p>
    </>
  );
}
