import styles from './rules.module.css';
import { useEffect } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { DeskNotifications, NotificationDelivery, NotificationTest } from '#contract/desk/notifications.ts';
import { formatCount } from '#model/format/count.ts';
import { NO_VALUE } from '#model/format/number.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { textParam } from '#model/format/url-param.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { type LogQuery, PagedPanel, useLog } from '#page/panels/log-panel.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '#page/client/react/use-rules-api.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import { Age } from './alerts/alert-facts.tsx';

/** Lets a long name take two lines, so that a phone has space for more than names. */
function ChannelName({ name }: { readonly name: string }) {
  return <span className={styles['name']}>{name}</span>;
}

/** The log’s name among queries. */
const DELIVERY_LOG = 'desk/callDeliveries';

/** The outcome comes first, because a phone has space for little more. */
const DELIVERY_COLUMNS: readonly Column<NotificationDelivery>[] = [
  { name: 'Time', cell: ({ at }) => <Timestamp at={at} /> },
  {
    name: 'Outcome',
    cell: ({ outcome }) => <StatusBadge state={outcome === 'delivered' ? 'good' : 'bad'}>{outcome}</StatusBadge>,
  },
  { name: 'Channel', cell: ({ channel }) => <ChannelName name={channel} /> },
  { name: 'Attempt', numeric: true, cell: ({ attempt }) => (attempt === 0 ? 'test' : formatCount(attempt)) },
  { name: 'Alerts', numeric: true, cell: ({ events }) => formatCount(events) },
  { name: 'Summary', cell: ({ summary }) => <Words text={summary} /> },
  { name: 'Status', numeric: true, cell: ({ status }) => status ?? NO_VALUE },
  { name: 'Took', unit: 'ms', numeric: true, cell: ({ took_ms: took }) => formatCount(took) },
  {
    name: 'Response',
    cell: ({ reason, answer }) => <Words text={[reason, answer].filter((text) => text !== '').join(' ')} />,
  },
];

function Words({ text }: { readonly text: string }) {
  return <span className={styles['words']}>{text}</span>;
}

const channelParam = textParam('channel');

interface DeliveriesProps {
  readonly channels: DeskNotifications['channels'];
}

/** Lists each attempt to deliver a notification, newest first. */
export function Deliveries({ channels }: DeliveriesProps) {
  const { api } = useApi();
  const [channel, setChannel] = useUrlState(channelParam);
  const query = useLog({
    name: DELIVERY_LOG,
    of: channel,
    read: (cursor, signal) =>
      api.desk.callDeliveries({ ...(channel !== '' && { channel }), ...(cursor !== null && { cursor }) }, { signal }),
  });
  const rows = (query.data?.pages ?? []).flatMap(({ value }) => value.deliveries);
  useReadAgain(query, findNewest(channels, channel) > (rows[0]?.number ?? 0));
  const clear = (): void => {
    setChannel('');
  };
  return (
    <PagedPanel
      title="Deliveries"
      query={query}
      count={rows.length}
      limits="Up to 10,000 deliveries of the last 30 days are kept."
      controls={<ChannelChoice names={channels.map(({ name }) => name)} chosen={channel} choose={setChannel} />}
      empty={<NoDeliveries isFiltered={channel !== ''} clear={clear} />}
    >
      <Table
        caption="Deliveries, newest first"
        columns={DELIVERY_COLUMNS}
        rows={rows}
        keyOf={({ number }) => String(number)}
      />
    </PagedPanel>
  );
}

/** Returns the number of the newest attempt known for all channels, or for the chosen one. */
function findNewest(channels: DeskNotifications['channels'], chosen: string): number {
  const numbers = channels.filter(({ name }) => chosen === '' || name === chosen).map(({ last }) => last?.number ?? 0);
  return Math.max(0, ...numbers);
}

/**
 * Reads the log again when it lacks the newest attempt. A failed read is not repeated automatically: the panel reports
 * it and offers a retry.
 */
function useReadAgain({ data, error, isFetching, refetch }: LogQuery<unknown>, isBehind: boolean): void {
  const isDue = isBehind && data !== undefined && error === null && !isFetching;
  useEffect(() => {
    if (isDue) void refetch();
  }, [isDue, refetch]);
}

interface ChannelChoiceProps {
  readonly names: readonly string[];
  readonly chosen: string;
  readonly choose: (channel: string) => void;
}

function ChannelChoice({ names, chosen, choose }: ChannelChoiceProps) {
  return (
    <label className={styles['choice']}>
      Channel
      <select
        value={chosen}
        onChange={({ target }) => {
          choose(target.value);
        }}
      >
        <option value="">All channels</option>
        {[...new Set([...names, ...(chosen === '' ? [] : [chosen])])].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

function NoDeliveries({ isFiltered, clear }: { readonly isFiltered: boolean; readonly clear: () => void }) {
  return (
    <EmptyState title={isFiltered ? 'No deliveries to this channel' : 'No deliveries so far'}>
      {isFiltered ? (
        <button type="button" onClick={clear}>
          Show all channels
        </button>
      ) : (
        <p>Each attempt to deliver a notification is listed here, with the response.</p>
      )}
    </EmptyState>
  );
}

type Channel = DeskNotifications['channels'][number];

const BADGES: Readonly<Record<string, 'good' | 'attention' | 'bad' | 'none'>> = {
  'working': 'good',
  'failing': 'bad',
  'ended': 'bad',
  'not configured': 'attention',
};

/** The state comes first, because a phone has space for little more. */
const CHANNEL_COLUMNS: readonly Column<Channel>[] = [
  { name: 'Channel', pinned: 'start', cell: ({ name }) => <ChannelName name={name} /> },
  {
    name: 'State',
    cell: ({ state, since }) => (
      <StatusBadge state={BADGES[state] ?? 'none'}>
        {state} <Since state={state} since={since} />
      </StatusBadge>
    ),
  },
  { name: 'Kind', cell: ({ kind }) => kind ?? NO_VALUE },
  { name: 'Host', cell: ({ host }) => host ?? NO_VALUE },
  { name: 'Waiting', unit: 'alerts', numeric: true, cell: ({ waiting }) => formatCount(waiting) },
  { name: 'Oldest waits', numeric: true, cell: ({ oldest_at: at }) => (at === null ? NO_VALUE : <Age since={at} />) },
  { name: 'Last attempt', cell: ({ last }) => <Timestamp at={last?.at ?? null} /> },
  { name: 'Next attempt', cell: ({ next_at: at }) => <Timestamp at={at} /> },
];

function Since({ state, since }: Pick<Channel, 'state' | 'since'>) {
  if (since === null) return null;
  return state === 'ended' ? (
    <>
      <Age since={since} /> ago
    </>
  ) : (
    <>
      for <Age since={since} />
    </>
  );
}

/** Lists the destinations of notifications, each with a test. */
export function ChannelTable({ calls: { delivers, channels, heartbeat } }: { readonly calls: DeskNotifications }) {
  const test = useChannelTest();
  const tests: Column<Channel> = {
    name: 'Action',
    pinned: 'end',
    cell: ({ name, state }) => (
      <span className={styles['actions']}>
        <button
          type="button"
          aria-label={`Send a test to ${name}`}
          // A button that is disabled while its test is being sent would lose the focus.
          aria-disabled={test.isPending}
          disabled={state === 'not configured'}
          onClick={() => {
            if (!test.isPending) test.send(name);
          }}
        >
          {test.isPending && test.channel === name ? 'Sending…' : 'Send a test'}
        </button>
      </span>
    ),
  };
  return (
    <>
      {!delivers && <p className={styles['more']}>Another Perpdesk on the same database delivers the notifications.</p>}
      {heartbeat && <HeartbeatLine heartbeat={heartbeat} />}
      <Table caption="Channels" columns={[...CHANNEL_COLUMNS, tests]} rows={channels} keyOf={({ name }) => name} />
      {channels.some(({ state }) => state === 'ended') && (
        <p className={styles['more']}>
          A channel that has ended gets no notifications until a test is delivered to it, its settings change, or
          Perpdesk is restarted.
        </p>
      )}
      <ActionError error={test.error} />
      {test.result !== undefined && <TestResult result={test.result} />}
    </>
  );
}

function HeartbeatLine({
  heartbeat: { host, last_at: at, problem },
}: {
  readonly heartbeat: NonNullable<DeskNotifications['heartbeat']>;
}) {
  return (
    <p className={styles['more']}>
      <StatusBadge state={problem !== '' ? 'bad' : at === null ? 'none' : 'good'}>
        {at === null ? (
          'No heartbeat yet'
        ) : (
          <>
            Heartbeat <Age since={at} /> ago
          </>
        )}
      </StatusBadge>{' '}
      to {host}. {problem}
    </p>
  );
}

/** Sends a test, then reads channels and log again: the log lists tests too, and a test may re-enable a channel. */
function useChannelTest() {
  const { queries } = useApi();
  const client = useQueryClient();
  const { mutate, isPending, variables, error, data } = useAction('testChannel');
  const readAgain = (): void => {
    for (const queryKey of [queries.desk.calls({}).queryKey, [DELIVERY_LOG]])
      void client.invalidateQueries({ queryKey });
  };
  const send = (channel: string): void => {
    mutate({ query: { channel } }, { onSettled: readAgain });
  };
  return { send, isPending, channel: variables?.query.channel, error, result: data };
}

function TestResult({
  result: { channel, outcome, status, took_ms: took, reason, answer },
}: {
  readonly result: NotificationTest;
}) {
  const text = `Test to ${channel}: ${outcome}`;
  const details = [status === null ? '' : `Status ${String(status)}.`, `Took ${formatCount(took)} ms.`, reason, answer]
    .filter((part) => part !== '')
    .join(' ');
  useAnnounced(`${text}. ${details}`);
  return (
    <p className={styles['more']}>
      <StatusBadge state={outcome === 'delivered' ? 'good' : 'bad'}>{text}</StatusBadge> {details}
    </p>
  );
}
