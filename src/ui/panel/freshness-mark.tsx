import { formatDuration } from '../time/format-time.ts';
import { useNow } from '../time/use-now.tsx';
import { DeviationMark } from './deviation-mark.tsx';
import type { Judged, PanelQuery, Stamp } from './panel-query.ts';
import { useTeller, type Age } from './teller.tsx';
import styles from './freshness-mark.module.css';

interface FreshnessMarkProps {
  readonly query: PanelQuery<Stamp> & { readonly data: Stamp };
  /** How often it is read again. */
  readonly everySeconds: number;
  readonly paused?: boolean;
  /** Other answers that are shown along with it. */
  readonly besides?: readonly (Partial<Judged> | undefined)[];
}

const NONE: readonly undefined[] = [];

const WORDS: Readonly<Record<Age['mark'], string>> = { live: '', ageing: 'ageing, ', stale: 'stale, ', settled: 'settled, ' };

/** Age of what is shown, and whether it is what it should be. Shape and word say the same as the colour. */
export function FreshnessMark({ query, everySeconds, paused = false, besides = NONE }: FreshnessMarkProps) {
  const { mark, ageSeconds } = useTeller().ofAge(query, everySeconds, useNow());
  const answers = [query.data, ...besides];
  return (
    <>
      {answers.some((answer) => (answer?.deviations ?? []).length > 0) && <DeviationMark answers={answers} />}{' '}
      <span className={styles['mark']} data-freshness={paused ? 'paused' : mark}>
        {paused ? 'paused, ' : WORDS[mark]}
        {formatDuration(ageSeconds)} old{mark === 'settled' ? '' : ` · every ${formatDuration(everySeconds)}`}
      </span>
    </>
  );
}
