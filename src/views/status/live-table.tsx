import type { DeskStatus } from '#contract/desk.ts';
import { formatCount } from '#domain/format/count.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { formatDuration } from '#ui/time/format-time.ts';
import { Timestamp } from '#ui/time/timestamp.tsx';

type Live = DeskStatus['live'];
type LiveTopic = Live['topics'][number];

const COLUMNS: readonly Column<LiveTopic>[] = [
  { name: 'Topic', pinned: true, cell: ({ topic }) => topic },
  { name: 'Followers', unit: 'streams', numeric: true, cell: ({ followers }) => formatCount(followers) },
  { name: 'Read every', numeric: true, cell: ({ followers, every_seconds }) => (followers === 0 ? 'not read' : formatDuration(every_seconds)) },
  { name: 'At best', numeric: true, cell: ({ least_seconds }) => formatDuration(least_seconds) },
  { name: 'Requests', unit: 'per read', numeric: true, cell: ({ requests }) => formatCount(requests) },
  { name: 'Last read', cell: ({ read_at }) => <Timestamp at={read_at} /> },
];

/** How often each topic is read for all screens together. */
export function LiveTable({ live: { streams, topics } }: { readonly live: Live }) {
  if (topics.length === 0) {
    return (
      <EmptyState title="Nothing is pushed">
        <p>Perpdesk reads a topic only while a screen shows it, once for all screens.</p>
      </EmptyState>
    );
  }
  return <Table caption={`Live topics, followed by ${formatCount(streams)} ${streams === 1 ? 'stream' : 'streams'}`} columns={COLUMNS} rows={topics} keyOf={({ topic }) => topic} />;
}
