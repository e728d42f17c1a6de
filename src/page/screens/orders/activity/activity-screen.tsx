import { CHANGE_KINDS, type DeskJournalActivity } from '#contract/desk/journal.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import { countOf } from '#model/format/count.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import {
  type ChosenWindow,
  DRAWN_NAMES,
  findPeak,
  groupingParam,
  GROUPINGS,
  KINDS,
  kindsParam,
  type TimeSpan,
  toBounds,
  toTimeSpan,
  windowParam,
} from '#model/tables/orders/activity-window.ts';
import styles from './activity.module.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ApiResponse } from '#model/response.ts';
import type { DeskRequestOf } from '#page/client/create-api.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { PanelBody, type PanelQuery, usePanelQuery } from '#page/panels/panel-body.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useNowSelector, useNowSnapshot } from '#page/kit/time/use-now.tsx';
import { useStable } from '#page/kit/use-stable.ts';
import { QUERY_PARAMS } from '#model/tables/orders/history-query.ts';
import { type ActivityScope, findUncountable, toScope } from './activity-scope.ts';
import { ClockNote } from '#page/panels/clock-note.tsx';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { ListLinks } from '../shared/order-links.tsx';
import orders from '../shared/orders.module.css';
import { HeldFilters, LinkFace } from '../list-state/link-face.tsx';
import { type ListControl, useListState } from '../list-state/use-list-state.ts';
import { ActivityTools } from './activity-tools.tsx';
import { createChangeColumns } from './change-columns.ts';
import { ChangesList } from './changes-list.tsx';
import { CountsPanel } from './counts-panel.tsx';

const HEIGHT = 100;

interface DensityChartProps {
  readonly activity: DeskJournalActivity;
  /** The start of the window, even if the journal starts later. */
  readonly begin: Instant | undefined;
}

/** Draws the number of changes over time. Unread time is hatched; changes during a gap appear at its end. */
export function DensityChart({ activity, begin }: DensityChartProps) {
  const [zone] = useZone();
  const { buckets, from, to, bucket_seconds: seconds } = activity;
  if (from === null || to === null) return null;
  const isLate = begin !== undefined && compareInstants(begin, from) < 0;
  const first = isLate ? begin : from;
  const gaps = [...(isLate ? [{ from: begin, to: from }] : []), ...activity.gaps];
  const stepMs = seconds * 1_000;
  const start = Math.floor(Date.parse(first) / stepMs) * stepMs;
  const length = Math.max(stepMs, Math.ceil((Date.parse(to) - start) / stepMs) * stepMs);
  const shareOf = (instant: number): number => Math.min(1, Math.max(0, (instant - start) / length));
  const { most, caption, sentence } = findPeak(activity, zone);
  return (
    <figure className={styles['density']}>
      <figcaption>
        <span>{caption}</span>
        <span className={styles['legend']} aria-hidden="true">
          {KINDS.map((kind) => (
            <span key={kind}>
              <i data-kind={kind} /> {DRAWN_NAMES[kind]}
            </span>
          ))}
          {gaps.length > 0 && (
            <span>
              <i data-part="gap" className={styles['sample']} /> not read
            </span>
          )}
        </span>
      </figcaption>
      <div
        className={styles['plot']}
        role="img"
        aria-label={`Changes over time: ${sentence}; ${countOf(activity.gaps.length, 'gap')}.`}
      >
        <svg viewBox={`0 0 ${String(length / stepMs)} ${String(HEIGHT)}`} preserveAspectRatio="none">
          {buckets.map((bucket) => {
            let top = HEIGHT;
            return KINDS.map((kind) => {
              const height = (bucket[kind] / most) * HEIGHT;
              top -= height;
              return (
                <rect
                  key={`${bucket.from} ${kind}`}
                  data-kind={kind}
                  x={(Date.parse(bucket.from) - start) / stepMs + 0.08}
                  width={0.84}
                  y={top}
                  height={height}
                />
              );
            });
          })}
        </svg>
        {gaps.map((gap) => {
          const [left, right] = [shareOf(Date.parse(gap.from)), shareOf(Date.parse(gap.to))];
          return (
            <i
              key={gap.from}
              data-part="gap"
              className={styles['gap']}
              style={{ insetInlineStart: `${String(left * 100)}%`, inlineSize: `${String((right - left) * 100)}%` }}
            />
          );
        })}
      </div>
      <div className={styles['axis']}>
        <Timestamp at={start} />
        <Timestamp at={start + length} />
      </div>
    </figure>
  );
}

type ActivityQuery = PanelQuery<ApiResponse<DeskJournalActivity>>;

/** Counts over a long period cost the server more, so they are read less often. */
const SHORT_SECONDS = 10;
const LONG_SECONDS = 60;
const LONG_BUCKET = 900;

/** Returns the window in the address, as the same object while it is unchanged. */
export function useChosenWindow(): ChosenWindow {
  const [name] = useUrlState(windowParam);
  const [from] = useUrlState(QUERY_PARAMS.begin_time);
  const [to] = useUrlState(QUERY_PARAMS.end_time);
  return useStable(name === 'range' ? { name, from, to } : { name, from: '', to: '' });
}

/** Returns the current period of a window, which may move with the clock, as the same object while it is unchanged. */
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
  // The server validates each text and names an invalid parameter.
  const request = { ...scope, ...span, by: GROUPINGS[grouping] } as DeskRequestOf<'journalActivity'>;
  const kept = JSON.stringify([scope, grouping, chosen]);
  const response = useQuery({
    ...queries.desk.journalActivity(request, { everySeconds: toEverySeconds(span) }),
    meta: { kept },
    // Keeps data of the same window on screen; data of another filter would be wrong.
    placeholderData: (previous, query) => (query?.meta?.['kept'] === kept ? previous : undefined),
  });
  return usePanelQuery(response);
}

/** Shows what changed among working orders: counts, and single changes. */
export function ActivityScreen() {
  const [zone] = useZone();
  const columns = useMemo(() => createChangeColumns(zone), [zone]);
  const [codes, setCodes] = useState<ReadonlySet<string>>(NO_CODES);
  const list = useListState(columns, codes, 'activity');
  const uncountable = findUncountable(list.state);
  if (list.link.is !== 'resolved' || uncountable.length > 0) {
    return (
      <div className={orders['screen']}>
        <Toolbar title="Activity">
          <ListLinks here="Activity" />
        </Toolbar>
        {list.link.is === 'resolved' ? <Uncountable list={list} columns={uncountable} /> : <LinkFace list={list} />}
      </div>
    );
  }
  return <Activity list={list} columns={columns} setCodes={setCodes} codes={codes} />;
}

const NO_CODES: ReadonlySet<string> = new Set();

function Uncountable({ list, columns }: { readonly list: ListControl; readonly columns: readonly string[] }) {
  return (
    <EmptyState title="Counts cannot be filtered like this">
      <p>
        Activity is counted by product, product type, account, clearing firm and connection, one value each. The link
        filters otherwise ({columns.join(', ')}).
      </p>
      <button
        type="button"
        onClick={() => {
          const filters = Object.fromEntries(
            Object.entries(list.state.filters).filter(([id]) => !columns.includes(id)),
          );
          list.set({ ...list.state, quick: '', filters });
        }}
      >
        Remove these filters
      </button>
    </EmptyState>
  );
}

interface ActivityProps {
  readonly list: ListControl;
  readonly columns: ReturnType<typeof createChangeColumns>;
  readonly codes: ReadonlySet<string>;
  readonly setCodes: (codes: ReadonlySet<string>) => void;
}

function Activity({ list, columns, codes, setCodes }: ActivityProps) {
  const scope = useStable(toScope(list.state));
  const chosen = useChosenWindow();
  const span = useTimeSpan(chosen);
  const [kinds] = useUrlState(kindsParam);
  const query = useActivity(scope, chosen, span);
  const request = useChangesRequest(scope, chosen, kinds);
  const { data } = query;
  useCodes(data, codes, setCodes);
  const clear = (): void => {
    list.set({ ...list.state, filters: {}, quick: '' });
  };
  return (
    <div className={orders['screen']}>
      <Toolbar
        title="Activity"
        aside={data !== undefined && <FreshnessMark query={{ ...query, data }} everySeconds={toEverySeconds(span)} />}
      >
        <ListLinks here="Activity" />
      </Toolbar>
      <ClockNote />
      <ActivityTools list={list} columns={columns} />
      <HeldFilters list={list} />
      <div className={styles['body']} aria-busy={data === undefined && query.isFetching}>
        <PanelBody query={query} emptyState={({ value }) => (value.from === null ? <NotRead {...value} /> : null)}>
          {(response) => (
            <div className={styles['panels']}>
              <div className={styles['top']}>
                <CountsPanel response={response} list={list} scope={scope} />
                <DensityChart activity={response.value} begin={span.begin_time} />
              </div>
              <ChangesList
                key={JSON.stringify(request)}
                response={response}
                list={list}
                columns={columns}
                scope={scope}
                request={request}
                end={span.end_time}
                isFiltered={Object.keys(scope).length + kinds.length > 0}
                clear={clear}
              />
            </div>
          )}
        </PanelBody>
      </div>
    </div>
  );
}

/** Fixes the window's start when the list opens: changes that leave the window later stay in the list. */
function useChangesRequest(
  scope: ActivityScope,
  chosen: ChosenWindow,
  kinds: readonly string[],
): DeskRequestOf<'journalChanges'> {
  const known = CHANGE_KINDS.filter((kind) => kinds.includes(kind));
  const asked = { ...scope, ...(known.length > 0 && { kind: known }) };
  // The server validates each text and names an invalid parameter.
  return useNowSnapshot(
    JSON.stringify([asked, chosen]),
    (now) => ({ ...asked, ...toBounds(chosen, now) }) as DeskRequestOf<'journalChanges'>,
  );
}

/** Collects the codes that addresses replace by aliases. */
function useCodes(
  response: ApiResponse<DeskJournalActivity> | undefined,
  codes: ReadonlySet<string>,
  setCodes: ActivityProps['setCodes'],
): void {
  useEffect(() => {
    const found =
      response?.value.groups.flatMap(({ account_id: account }) => (account === null ? [] : [account])) ?? [];
    const added = found.filter((code) => !codes.has(code));
    if (added.length > 0) setCodes(new Set([...codes, ...added]));
  }, [response, codes, setCodes]);
}

function NotRead({ kept_from: from, read_to: to }: DeskJournalActivity) {
  return (
    <EmptyState title="Nothing was read in this period">
      {from === null || to === null ? (
        <p>
          The journal has no reading of working orders yet. It begins once they are read: every 30 seconds, unless
          DESK_JOURNAL_SECONDS is 0, and whenever a screen shows them.
        </p>
      ) : (
        <p>
          The journal begins at <Timestamp at={from} />, and its last reading is from <Timestamp at={to} />.
        </p>
      )}
    </EmptyState>
  );
}
