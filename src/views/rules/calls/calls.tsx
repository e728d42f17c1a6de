import { useQuery } from '@tanstack/react-query';
import { useApi } from '#api/react/use-api.tsx';
import { useAction } from '#api/react/use-rules-api.ts';
import { DESK_ENDPOINTS } from '#contract/desk.ts';
import type { CallDelivery, DeskCalls } from '#contract/desk-calls.ts';
import { formatCount } from '#domain/format/count.ts';
import { NO_VALUE } from '#domain/format/number.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#panels/panel.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { Timestamp } from '#ui/time/timestamp.tsx';
import { ActionError } from '../action-error.tsx';
import { PagedPanel } from '../paged-panel.tsx';
import { useLog } from '../use-log.ts';
import styles from '../rules.module.css';

/** Whom alerts call, and what was delivered. */
export function Calls() {
  const { queries } = useApi();
  const query = useQuery(queries.desk.calls({}));
  return (
    <>
      <Panel title="Channels" query={query} everySeconds={DESK_ENDPOINTS.calls.reuseSeconds} emptyState={({ value: { channels } }) => (channels.length === 0 ? <NoChannels /> : null)}>
        {({ value }) => <ChannelTable calls={value} refresh={query.refetch} />}
      </Panel>
      <Deliveries />
    </>
  );
}

function NoChannels() {
  return (
    <EmptyState title="No channel is configured">
      <p>Alerts are shown in Perpdesk only. To call others, name webhooks in the setting DESK_WEBHOOKS, or a mail address in DESK_MAIL_TO.</p>
    </EmptyState>
  );
}

type Channel = DeskCalls['channels'][number];

const BADGES: Readonly<Record<string, 'good' | 'attention' | 'bad' | 'none'>> = { working: 'good', failing: 'bad', ended: 'bad', 'not configured': 'attention' };

function ChannelTable({ calls: { delivers, channels }, refresh }: { readonly calls: DeskCalls; readonly refresh: () => unknown }) {
  const test = useAction('testChannel');
  const columns: readonly Column<Channel>[] = [
    { name: 'Channel', pinned: true, cell: ({ name }) => name },
    { name: 'Kind', cell: ({ kind }) => kind ?? NO_VALUE },
    { name: 'Host', cell: ({ host }) => host ?? NO_VALUE },
    { name: 'State', cell: ({ state, since }) => <StatusBadge state={BADGES[state] ?? 'none'}>{state}{since !== null && <> since <Timestamp at={since} /></>}</StatusBadge> },
    { name: 'Waiting', unit: 'alerts', numeric: true, cell: ({ waiting }) => formatCount(waiting) },
    { name: 'Oldest since', cell: ({ oldest_at: at }) => <Timestamp at={at} /> },
    { name: 'Next attempt', cell: ({ next_at: at }) => <Timestamp at={at} /> },
    { name: 'Last attempt', cell: ({ last }) => <Timestamp at={last?.at ?? null} /> },
    {
      name: 'Action',
      cell: ({ name, state }) => (
        <button
          type="button"
          aria-label={`Send a test to ${name}`}
          disabled={test.isPending || state === 'not configured'}
          onClick={() => {
            test.mutate({ query: { channel: name } }, { onSettled: refresh });
          }}
        >
          Send a test
        </button>
      ),
    },
  ];
  const { data: tried } = test;
  return (
    <>
      {!delivers && <p className={styles['more']}>Another Perpdesk on the same database delivers the calls.</p>}
      <ActionError error={test.error} />
      {tried !== undefined && (
        <p className={styles['more']} role="status">
          Test to {tried.channel}: {tried.outcome}
          {tried.status !== null && `, status ${String(tried.status)}`}, {formatCount(tried.took_ms)} ms. {tried.reason}
        </p>
      )}
      <Table caption="Channels" columns={columns} rows={channels} keyOf={({ name }) => name} />
    </>
  );
}

const DELIVERY_COLUMNS: readonly Column<CallDelivery>[] = [
  { name: 'Time', cell: ({ at }) => <Timestamp at={at} /> },
  { name: 'Channel', cell: ({ channel }) => channel },
  { name: 'What it says', cell: ({ summary }) => <span className={styles['rule']}>{summary}</span> },
  { name: 'Alerts', numeric: true, cell: ({ events }) => formatCount(events) },
  { name: 'Attempt', numeric: true, cell: ({ attempt }) => (attempt === 0 ? 'test' : formatCount(attempt)) },
  { name: 'Outcome', cell: ({ outcome }) => <StatusBadge state={outcome === 'delivered' ? 'good' : 'bad'}>{outcome}</StatusBadge> },
  { name: 'Status', numeric: true, cell: ({ status }) => status ?? NO_VALUE },
  { name: 'Took', unit: 'ms', numeric: true, cell: ({ took_ms: took }) => formatCount(took) },
  { name: 'What came back', cell: ({ reason, answer }) => [reason, answer].filter((text) => text !== '').join(' ') },
];

function Deliveries() {
  const { api } = useApi();
  const query = useLog({ name: 'desk/callDeliveries', of: '', read: (cursor, signal) => api.desk.callDeliveries(cursor === null ? {} : { cursor }, { signal }) });
  const rows = (query.data?.pages ?? []).flatMap(({ value }) => value.deliveries);
  return (
    <PagedPanel
      title="Deliveries"
      query={query}
      count={rows.length}
      limits="The last 10,000 of the last 30 days are kept."
      empty={
        <EmptyState title="No deliveries so far">
          <p>Each attempt to deliver a call is listed here, with what came back.</p>
        </EmptyState>
      }
    >
      <Table caption="Deliveries, newest first" columns={DELIVERY_COLUMNS} rows={rows} keyOf={({ number }) => String(number)} />
    </PagedPanel>
  );
}
