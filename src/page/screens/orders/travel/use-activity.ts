import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { DeskJournalActivity } from '#contract/desk/journal-activity.ts';
import { toMillis } from '#model/time/session.ts';
import { toStep, type TimeWindow } from '#model/time/time-window.ts';
import { toAtText } from './travel-params.ts';

/** Changes that readings from one time on showed. */
export interface Bucket extends TimeWindow {
  readonly changes: number;
}

/** What the journal recorded in a window. */
export interface Activity {
  /** Null until they are read. Without those that have no change. */
  readonly buckets: readonly Bucket[] | null;
  readonly bucketSeconds: number;
  readonly gaps: readonly TimeWindow[];
  readonly hasFailed: boolean;
}

const MOST_BUCKETS = 240;
const EVERY_SECONDS = 60;
/** Changes are counted by the minute, and at most by the day. */
const [LEAST_STEP, MOST_STEP] = [60_000, 86_400_000];

/** Of one product, or of all orders. */
export function useActivity(window: TimeWindow, symbol: string | null): Activity {
  const { queries } = useApi();
  const step = Math.min(MOST_STEP, Math.max(LEAST_STEP, toStep(window, MOST_BUCKETS)));
  // On the grid of the buckets, so that a window whose end moves with the newest reading is not read again each time.
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
    // How an order that is gone was closed is no change of what was working.
    buckets: buckets.map(({ from, seen, changed, gone, returned }) => ({
      from: toMillis(from),
      to: toMillis(from) + bucketSeconds * 1_000,
      changes: seen + changed + gone + returned,
    })),
    gaps: gaps.map(({ from, to }) => ({ from: toMillis(from), to: toMillis(to) })),
  };
}
