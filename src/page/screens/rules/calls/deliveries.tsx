import { useEffect } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { CallDelivery, DeskCalls } from '#contract/desk/calls.ts';
import { formatCount } from '#model/format/count.ts';
import { NO_VALUE } from '#model/format/number.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { textParam } from '#model/format/url-param.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { PagedPanel, type LogQuery } from '#page/panels/log/paged-panel.tsx';
import { useLog } from '#page/panels/log/use-log.ts';
import { ChannelName } from './channel-name.tsx';
import styles from '../shared/rules.module.css';

/** Name of the log among queries. */
export const DELIVERY_LOG = 'desk/callDeliveries';

/** What came of it first: a phone has room for no more. */
const COLUMNS: readonly Column<CallDelivery>[] = [
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
  readonly channels: DeskCalls['channels'];
}

/** Each attempt to deliver a call, the newest first. */
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
      <Table caption="Deliveries, newest first" columns={COLUMNS} rows={rows} keyOf={({ number }) => String(number)} />
    </PagedPanel>
  );
}

/** Number of the last attempt that the channels know of; of all of them, or of one. */
function findNewest(channels: DeskCalls['channels'], chosen: string): number {
  const numbers = channels.filter(({ name }) => chosen === '' || name === chosen).map(({ last }) => last?.number ?? 0);
  return Math.max(0, ...numbers);
}

/** One that failed is not repeated by itself: the panel says so, and offers it. */
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
        <p>Each attempt to deliver a call is listed here, with the response.</p>
      )}
    </EmptyState>
  );
}
