import type { CountedDeviation } from '#contract/parse/parse.ts';
import type { Fact } from '#model/format/provenance.ts';
import type { Checked, PanelQuery, Stamp } from './panel-body.tsx';
import { countOf, formatCount } from '#model/format/count.ts';
import { Figure } from '#page/kit/figure.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { type Freshness, toFreshness } from '#page/client/freshness.ts';
import { useIsOutdated } from '#page/client/react/use-desk-status.ts';
import { formatDuration } from '#model/format/format-time.ts';
import { useNow } from '#page/kit/time/use-now.tsx';
import styles from './freshness-mark.module.css';

interface EndpointDeviation extends Pick<CountedDeviation, 'kind' | 'place' | 'expected' | 'found' | 'count'> {
  readonly endpoint: string;
}

/**
 * Joins the deviations of responses shown together. Each response counts once; equal deviations of an endpoint are
 * added.
 *
 * @internal Exported for its test.
 */
export function joinDeviations(responses: Iterable<Partial<Checked> | undefined>): readonly EndpointDeviation[] {
  const joined = new Map<string, EndpointDeviation>();
  for (const response of new Set(responses)) {
    for (const deviation of response?.deviations ?? []) {
      const { kind, place, expected, found } = deviation;
      const endpoint = response?.endpoint ?? '';
      const key = JSON.stringify([endpoint, kind, place, expected, found]);
      joined.set(key, { ...deviation, endpoint, count: deviation.count + (joined.get(key)?.count ?? 0) });
    }
  }
  return [...joined.values()];
}

/** @internal Exported for its test. */
export function toDeviationFacts(deviations: readonly EndpointDeviation[]): readonly Fact[] {
  return deviations.map(({ endpoint, kind, place, expected, found, count }) => ({
    name: `${endpoint}: ${kind}`,
    value: `${place}: expected ${expected}, found ${found}${count > 1 ? `, ${formatCount(count)} times` : ''}`,
    code: true,
  }));
}

/** A mark that the interface has changed: quiet if fields were added, amber if promised data are missing or differ. */
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
  /** Why newer data are not shown; the data are then not stale. */
  readonly hold?: Hold;
  /** Other responses shown with this one. */
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
  // During an outage nothing is refreshed, even if this panel has not tried yet.
  const isHalted = useIsOutdated(query.data);
  const mark = isHalted ? 'stale' : freshness.mark;
  const responses = [query.data, ...besides];
  const deviates = responses.some((response) => (response?.deviations ?? []).length > 0);
  return (
    <>
      {deviates && <DeviationMark responses={responses} />}{' '}
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
