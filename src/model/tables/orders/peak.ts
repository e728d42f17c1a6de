import type { DeskJournalActivity } from '#contract/desk/journal-activity.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { formatDuration, formatInstant, type Zone } from '../../format/format-time.ts';

/** The kinds that a chart draws, from the bottom up. */
export const KINDS = ['seen', 'changed', 'gone'] as const;

interface Peak {
  /** What is drawn at full height. */
  readonly most: number;
  readonly caption: string;
  readonly sentence: string;
}

/** The most changes in one interval. */
export function findPeak(
  { buckets, bucket_seconds: seconds }: Pick<DeskJournalActivity, 'buckets' | 'bucket_seconds'>,
  zone: Zone,
): Peak {
  const sums = buckets.map((bucket) => KINDS.reduce((sum, kind) => sum + bucket[kind], 0));
  const most = Math.max(1, ...sums);
  const busiest = buckets[sums.indexOf(most)];
  if (busiest === undefined) return { most, caption: 'No changes', sentence: 'no changes' };
  const length = formatDuration(seconds);
  return {
    most,
    caption: `${formatCount(most)} in ${length}`,
    sentence: `at most ${countOf(most, 'change')} in ${length}, from ${formatInstant(Date.parse(busiest.from), zone)}`,
  };
}
