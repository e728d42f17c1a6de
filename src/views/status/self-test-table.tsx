import type { DeskStatus } from '#contract/desk.ts';
import { FilteredOut, Nothing } from '#ui/panel/panel-body.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { isOddOutcome } from './endpoint-rows.ts';
import { OutcomeWord } from './outcome-word.tsx';
import styles from './status-screen.module.css';

type SelfTest = NonNullable<DeskStatus['self_test']>;
type Row = SelfTest['rows'][number];

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Tried', cell: ({ subject }) => <span className={styles['code']}>{subject}</span> },
  { name: 'Outcome', cell: ({ outcome }) => <OutcomeWord outcome={outcome} /> },
  { name: 'Found', cell: ({ remark }) => <span className={styles['wrap']}>{remark}</span> },
];

interface SelfTestTableProps {
  readonly selfTest: SelfTest | null;
  readonly onlyOdd: boolean;
  readonly clear: () => void;
}

export function SelfTestTable({ selfTest, onlyOdd, clear }: SelfTestTableProps) {
  if (selfTest === null) {
    return (
      <Nothing title="Not done yet">
        <p>It runs once after the start, with a question to each endpoint.</p>
      </Nothing>
    );
  }
  const rows = onlyOdd ? selfTest.rows.filter(({ outcome }) => isOddOutcome(outcome)) : selfTest.rows;
  if (rows.length === 0) return <FilteredOut total={selfTest.rows.length} clear={clear} />;
  return <Table caption="Self-test" columns={COLUMNS} rows={rows} keyOf={({ subject }) => subject} />;
}
