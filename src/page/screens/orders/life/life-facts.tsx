import { countOf } from '#model/format/count.ts';
import { isUnexplained } from '#model/orders/order-life.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import type { LifeReading } from './use-life.ts';
import styles from './life.module.css';

/** What the journal covers, and what it does not know of the order. */
export function LifeFacts({
  query,
  changes,
  gaps,
  haveGapsFailed,
}: Pick<LifeReading, 'query' | 'changes' | 'gaps' | 'haveGapsFailed'>) {
  const { data } = query;
  if (data === undefined) return null;
  const { kept_from: from, read_to: to } = data.value;
  const gapMs = (gaps ?? []).reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const leftOut = data.setAside.length;
  return (
    <div className={styles['note']}>
      <p>
        Journal since <Timestamp at={from} />, last reading <Timestamp at={to} />.
      </p>
      {isUnexplained(changes) && <p>How it closed is not known yet.</p>}
      {gapMs > 0 && (
        <p>
          Hatched: working orders were not read for {formatDuration(gapMs / 1_000)} in{' '}
          {countOf(gaps?.length ?? 0, 'gap')}. Changes there may have gone unseen.
        </p>
      )}
      {haveGapsFailed && <p>Gaps in the journal could not be read: there may be some that are not hatched.</p>}
      {leftOut > 0 && <p>{countOf(leftOut, 'change')} left out: invalid in the response.</p>}
    </div>
  );
}
