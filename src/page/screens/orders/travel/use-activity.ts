import { type TimeWindow, toShare, toStep } from '#model/time/time-window.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { DeskJournalActivity } from '#contract/desk/journal.ts';
import { toMillis } from '#model/time/session.ts';
import { toAtText } from './travel-params.ts';

/** A period, and the changes shown by the readings in it. */
interface Bucket extends TimeWindow {
  readonly changes: number;
}

/** The changes and gaps that the journal recorded in a window. */
export interface Activity {
  /** Null until they have been read. Buckets without changes are omitted. */
  readonly buckets: readonly Bucket[] | null;
  readonly bucketSeconds: number;
  readonly gaps: readonly TimeWindow[];
  readonly hasFailed: boolean;
}

const MOST_BUCKETS = 240;
const EVERY_SECONDS = 60;
/** The journal counts changes by the minute at least, and by the day at most. */
const [LEAST_STEP, MOST_STEP] = [60_000, 86_400_000];

/** Reads the journal's activity for one product, or for all orders if `symbol` is null. */
export function useActivity(window: TimeWindow, symbol: string | null): Activity {
  const { queries } = useApi();
  const step = Math.min(MOST_STEP, Math.max(LEAST_STEP, toStep(window, MOST_BUCKETS)));
  // Aligned to buckets, so that a window that ends at the newest reading is not read again each time it moves.
  const times = {
    begin_time: toAtText(Math.floor(window.from / step) * step),
    end_time: toAtText(Math.ceil((window.to + 1) / step) * step),
  };
  const request = { ...times, bucket_seconds: step / 1_000, ...(symbol !== null && { symbol }) };
  const { data, error } = useQuery({
    ...queries.desk.journalActivity(request, { everySeconds: EVERY_SECONDS }),
    placeholderData: (previous) => previous,
  });
  const activity = useMemo(() => toActivity(data?.value), [data]);
  return { ...activity, hasFailed: error !== null };
}

function toActivity(activity: DeskJournalActivity | undefined): Omit<Activity, 'hasFailed'> {
  if (activity === undefined) return { buckets: null, bucketSeconds: 0, gaps: [] };
  const { buckets, bucket_seconds: bucketSeconds, gaps } = activity;
  return {
    bucketSeconds,
    // An outcome (`ended`) explains a gone order, but is not a change of what was working.
    buckets: buckets.map(({ from, seen, changed, gone, returned }) => ({
      from: toMillis(from),
      to: toMillis(from) + bucketSeconds * 1_000,
      changes: seen + changed + gone + returned,
    })),
    gaps: gaps.map(({ from, to }) => ({ from: toMillis(from), to: toMillis(to) })),
  };
}

export const DENSITY = { width: 1_000, height: 100 } as const;

/** Keeps a bucket with a single change visible. */
const LEAST_HEIGHT = 8;

/**
 * Draws a bar for each bucket, from the lower edge up. Heights follow the square root of the changes, because the
 * journal's first reading counts every order and would dwarf the rest.
 */
export function toDensityPath(buckets: readonly Bucket[], window: TimeWindow): string {
  const most = Math.max(1, ...buckets.map(({ changes }) => changes));
  return buckets
    .filter(({ from, to, changes }) => changes > 0 && to > window.from && from < window.to)
    .map(({ from, to, changes }) => {
      const height = Math.max(LEAST_HEIGHT, Math.sqrt(changes / most) * DENSITY.height);
      const [left, right] = [from, to].map((end) => (toShare(end, window) * DENSITY.width).toFixed(1));
      return (
        `M${left ?? ''} ` +
        `${String(DENSITY.height)}V${(DENSITY.height - height).toFixed(1)}H${right ?? ''}V${String(DENSITY.height)}Z`
      );
    })
    .join('');
}
