import type { DeskStatus } from '#contract/desk/desk.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from './status-screen.module.css';

type Refusal = DeskStatus['venue']['last_refusal'];

interface Reason {
  readonly type: string;
  readonly reason: string;
  readonly evidence: string;
  readonly remedy: string;
}

/** The venue uses 403 for several reasons; the gateway distinguishes them. */
const REASONS: readonly Reason[] = [
  {
    type: 'budget-spent',
    reason: 'Request budget exhausted',
    evidence: 'more requests than the exchange allows, from Perpdesk or from another program at this IP address',
    remedy: 'wait; the budget refills automatically',
  },
  {
    type: 'clock-skew',
    reason: 'Clock offset too large',
    evidence: 'this machine’s clock is too far from the exchange’s',
    remedy: 'synchronise this machine’s clock',
  },
  {
    type: 'key-refused',
    reason: 'Key rejected',
    evidence: 'clock and budget are OK',
    remedy: 'check connection ID, token and environment',
  },
  { type: 'venue-fault', reason: 'Unknown', evidence: 'none of the above', remedy: 'see Perpdesk’s log' },
];

export function RefusalTable({ lastRefusal }: { readonly lastRefusal: Refusal }) {
  const columns: readonly Column<Reason>[] = [
    { name: 'Reason for 401 or 403', pinned: 'start', cell: ({ reason }) => reason },
    { name: 'Evidence', cell: ({ evidence }) => <span className={styles['wrap']}>{evidence}</span> },
    { name: 'Fix', cell: ({ remedy }) => <span className={styles['wrap']}>{remedy}</span> },
    {
      name: 'Latest rejection',
      cell: ({ type }) => <LastSeen refusal={lastRefusal?.type === type ? lastRefusal : null} />,
    },
  ];
  return <Table caption="Rejection reasons" columns={columns} rows={REASONS} keyOf={({ type }) => type} />;
}

function LastSeen({ refusal }: { readonly refusal: Refusal }) {
  if (refusal === null) return <>–</>;
  return (
    <StatusBadge state="attention">
      <Timestamp at={refusal.at} />
    </StatusBadge>
  );
}
