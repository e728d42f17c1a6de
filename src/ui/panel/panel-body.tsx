import type { ReactNode } from 'react';
import { Face } from '../face.tsx';
import { useAnnounced } from '../live-region.tsx';
import type { PanelQuery, Stamp } from './panel-query.ts';
import { Skeleton } from './skeleton.tsx';
import { useTeller, type Teller, type Trouble } from './teller.tsx';
import { Countdown } from './countdown.tsx';
import { TroubleFace } from './trouble-face.tsx';
import styles from './panel.module.css';

export interface PanelBodyProps<T extends Stamp> {
  readonly query: PanelQuery<T>;
  /** What stands in place of rows where there are none, or null where there are some. */
  readonly emptiness?: (data: T) => ReactNode;
  readonly children: (data: T) => ReactNode;
}

export function PanelBody<T extends Stamp>({ query, emptiness, children }: PanelBodyProps<T>) {
  const teller = useTeller();
  const { data, error, isFetching, refetch } = query;
  if (data === undefined) {
    return error === null ? <Skeleton /> : <TroubleFace trouble={teller.ofError(error)} asking={isFetching} retry={refetch} />;
  }
  const reason = staleReason(teller, data, error);
  return (
    <>
      {reason !== null && <StaleNotice reason={reason} retry={refetch} />}
      <div className={styles['content']} data-stale={reason !== null}>
        {emptiness?.(data) ?? children(data)}
      </div>
    </>
  );
}

type StaleReason = Pick<Trouble, 'detail' | 'advice' | 'retryAt'>;

function staleReason(teller: Teller, { staleBecause }: Stamp, error: Error | null): StaleReason | null {
  if (error !== null) return teller.ofError(error);
  return staleBecause === null ? null : { detail: teller.ofReason(staleBecause), advice: teller.adviceOn(staleBecause), retryAt: null };
}

interface StaleNoticeProps {
  readonly reason: StaleReason;
  readonly retry: () => unknown;
}

/** The last good data stay, dimmed, with their age above; this says why, and what to do. */
function StaleNotice({ reason: { detail, advice, retryAt }, retry }: StaleNoticeProps) {
  // Panels of one answer fall behind together: the one region tells it once, where an alert in each would tell it often.
  useAnnounced(`Not current. ${detail}`, true);
  return (
    <p className={styles['notice']}>
      <span>
        <strong>Not current.</strong> These are the last good data. {detail} {advice} {retryAt !== null && <Countdown retryAt={retryAt} />}
      </span>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  );
}

interface NothingProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** There is nothing, and nothing is wrong. */
export function Nothing({ title, children }: NothingProps) {
  return (
    <Face title={title} level={3}>
      {children}
    </Face>
  );
}

type FilteredOutProps = {
  readonly clear: () => void;
} & (
  | {
      /** How many there are without the filter. */
      readonly total: number;
    }
  | {
      /** Among how many it was looked, where there may be others: a sentence. */
      readonly among: string;
    }
);

/** There is something, but not for this filter. */
export function FilteredOut(props: FilteredOutProps) {
  return (
    <Nothing title="Nothing fits the filter">
      <p>{'among' in props ? props.among : `Without it there are ${String(props.total)}.`}</p>
      <button type="button" onClick={props.clear}>
        Clear the filter
      </button>
    </Nothing>
  );
}
