import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { toMillis } from '#model/time/session.ts';
import type { TimeWindow } from '#model/time/time-window.ts';

/** The time that the journal covers. */
export interface JournalTime {
  /** Null: no reading yet. */
  readonly whole: TimeWindow | null;
  /** Epoch milliseconds of the desk's clock. */
  readonly now: number;
}

/** By the status that the header keeps current, so that it costs no request. Undefined until it is read. */
export function useJournalTime(): JournalTime | undefined {
  const { queries } = useApi();
  const { data } = useQuery(queries.desk.status({}));
  return useMemo(() => {
    if (data === undefined) return undefined;
    const {
      journal: { kept_from: from, read_to: to },
      now,
    } = data.value;
    return {
      whole: from === null || to === null ? null : { from: toMillis(from), to: toMillis(to) },
      now: toMillis(now),
    };
  }, [data]);
}
