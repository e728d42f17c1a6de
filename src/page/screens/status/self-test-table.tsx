import type { DeskStatus } from '#contract/desk/desk.ts';
import { NoMatches } from '#page/panels/no-matches.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { isIssue } from '#model/tables/status/endpoint-rows.ts';
import styles from './status-screen.module.css';

type SelfTest = NonNullable<DeskStatus['self_test']>;
type Row = SelfTest['rows'][number];

const COLUMNS: readonly Column<Row>[] = [
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
  return <Table caption="Self-test" columns={COLUMNS} rows={rows} keyOf={({ subject }) => subject} />;
}

const LABELS = new Map<string, readonly [label: string, state: 'good' | 'attention' | 'bad' | 'none']>([
  ['good', ['OK', 'good']],
  ['drift', ['Drift', 'attention']],
  ['failed', ['Failed', 'bad']],
  ['not offered', ['Not offered', 'none']],
  ['not tried', ['Not tested', 'none']],
]);

/** An outcome that only a newer desk knows is shown as received. */
export function OutcomeLabel({ outcome }: { readonly outcome: string | null }) {
  if (outcome === null) return <>–</>;
  const [label, state] = LABELS.get(outcome) ?? [outcome, 'attention' as const];
  return <StatusBadge state={state}>{label}</StatusBadge>;
}
