import { useEffect, useMemo, useState } from 'react';
import type { ApiResponse } from '#model/response.ts';
import type { DeskRequestOf } from '#page/client/create-api.ts';
import { CHANGE_KINDS } from '#contract/desk/journal.ts';
import type { DeskJournalActivity } from '#contract/desk/journal-activity.ts';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { useNowSnapshot } from '#page/kit/time/use-now.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { useStable } from '#page/kit/use-stable.ts';
import { ListLinks } from '../shared/list-links.tsx';
import orders from '../shared/orders.module.css';
import { HeldFilters, LinkFace } from '../list-state/link-face.tsx';
import { useListState, type ListControl } from '../list-state/use-list-state.ts';
import { findUncountable, toScope, type ActivityScope } from './activity-scope.ts';
import { ActivityTools } from './activity-tools.tsx';
import { kindsParam, toBounds, type ChosenWindow } from '#model/tables/orders/activity-window.ts';
import { createChangeColumns } from './change-columns.ts';
import { ChangesList } from './changes-list.tsx';
import { CountsPanel } from './counts-panel.tsx';
import { DensityChart } from './density-chart.tsx';
import { toEverySeconds, useActivity, useChosenWindow, useTimeSpan } from './use-activity.ts';
import styles from './activity.module.css';

/** What changed among working orders: counted, and one by one. */
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

/** The list begins with the window as it was when it was opened: what moves out of the window meanwhile stays in the list. */
function useChangesRequest(
  scope: ActivityScope,
  chosen: ChosenWindow,
  kinds: readonly string[],
): DeskRequestOf<'journalChanges'> {
  const known = CHANGE_KINDS.filter((kind) => kinds.includes(kind));
  const asked = { ...scope, ...(known.length > 0 && { kind: known }) };
  // The desk checks each text and names an invalid parameter.
  return useNowSnapshot(
    JSON.stringify([asked, chosen]),
    (now) => ({ ...asked, ...toBounds(chosen, now) }) as DeskRequestOf<'journalChanges'>,
  );
}

/** Codes that an address replaces by aliases. */
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
