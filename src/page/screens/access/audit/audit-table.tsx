import type { AuditEntry } from '#contract/desk/access.ts';
import { formatCount } from '#model/format/count.ts';
import { NO_VALUE } from '#model/format/number.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from '../shared/access.module.css';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'No.', numeric: true, cell: ({ number }) => formatCount(number) },
  { name: 'Time', cell: ({ at }) => <Timestamp at={at} /> },
  { name: 'Who', cell: ({ name }) => <span className={styles['short']}>{name === '' ? NO_VALUE : name}</span> },
  {
    name: 'What',
    cell: ({ kind }) =>
      kind.includes('refused') ? (
        <StatusBadge state="bad">{kind}</StatusBadge>
      ) : (
        <span className={styles['short']}>{kind}</span>
      ),
  },
  { name: 'Detail', cell: ({ detail }) => <span className={styles['wide']}>{detail}</span> },
  {
    name: 'Filter',
    cell: ({ filter }) => (filter === '' ? NO_VALUE : <code className={styles['filter']}>{filter}</code>),
  },
  { name: 'Rows', numeric: true, cell: ({ rows }) => (rows === null ? NO_VALUE : formatCount(rows)) },
  {
    name: 'Address',
    cell: ({ address }) => <span className={styles['code']}>{address === '' ? NO_VALUE : address}</span>,
  },
  {
    name: 'Hash',
    cell: ({ hash }) => (
      <code className={styles['code']} title={hash}>
        {hash.slice(0, 12)}…
      </code>
    ),
  },
];

export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <Table caption="Audit log, newest first" columns={COLUMNS} rows={entries} keyOf={({ number }) => String(number)} />
  );
}
