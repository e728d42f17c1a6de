import { type CheckSummary, CROSS_CHECKS, type FailedComparison } from '#model/checks/cross-checks.ts';
import { formatCount } from '#model/format/count.ts';
import { formatDay } from '#model/format/format-time.ts';
import { NoMatches } from '#page/panels/missing-rows.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import styles from './status-screen.module.css';

const COLUMNS: readonly Column<CheckSummary>[] = [
  { name: 'Check', pinned: 'start', cell: ({ name }) => CROSS_CHECKS[name].name },
  {
    name: 'Passed',
    unit: 'products',
    numeric: true,
    cell: (summary) => (isElsewhere(summary) ? '–' : formatCount(summary.passed)),
  },
  { name: 'Failed', unit: 'products', numeric: true, cell: (summary) => <FailedCount summary={summary} /> },
  {
    name: 'Unchecked',
    unit: 'products',
    numeric: true,
    cell: (summary) => (isElsewhere(summary) ? '–' : formatCount(summary.notPossible)),
  },
  { name: 'Details', cell: (summary) => <span className={styles['phrase']}>{describeFound(summary)}</span> },
  { name: 'Compares', cell: ({ name }) => <span className={styles['phrase']}>{CROSS_CHECKS[name].compares}</span> },
  { name: 'Tolerance', cell: ({ name }) => <span className={styles['phrase']}>{CROSS_CHECKS[name].tolerance}</span> },
  {
    name: 'Withheld on failure',
    cell: ({ name }) => <span className={styles['phrase']}>{CROSS_CHECKS[name].covers}</span>,
  },
];

interface CrossCheckTableProps {
  readonly summaries: readonly CheckSummary[];
  readonly onlyIssues: boolean;
  readonly clear: () => void;
}

/** Shows how the figures of all products agree with each other. */
export function CrossCheckTable({ summaries, onlyIssues, clear }: CrossCheckTableProps) {
  const rows = onlyIssues ? summaries.filter(({ failed }) => failed.length > 0) : summaries;
  if (rows.length === 0) return <NoMatches total={summaries.length} clear={clear} />;
  return (
    <div className={styles['checks']}>
      <Table caption="Cross-checks" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />
    </div>
  );
}

function FailedCount({ summary }: { readonly summary: CheckSummary }) {
  if (isElsewhere(summary)) return <>–</>;
  const { failed } = summary;
  return failed.length === 0 ? <>0</> : <StatusBadge state="attention">{formatCount(failed.length)}</StatusBadge>;
}

/** Whether the check needs data that are read for one product at a time, or for a total. */
function isElsewhere({ name, passed, failed }: CheckSummary): boolean {
  return CROSS_CHECKS[name].madeOn !== null && passed + failed.length === 0;
}

const MOST_NAMED = 5;

function describeFound(summary: CheckSummary): string {
  const { name, failed } = summary;
  const { madeOn } = CROSS_CHECKS[name];
  if (madeOn !== null && isElsewhere(summary)) return `Checked on ${madeOn}.`;
  if (failed.length === 0) return '–';
  const rest = failed.length - MOST_NAMED;
  return [...failed.slice(0, MOST_NAMED).map(describeFailed), ...(rest > 0 ? [`${formatCount(rest)} more`] : [])].join(
    '; ',
  );
}

function describeFailed({ symbol, ratio, session }: FailedComparison): string {
  const of = session === null ? '' : `, session of ${formatDay(session)}`;
  return `${symbol}: the second figure is ${String(Number(ratio.toPrecision(4)))} times the first${of}`;
}
