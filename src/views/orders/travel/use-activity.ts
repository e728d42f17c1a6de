import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#api/react/use-api.tsx';
import { toMillis } from '#domain/time/session.ts';
import { toStep, type TimeWindow } from '#domain/time/time-window.ts';
import { toAtText } from './travel-params.ts';

/** What the journal recorded in a window. */
export interface Activity {
  /** Null until it is read. */
  readonly gaps: readonly TimeWindow[] | null;
  readonly hasFailed: boolean;
}

const MOST_BUCKETS = 240;
const EVERY_SECONDS = 60;

export function useActivity(window: TimeWindow): Activity {
  const { queries } = useApi();
  const step = toStep(window, MOST_BUCKETS);
  // On the grid of the buckets, so that a window whose end moves with the newest reading is not read again each time.
  const times = { begin_time: toAtText(Math.floor(window.from / step) * step), end_time: toAtText(Math.ceil((window.to + 1) / step) * step) };
  const { data, error } = useQuery({ ...queries.desk.journal(times, { everySeconds: EVERY_SECONDS }), placeholderData: (previous) => previous });
  const gaps = useMemo(() => data?.value.gaps.map(({ from, to }) => ({ from: toMillis(from), to: toMillis(to) })) ?? null, [data]);
  return { gaps, hasFailed: error !== null };
}
