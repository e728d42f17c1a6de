import { toFreshness, type Freshness } from '#api/freshness.ts';
import { formatDuration } from '#ui/time/format-time.ts';
import { useNow } from '#ui/time/use-now.tsx';
import { DeviationMark } from './deviation-mark.tsx';
import type { Checked, PanelQuery, Stamp } from './panel-query.ts';
import styles from './freshness-mark.module.css';

interface FreshnessMarkProps {
  readonly query: PanelQuery<Stamp> & { readonly data: Stamp };
  /** Refresh interval. */
  readonly everySeconds: number;
  readonly paused?: boolean;
  /** Other responses shown along with it. */
  readonly besides?: readonly (Partial<Checked> | undefined)[];
}

const NONE: readonly undefined[] = [];

const WORDS: Readonly<Record<Freshness['mark'], string>> = { live: '', ageing: 'ageing, ', stale: 'stale, ', settled: 'settled, ' };

/** The age of the data shown, and whether it is acceptable. Shape and word say the same as the colour. */
export function FreshnessMark({ query, everySeconds, paused = false, besides = NONE }: FreshnessMarkProps) {
  const { mark, ageSeconds } = toFreshness(query, { reuseSeconds: everySeconds }, useNow());
  const responses = [query.data, ...besides];
  return (
    <>
      {responses.some((response) => (response?.deviations ?? []).length > 0) && <DeviationMark responses={responses} />}{' '}
      <span className={styles['mark']} data-freshness={paused ? 'paused' : mark}>
        {paused ? 'paused, ' : WORDS[mark]}
        {formatDuration(ageSeconds)} old{mark === 'settled' ? '' : ` · refreshes every ${formatDuration(everySeconds)}`}
      </span>
    </>
  );
}
