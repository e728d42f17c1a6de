import { formatDuration } from '../time/format-time.ts';
import { useNow } from '../time/use-now.tsx';
import type { PanelQuery, Stamp } from './panel-query.ts';
import { useTeller, type Age } from './teller.tsx';
import styles from './freshness-mark.module.css';

interface FreshnessMarkProps {
  readonly query: PanelQuery<Stamp> & { readonly data: Stamp };
  /** How often it is read again. */
  readonly everySeconds: number;
  readonly paused?: boolean;
}

const WORDS: Readonly<Record<Age['mark'], string>> = { live: '', ageing: 'ageing, ', stale: 'stale, ', settled: 'settled, ' };

/** Age of what is shown. Shape and word say the same as the colour. */
export function FreshnessMark({ query, everySeconds, paused = false }: FreshnessMarkProps) {
  const { mark, ageSeconds } = useTeller().ofAge(query, everySeconds, useNow());
  return (
    <span className={styles['mark']} data-freshness={paused ? 'paused' : mark}>
      {paused ? 'paused, ' : WORDS[mark]}
      {formatDuration(ageSeconds)} old{mark === 'settled' ? '' : ` · every ${formatDuration(everySeconds)}`}
    </span>
  );
}
