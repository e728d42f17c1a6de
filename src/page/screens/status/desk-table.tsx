import type { DeskStatus } from '#contract/desk/status.ts';
import { formatCount } from '#model/format/count.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';

type Desk = NonNullable<DeskStatus['desks']>[number];

const COLUMNS: readonly Column<Desk>[] = [
  { name: 'Desk', pinned: 'start', cell: ({ name, is_this: isThis }) => (isThis ? `${name} (this one)` : name) },
  { name: 'Role', cell: ({ leads }) => (leads ? <StatusBadge state="good">Leader</StatusBadge> : 'Serves only') },
  { name: 'Streams', numeric: true, cell: ({ streams }) => formatCount(streams) },
  { name: 'Version', cell: ({ version }) => version },
  { name: 'Started', cell: ({ started_at: at }) => <Timestamp at={at} /> },
];

/** The desks that share the database: the leader reads for all of them. */
export function DeskTable({ desks }: { readonly desks: readonly Desk[] }) {
  return <Table caption="Desks" columns={COLUMNS} rows={desks} keyOf={({ name, started_at: at }) => `${name} ${at}`} />;
}
