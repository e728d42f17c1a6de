import { countOf } from '#model/format/count.ts';
import { Figure } from '../kit/controls/figure.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { joinDeviations, toDeviationFacts } from './deviation-facts.ts';
import type { Checked, PanelQuery, Stamp } from './panel-query.ts';
import { type Freshness, toFreshness } from '../client/freshness.ts';
import { useOutage } from '../client/react/use-outage.ts';
import { formatDuration } from '#model/format/format-time.ts';
import { useNow } from '../kit/time/use-now.tsx';
import styles from './freshness-mark.module.css';

/** Shows that the interface has changed: quiet where fields were added, amber where promised data are missing or differ. */
function DeviationMark({ responses }: { readonly responses: readonly (Partial<Checked> | undefined)[] }) {
  const deviations = joinDeviations(responses);
  const grave = deviations.filter(({ kind }) => kind !== 'unknown field').length;
  const text = grave > 0 ? countOf(grave, 'deviation') : countOf(deviations.length, 'unknown field');
  return (
    <StatusBadge state={grave > 0 ? 'attention' : 'none'}>
      <Figure name="Differs from the exchange’s API" text={text} provenance={() => toDeviationFacts(deviations)} />
    </StatusBadge>
  );
}

type Hold = 'paused' | 'held' | null;

interface FreshnessMarkProps {
  readonly query: PanelQuery<Stamp> & { readonly data: Stamp };
  /** Refresh interval. */
  readonly everySeconds: number;
  /** Why newer data are not shown: older ones are then not stale. */
  readonly hold?: Hold;
  /** Other responses shown along with it. */
  readonly besides?: readonly (Partial<Checked> | undefined)[];
}

const NONE: readonly undefined[] = [];

const WORDS: Readonly<Record<Freshness['mark'], string>> = {
  live: '',
  ageing: 'ageing, ',
  stale: 'stale, ',
  settled: 'settled, ',
};

/** The age of the data shown, and whether it is acceptable. Shape and word say the same as the colour. */
export function FreshnessMark({ query, everySeconds, hold = null, besides = NONE }: FreshnessMarkProps) {
  const { cadence } = query.data;
  const seconds = Math.max(everySeconds, cadence?.everySeconds ?? 0);
  const freshness = toFreshness(query, { reuseSeconds: seconds }, useNow());
  const { ageSeconds } = freshness;
  // During an outage nothing is refreshed, whether or not this panel has tried.
  const isHalted = useOutage() !== null && freshness.mark !== 'settled';
  const mark = isHalted ? 'stale' : freshness.mark;
  const responses = [query.data, ...besides];
  return (
    <>
      {responses.some((response) => (response?.deviations ?? []).length > 0) && <DeviationMark responses={responses} />}{' '}
      <span className={styles['mark']} data-freshness={hold ?? mark}>
        {hold === null ? WORDS[mark] : `${hold}, `}
        {formatDuration(ageSeconds)} old{mark === 'settled' || isHalted ? '' : describeRefresh(seconds, cadence)}
      </span>
    </>
  );
}

function describeRefresh(seconds: number, cadence: Stamp['cadence']): string {
  const sharing = cadence === undefined || cadence.sharedBy < 2 ? '' : `, shared by ${String(cadence.sharedBy)}`;
  return ` · refreshes every ${formatDuration(seconds)}${sharing}`;
}
