import { toShare, type TimeWindow } from '#model/time/time-window.ts';
import type { Bucket } from './use-activity.ts';

export const DENSITY = { width: 1_000, height: 100 } as const;

/** A bucket with a single change can still be seen. */
const LEAST_HEIGHT = 8;

/**
 * A bar for each bucket, from the lower edge up. Heights follow the square root of the changes: the reading that a journal
 * begins with shows every order, and would leave nothing of the others.
 */
export function toDensityPath(buckets: readonly Bucket[], window: TimeWindow): string {
  const most = Math.max(1, ...buckets.map(({ changes }) => changes));
  return buckets
    .filter(({ from, to, changes }) => changes > 0 && to > window.from && from < window.to)
    .map(({ from, to, changes }) => {
      const height = Math.max(LEAST_HEIGHT, Math.sqrt(changes / most) * DENSITY.height);
      const [left, right] = [from, to].map((end) => (toShare(end, window) * DENSITY.width).toFixed(1));
      return `M${left ?? ''} ${String(DENSITY.height)}V${(DENSITY.height - height).toFixed(1)}H${right ?? ''}V${String(DENSITY.height)}Z`;
    })
    .join('');
}
