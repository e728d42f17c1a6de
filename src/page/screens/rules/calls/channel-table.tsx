import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { useAction } from '#page/client/react/use-rules-api.ts';
import type { CallTest, DeskCalls } from '#contract/desk/calls.ts';
import { formatCount } from '#model/format/count.ts';
import { NO_VALUE } from '#model/format/number.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import { Age } from '../shared/age.tsx';
import { DELIVERY_LOG } from './deliveries.tsx';
import { ChannelName } from './channel-name.tsx';
import styles from '../shared/rules.module.css';

type Channel = DeskCalls['channels'][number];

const BADGES: Readonly<Record<string, 'good' | 'attention' | 'bad' | 'none'>> = {
  'working': 'good',
  'failing': 'bad',
  'ended': 'bad',
  'not configured': 'attention',
};

/** The state first: a phone has room for little more. */
const COLUMNS: readonly Column<Channel>[] = [
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

/** Where calls go, each to be tried. */
export function ChannelTable({ calls: { delivers, channels } }: { readonly calls: DeskCalls }) {
  const test = useChannelTest();
  const tests: Column<Channel> = {
    name: 'Action',
    pinned: 'end',
    cell: ({ name, state }) => (
      <span className={styles['actions']}>
        <button
          type="button"
          aria-label={`Send a test to ${name}`}
          // One that is disabled while its test is on its way would lose the focus.
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
      {!delivers && <p className={styles['more']}>Another Perpdesk on the same database delivers the calls.</p>}
      <Table caption="Channels" columns={[...COLUMNS, tests]} rows={channels} keyOf={({ name }) => name} />
      {channels.some(({ state }) => state === 'ended') && (
        <p className={styles['more']}>
          A channel that has ended gets no calls until a test is delivered to it, its settings change, or Perpdesk is
          restarted.
        </p>
      )}
      <ActionError error={test.error} />
      {test.result !== undefined && <TestResult result={test.result} />}
    </>
  );
}

/** A test is in the log as well, and may enable a channel again. */
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
  readonly result: CallTest;
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
