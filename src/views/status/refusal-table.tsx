import type { DeskStatus } from '#contract/desk.ts';
import { StateWord } from '#ui/state-word.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { Moment } from '#ui/time/moment.tsx';
import styles from './status-screen.module.css';

type Refusal = DeskStatus['venue']['last_refusal'];

interface Meaning {
  readonly type: string;
  readonly meaning: string;
  readonly toldBy: string;
  readonly remedy: string;
}

/** The venue says 403 to several things; the desk tells them apart by what else it knows. */
const MEANINGS: readonly Meaning[] = [
  { type: 'budget-spent', meaning: 'The request budget is spent', toldBy: 'more was sent than the venue allows', remedy: 'wait; it comes back by itself' },
  { type: 'clock-skew', meaning: 'The clock is off', toldBy: 'the venue’s own time is too far from ours', remedy: 'set this machine’s clock' },
  { type: 'key-refused', meaning: 'The key is refused', toldBy: 'clock and budget are in order', remedy: 'check connection id, token and environment' },
  { type: 'venue-fault', meaning: 'Unknown', toldBy: 'none of these', remedy: 'look into the desk’s log' },
];

export function RefusalTable({ lastRefusal }: { readonly lastRefusal: Refusal }) {
  const columns: readonly Column<Meaning>[] = [
    { name: 'A 403 or 401 meant', pinned: true, cell: ({ meaning }) => meaning },
    { name: 'Told by', cell: ({ toldBy }) => <span className={styles['wrap']}>{toldBy}</span> },
    { name: 'To do', cell: ({ remedy }) => <span className={styles['wrap']}>{remedy}</span> },
    { name: 'Last refusal of all', cell: ({ type }) => <LastSeen refusal={lastRefusal?.type === type ? lastRefusal : null} /> },
  ];
  return <Table caption="What a refusal meant" columns={columns} rows={MEANINGS} keyOf={({ type }) => type} />;
}

function LastSeen({ refusal }: { readonly refusal: Refusal }) {
  if (refusal === null) return <>–</>;
  return (
    <StateWord state="attention">
      <Moment at={refusal.at} />
    </StateWord>
  );
}
