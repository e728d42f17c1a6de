import { useMemo, useRef, useState } from 'react';
import type { Alert, DeskAlerts } from '#contract/desk/alerts.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatDayIn } from '#model/format/format-time.ts';
import { choiceParam } from '#model/format/url-param.ts';
import { type AlertTab, keyOfAlert, toTab } from '#model/rules/alert-tabs.ts';
import { ALERT_ORDERS, ALERT_SORTS, type AlertSort, createAlertColumns } from '#model/tables/alerts/alert-columns.ts';
import { defaultGridState, type GridState } from '#model/tables/grid.ts';
import type { GridRowsHandle } from '#page/kit/grid/grid-props.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { useGridRows } from '#page/kit/grid/use-grid-rows.ts';
import { useGridKeys } from '#page/kit/grid/use-stored-grid.tsx';
import { useAnnouncedCount } from '#page/kit/live-region.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { SearchField } from '#page/kit/search-field.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { NoMatches } from '#page/panels/missing-rows.tsx';
import { AlertDrawer } from './alert-drawer.tsx';
import { AcknowledgeForm, SilenceForm } from './alert-forms.tsx';
import { type AlertAction, type Ticks, useAlertKeys, useTicks } from './alert-hands.ts';
import { NoAlerts } from './alert-notices.tsx';
import { Silences } from './silences.tsx';
import { useNamedAlert } from './use-named-alert.ts';
import styles from './alerts.module.css';

interface AlertListProps {
  readonly response: DeskAlerts;
  readonly tab: AlertTab;
}

/** Lists the alerts of one tab by rule, for a person who works through them: tick, acknowledge, silence, open. */
export function AlertList({ response, tab }: AlertListProps) {
  const alerts = useMemo(() => response.alerts.filter((alert) => toTab(alert) === tab), [response, tab]);
  const ticks = useTicks();
  const { table, sort, setSort } = useAlertTable(response, ticks);
  const [isBusy, setBusy] = useState(false);
  const rows = useGridRows({
    rows: alerts,
    columns: table.columns,
    keyOf: keyOfAlert,
    state: table.state,
    held: isBusy,
  });
  const matching = useMemo(() => rows.matching(), [rows]);
  useAnnouncedCount(matching.length, alerts.length, 'alerts');
  const grid = useRef<GridRowsHandle<Alert>>(null);
  const ticked = matching.filter((alert) => ticks.has(alert));
  const [form, setForm] = useState<ActForm | null>(null);
  const [openedKey, setOpened, link] = useOpened(response.alerts);
  const opened = response.alerts.find((alert) => keyOfAlert(alert) === openedKey) ?? null;
  const act = (which: AlertAction): void => {
    const on = ticked.length > 0 ? ticked : (grid.current?.active() ?? []);
    if (on.length > 0 && tab !== 'resolved') setForm({ is: which, on });
  };
  const closeForm = (isDone: boolean): void => {
    setForm(null);
    if (isDone) {
      ticks.clear();
      setBusy(false);
    }
    grid.current?.focus();
  };
  const closeDrawer = (): void => {
    setOpened('');
    grid.current?.focus();
  };
  useAlertKeys({
    move: (lines) => {
      grid.current?.focus();
      grid.current?.move(lines);
    },
    act,
    tick: () => {
      ticks.toggle(grid.current?.active() ?? []);
    },
  });
  const letters = useGridKeys(false);
  const setQuick = (quick: string): void => {
    table.set({ ...table.state, quick });
  };
  return (
    <>
      <AlertTools
        {...{ sort, setSort, setQuick }}
        quick={table.state.quick}
        leave={() => grid.current?.focus()}
        acts={
          tab === 'resolved'
            ? null
            : {
                act,
                ticked: ticked.length,
                isAll: matching.length > 0 && ticked.length === matching.length,
                tickAll: () => {
                  ticks.toggle(matching);
                },
              }
        }
      />
      {form !== null && <OpenForm {...form} people={findPeople(response)} close={closeForm} />}
      <div
        className={styles['split']}
        data-open={opened !== null}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) closeDrawer();
        }}
      >
        <div className={styles['grid']}>
          {rows.count === 0 ? (
            <Nothing
              {...{ tab, response }}
              total={alerts.length}
              clear={() => {
                setQuick('');
              }}
            />
          ) : (
            <Grid
              label="Alerts"
              table={table}
              rows={rows}
              letters={letters}
              filters={false}
              handle={grid}
              opened={openedKey}
              onTick={tab === 'resolved' ? undefined : ticks.toggle}
              onBusy={setBusy}
              onOpen={(alert) => {
                setOpened(keyOfAlert(alert));
              }}
              onActive={(alert) => {
                if (opened !== null) setOpened(keyOfAlert(alert));
              }}
            />
          )}
        </div>
        {opened !== null && (
          <AlertDrawer
            key={keyOfAlert(opened)}
            alert={opened}
            silences={response.silences}
            people={findPeople(response)}
            link={link}
            leaveLink={() => {
              setOpened(keyOfAlert(opened));
            }}
            close={closeDrawer}
          />
        )}
      </div>
      {tab === 'silenced' && <Silences silences={response.silences} />}
      <footer className={styles['footer']}>
        <span>{describeCounts(matching, alerts.length)}</span>
        {ticked.length > 0 && <b>{formatCount(ticked.length)} ticked</b>}
        {rows.pending > 0 && <span>{countOf(rows.pending, 'update')} waiting while the pointer moves</span>}
      </footer>
    </>
  );
}

interface ActForm {
  readonly is: AlertAction;
  readonly on: readonly Alert[];
}

type Close = (isDone: boolean) => void;

function OpenForm({ is, on, people, close }: ActForm & { readonly people: readonly string[]; readonly close: Close }) {
  return is === 'acknowledge' ? (
    <AcknowledgeForm alerts={on} people={people} close={close} />
  ) : (
    <SilenceForm alerts={on} close={close} />
  );
}

interface NothingProps extends AlertListProps {
  /** The number of alerts without the filter. */
  readonly total: number;
  readonly clear: () => void;
}

function Nothing({ tab, response, total, clear }: NothingProps) {
  return total === 0 ? <NoAlerts tab={tab} response={response} /> : <NoMatches total={total} clear={clear} />;
}

interface AlertToolsProps {
  readonly sort: AlertSort;
  readonly setSort: (sort: AlertSort) => void;
  readonly quick: string;
  readonly setQuick: (text: string) => void;
  readonly leave: () => void;
  /** Null where nothing is left to do. */
  readonly acts: {
    readonly act: (which: AlertAction) => void;
    readonly ticked: number;
    readonly isAll: boolean;
    readonly tickAll: () => void;
  } | null;
}

function AlertTools({ sort, setSort, quick, setQuick, leave, acts }: AlertToolsProps) {
  return (
    <div className={styles['tools']}>
      {acts !== null && (
        <label className={styles['all']}>
          <input type="checkbox" checked={acts.isAll} onChange={acts.tickAll} />
          All
        </label>
      )}
      <SearchField label="Filter alerts" group="Alerts" value={quick} onChange={setQuick} leave={leave} />
      <Segmented label="Sort" choices={SORTS} value={sort} onChange={setSort} />
      {acts !== null && (
        <>
          <ActButton keyCap="a" count={acts.ticked} text="Acknowledge" run={acts.act} is="acknowledge" />
          <ActButton keyCap="s" count={acts.ticked} text="Silence" run={acts.act} is="silence" />
        </>
      )}
    </div>
  );
}

interface ActButtonProps {
  readonly keyCap: string;
  /** How many alerts are ticked. Without any, the button acts on the active one. */
  readonly count: number;
  readonly text: string;
  readonly is: AlertAction;
  readonly run: (which: AlertAction) => void;
}

function ActButton({ keyCap, count, text, is, run }: ActButtonProps) {
  return (
    <button
      type="button"
      aria-keyshortcuts={keyCap}
      onClick={() => {
        run(is);
      }}
    >
      {text} {count > 0 && formatCount(count)} <kbd aria-hidden="true">{keyCap}</kbd>
    </button>
  );
}

const SORT_NAMES = { worst: 'Worst', newest: 'Newest', rule: 'By rule', subject: 'By subject' } as const;
const SORTS = ALERT_SORTS.map((sort) => [sort, SORT_NAMES[sort]] as const);

const alertSortParam = choiceParam('sort', ALERT_SORTS, 'worst');

/** The state of the grid: the order is in the address, the filter is not, since it may name an account. */
function useAlertTable({ evaluated_at: at }: DeskAlerts, { cells }: Ticks) {
  const [zone] = useZone();
  const isNarrow = useMedia(NARROW);
  const today = at === null ? '' : formatDayIn(Date.parse(at), zone);
  const columns = useMemo(
    () => createAlertColumns({ zone, today, isNarrow, tick: cells }),
    [zone, today, isNarrow, cells],
  );
  const [sort, putSort] = useUrlState(alertSortParam);
  const [changed, setChanged] = useState<GridState | null>(null);
  const usual = useMemo(() => ({ ...defaultGridState(columns), ...ALERT_ORDERS[sort] }), [columns, sort]);
  // Another set of columns has other widths.
  const state = changed === null || changed.order.length !== usual.order.length ? usual : changed;
  return {
    table: { columns, state, set: setChanged },
    sort,
    setSort: (next: typeof sort) => {
      putSort(next);
      setChanged({ ...state, ...ALERT_ORDERS[next] });
    },
  };
}

/** The opened alert: the one that the address names, until another one is opened. */
function useOpened(alerts: readonly Alert[]): readonly [key: string, open: (key: string) => void, link: string] {
  const [named, forget, link] = useNamedAlert(alerts);
  const [key, setKey] = useState('');
  return [
    named === null ? key : keyOfAlert(named),
    (next) => {
      forget();
      setKey(next);
    },
    link,
  ];
}

/** Returns the people who have done something with the alerts that are shown, by name. */
function findPeople({ alerts, shift_note: note }: DeskAlerts): readonly string[] {
  const names = alerts.flatMap(({ acknowledged, notes }) => [
    ...(acknowledged === null ? [] : [acknowledged.by, acknowledged.assignee ?? '']),
    ...notes.map(({ by }) => by),
  ]);
  return [...new Set([...names, note?.by ?? ''])].filter((name) => name !== '').toSorted();
}

/** `39 firing in 4 rules · 1 no data · 40 of 72 shown`. */
function describeCounts(shown: readonly Alert[], total: number): string {
  const rules = new Set(shown.map(({ rule_id: id }) => id)).size;
  const counts = [...Map.groupBy(shown, ({ state }) => state)].map(
    ([state, own]) => `${formatCount(own.length)} ${state}`,
  );
  const all = `${counts.join(', ')}${shown.length === 0 ? '' : ` in ${countOf(rules, 'rule')}`}`;
  return shown.length === total ? all : `${all} · ${formatCount(shown.length)} of ${formatCount(total)} shown`;
}
