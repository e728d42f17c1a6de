import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import type { DeskRequestOf } from '#page/client/create-api.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import type { DeskJournalActivity } from '#contract/desk/journal-activity.ts';
import { usePanelQuery, type PanelQuery } from '#page/panels/panel-query.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { useNowSelector } from '#page/kit/time/use-now.tsx';
import { useStable } from '#page/kit/use-stable.ts';
import { QUERY_PARAMS } from '#model/tables/orders/history-query.ts';
import type { ActivityScope } from './activity-scope.ts';
import {
  GROUPINGS,
  groupingParam,
  toTimeSpan,
  windowParam,
  type ChosenWindow,
  type TimeSpan,
} from '#model/tables/orders/activity-window.ts';

type ActivityQuery = PanelQuery<ApiResponse<DeskJournalActivity>>;

/** Counting a long time costs the desk more. */
const SHORT_SECONDS = 10;
const LONG_SECONDS = 60;
const LONG_BUCKET = 900;

/** The window of the address. Equal ones are one object. */
export function useChosenWindow(): ChosenWindow {
  const [name] = useUrlState(windowParam);
  const [from] = useUrlState(QUERY_PARAMS.begin_time);
  const [to] = useUrlState(QUERY_PARAMS.end_time);
  return useStable(name === 'range' ? { name, from, to } : { name, from: '', to: '' });
}

/** The time of a window, which moves on. Equal ones are one object. */
export function useTimeSpan(chosen: ChosenWindow): TimeSpan {
  const { queries } = useApi();
  const { data: keptFrom = null } = useQuery({
    ...queries.desk.status({}),
    select: ({ value: { journal } }) => journal.kept_from,
  });
  const text = useNowSelector((now) => JSON.stringify(toTimeSpan(chosen, now, keptFrom)));
  return useMemo(() => JSON.parse(text) as TimeSpan, [text]);
}

export function toEverySeconds({ bucket_seconds: seconds }: TimeSpan): number {
  return seconds < LONG_BUCKET ? SHORT_SECONDS : LONG_SECONDS;
}

export function useActivity(scope: ActivityScope, chosen: ChosenWindow, span: TimeSpan): ActivityQuery {
  const { queries } = useApi();
  const [grouping] = useUrlState(groupingParam);
  // The desk checks each text and names an invalid parameter.
  const request = { ...scope, ...span, by: GROUPINGS[grouping] } as DeskRequestOf<'journalActivity'>;
  const kept = JSON.stringify([scope, grouping, chosen]);
  const response = useQuery({
    ...queries.desk.journalActivity(request, { everySeconds: toEverySeconds(span) }),
    meta: { kept },
    // Of the same window a moment ago; of any other filter it would be wrong.
    placeholderData: (previous, query) => (query?.meta?.['kept'] === kept ? previous : undefined),
  });
  return usePanelQuery(response);
}
