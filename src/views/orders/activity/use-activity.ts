import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiResponse } from '#api/api-response.ts';
import type { DeskRequestOf } from '#api/create-api.ts';
import { useApi } from '#api/react/use-api.tsx';
import type { DeskJournalActivity } from '#contract/desk-journal-activity.ts';
import { usePanelQuery, type PanelQuery } from '#panels/panel-query.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { useNowSelector } from '#ui/time/use-now.tsx';
import { QUERY_PARAMS } from '../history/history-query.ts';
import type { ActivityScope } from './activity-scope.ts';
import { GROUPINGS, groupingParam, toTimeSpan, windowParam, type TimeSpan } from './activity-window.ts';

type ActivityQuery = PanelQuery<ApiResponse<DeskJournalActivity>>;

const MINUTE_MS = 60_000;
/** Counting a long time costs the desk more. */
const SHORT_SECONDS = 10;
const LONG_SECONDS = 60;
const LONG_BUCKET = 900;

/** The window of the address, which moves on with the time. Equal ones are one object. */
export function useTimeSpan(): TimeSpan {
  const [name] = useUrlState(windowParam);
  const [from] = useUrlState(QUERY_PARAMS.begin_time);
  const [to] = useUrlState(QUERY_PARAMS.end_time);
  const text = useNowSelector((now) => JSON.stringify(toTimeSpan(name, { from, to }, Math.floor(now / MINUTE_MS) * MINUTE_MS)));
  return useMemo(() => JSON.parse(text) as TimeSpan, [text]);
}

export function toEverySeconds({ bucket_seconds: seconds }: TimeSpan): number {
  return seconds < LONG_BUCKET ? SHORT_SECONDS : LONG_SECONDS;
}

export function useActivity(scope: ActivityScope, span: TimeSpan): ActivityQuery {
  const { queries } = useApi();
  const [grouping] = useUrlState(groupingParam);
  const [window] = useUrlState(windowParam);
  // The desk checks each text and names an invalid parameter.
  const request = { ...scope, ...span, by: GROUPINGS[grouping] } as DeskRequestOf<'journalActivity'>;
  const kept = JSON.stringify([scope, grouping, window]);
  const response = useQuery({
    ...queries.desk.journalActivity(request, { everySeconds: toEverySeconds(span) }),
    meta: { kept },
    // Of the same window a moment ago; of any other filter it would be wrong.
    placeholderData: (previous, query) => (query?.meta?.['kept'] === kept ? previous : undefined),
  });
  return usePanelQuery(response);
}
