import type { LiveState } from '#page/client/live/live.ts';
import { useStreamState } from '#page/client/react/use-api.tsx';
import type { DeskStatus } from '#contract/desk/status.ts';
import { formatCount } from '#model/format/count.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from './live-topics.module.css';

type Live = DeskStatus['live'];
type LiveTopic = Live['topics'][number];

const COLUMNS: readonly Column<LiveTopic>[] = [
  { name: 'Topic', pinned: 'start', cell: ({ topic }) => <span className={styles['topic']}>{topic}</span> },
  { name: 'Followers', unit: 'streams', numeric: true, cell: ({ followers }) => formatCount(followers) },
  { name: 'Read every', numeric: true, cell: describeInterval },
  { name: 'At best', numeric: true, cell: ({ least_seconds }) => formatDuration(least_seconds) },
  {
    name: 'Requests',
    unit: 'per read',
    numeric: true,
    cell: ({ requests }) => (requests === null ? '–' : formatCount(requests)),
  },
  { name: 'Last read', cell: ({ read_at }) => <Timestamp at={read_at} /> },
];

function describeInterval({ followers, every_seconds: every, watched_seconds: watched }: LiveTopic): string {
  if (followers > 0) return formatDuration(every);
  return watched === null ? 'not read' : `${formatDuration(watched)}, for the journal`;
}

const STREAMS: Readonly<Record<LiveState, string>> = {
  open: 'Changes are pushed to this browser.',
  lossy:
    'Some changes did not arrive whole, probably because of a proxy on the way. This browser polls what ' +
    'they belong to, and tries again within 10 minutes.',
  connecting: 'This browser polls until its stream is open again.',
  closed: 'This browser polls: it has no stream.',
  refused: 'This browser polls: its stream was refused, probably by a proxy on the way. Reload the page to try again.',
};

/** Shows how often each topic is read for all screens together, and whether any topic is pushed to this one. */
export function LiveTopics({ live: { streams, topics } }: { readonly live: Live }) {
  const state = useStreamState();
  return (
    <>
      <p className={styles['stream']} data-state={state}>
        {STREAMS[state]}
      </p>
      {topics.length === 0 ? (
        <NothingPushed />
      ) : (
        <Table
          caption={`Live topics, followed by ${formatCount(streams)} ${streams === 1 ? 'stream' : 'streams'}`}
          columns={COLUMNS}
          rows={topics}
          keyOf={({ topic }) => topic}
        />
      )}
    </>
  );
}

function NothingPushed() {
  return (
    <EmptyState title="Nothing is pushed">
      <p>Perpdesk reads a topic only while a screen shows it, once for all screens.</p>
    </EmptyState>
  );
}
