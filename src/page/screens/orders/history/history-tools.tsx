import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import type { GridHandle, GridTable } from '#page/kit/grid/grid-props.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import {
  describeScope,
  type HistoryQuery,
  isLocal,
  QUERY_PARAMS,
  QUERY_TITLES,
} from '#model/tables/orders/history-query.ts';
import type { HistoryLines } from './use-history-lines.ts';
import type { HistoryWindow } from './use-history-window.ts';
import hidden from '#page/kit/hidden.module.css';
import { useAddress, useNavigator } from '#page/kit/navigation.tsx';
import { writeQuery } from '#page/kit/navigator.ts';
import styles from '../shared/orders.module.css';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import type { NewerRows } from '#page/client/page-window/newer.ts';
import { formatCount } from '#model/format/count.ts';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { useKeys } from '#page/kit/use-keys.tsx';
import type { GridFilter } from '#model/tables/grid.ts';
import { useEvidenceCommand } from '#page/panels/evidence/use-evidence.ts';
import { Segmented } from '#page/kit/segmented.tsx';
import { LazyColumnsDialog } from '#page/kit/grid/columns-button.tsx';
import { DialogButton, FoldedTools, QuickFilter } from '../shared/list-tools.tsx';
import { FilterChips, LazyFilterDialog } from '../shared/filter-chips.tsx';
import { HeldFilters } from '../list-state/link-face.tsx';
import { type SavedViews, useSavedViews } from '../saved-views/use-saved-views.ts';
import { LazyViewsDialog, ViewsMenu } from '../saved-views/views-menu.tsx';

interface HistoryToolsProps {
  readonly list: ListControl;
  readonly table: GridTable<OrderRow>;
  readonly loaded: readonly OrderRow[];
  readonly history: HistoryWindow;
  readonly query: HistoryQuery;
  readonly found: HistoryLines;
  readonly terms: TermsOf;
  readonly grid: RefObject<GridHandle | null>;
}

const HISTORY_DIALOGS = ['filter', 'columns', 'until', 'export', 'evidence'] as const;
type HistoryDialogName = (typeof HISTORY_DIALOGS)[number];

type QueryName = keyof typeof QUERY_PARAMS;
const QUERY_NAMES = Object.keys(QUERY_PARAMS) as readonly QueryName[];

/** Shows the exchange filters that have no column as chips, because their fields are collapsed on a phone. */
function QueryChips({ grid }: { readonly grid: RefObject<GridHandle | null> }) {
  const navigator = useNavigator();
  const { query } = useAddress();
  const set = QUERY_NAMES.filter((name) => QUERY_PARAMS[name].read(query) !== '');
  const remove = (name: QueryName): void => {
    grid.current?.focus();
    writeQuery(navigator, (next) => {
      QUERY_PARAMS[name].write(next, '');
    });
  };
  if (set.length === 0) return null;
  return (
    <ul className={styles['chips']} aria-label="Range">
      {set.map((name) => (
        <li key={name}>
          <button
            type="button"
            className={styles['chip']}
            onClick={() => {
              remove(name);
            }}
          >
            {QUERY_TITLES[name]} <b>{QUERY_PARAMS[name].read(query)}</b>
            <span aria-hidden="true">×</span>
            <span className={hidden['hidden']}>, remove filter</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Loaded when the dialog is first opened. */
const LazyLoadUntilDialog = lazyOverlay(async () => (await import('./load-until-dialog.tsx')).LoadUntilDialog);

/** Loaded when first opened: the dialog needs the server anyway, so it cannot miss its code in an outage. */
const ExportHistoryDialog = lazyOverlay(async () => (await import('./export-history-dialog.tsx')).ExportHistoryDialog);

const HistoryEvidence = lazyOverlay(async () => (await import('./history-evidence.tsx')).HistoryEvidence);

const NAMES: Readonly<Record<HistoryDialogName, string>> = {
  filter: 'Filter',
  columns: 'Columns',
  until: 'Load until…',
  export: 'Export',
  evidence: 'Evidence',
};

const ORDERINGS = [
  ['desc', 'Newest first'],
  ['asc', 'Oldest first'],
] as const;

export function HistoryTools(props: HistoryToolsProps) {
  const { list, table, history, query, grid } = props;
  const [opened, setOpened] = useState<HistoryDialogName | 'views' | null>(null);
  const saved = useSavedViews(list, 'history');
  useEvidenceCommand(() => {
    setOpened('evidence');
  });
  const close = (): void => {
    setOpened(null);
  };
  const toButton = (dialog: HistoryDialogName) => (
    <DialogButton
      key={dialog}
      name={NAMES[dialog]}
      open={() => {
        setOpened(dialog);
      }}
    />
  );
  return (
    <div className={styles['tools']}>
      <div className={styles['scoped']} role="group" aria-label="Filters of loaded orders">
        <QuickFilter state={list.state} set={list.set} grid={grid} scope="loaded orders" />
        {toButton('filter')}
      </div>
      <ViewsMenu
        saved={saved}
        manage={() => {
          setOpened('views');
        }}
      />
      <FoldedTools>
        <Segmented
          label="Sort order"
          choices={ORDERINGS}
          value={query.order}
          onChange={(order) => {
            list.set({ ...list.state, sorts: order === 'asc' ? [{ id: 'time', desc: false }] : [] });
          }}
        />
        {HISTORY_DIALOGS.filter(
          // Nothing proves orders that have not been read.
          (dialog) => dialog !== 'filter' && (dialog !== 'evidence' || history.view.list.spans.length > 0),
        ).map(toButton)}
      </FoldedTools>
      <NewerPill history={history} query={query} found={props.found} grid={grid} />
      <div className={styles['chipLists']}>
        <QueryChips grid={grid} />
        <FilterChips
          state={list.state}
          set={list.set}
          columns={table.columns}
          grid={grid}
          heading="Filtered by the exchange"
          includes={isOfExchange}
        />
        <FilterChips
          state={list.state}
          set={list.set}
          columns={table.columns}
          grid={grid}
          heading="Loaded orders only"
          includes={isLocal}
        />
      </div>
      <HeldFilters list={list} />
      {opened !== null && <HistoryDialog {...props} opened={opened} saved={saved} close={close} />}
    </div>
  );
}

function isOfExchange(columnId: string, filter: GridFilter): boolean {
  return !isLocal(columnId, filter);
}

type NewerProps = Pick<HistoryToolsProps, 'history' | 'query' | 'found' | 'grid'>;

/** Offers to show newer and changed orders, so that rows do not move by themselves. */
function NewerPill(props: NewerProps) {
  const { newer, wantsNewer } = props.history.view;
  const { loadNewer } = props.history.window;
  const hasNews = newer.count > 0 || newer.changed > 0;
  useGoToNewer(props);
  const showNewer = useCallback(() => {
    if (hasNews) loadNewer();
  }, [loadNewer, hasNews]);
  const keys = useMemo(
    (): readonly KeyBinding[] => [
      { keys: 'w', label: 'Show newer and changed orders', group: 'Orders', run: showNewer },
    ],
    [showNewer],
  );
  useKeys(keys);
  if (!hasNews) return null;
  return (
    <span className={styles['live']}>
      <button type="button" className={styles['pill']} data-any="true" aria-keyshortcuts="w" onClick={showNewer}>
        {describeNewer(newer)}
        {wantsNewer && ', loading'} <kbd aria-hidden="true">W</kbd>
      </button>
    </span>
  );
}

function describeNewer({ count, isLeast, changed }: NewerRows): string {
  const came = count > 0 && `${formatCount(count)}${isLeast ? '+' : ''} newer`;
  return [came, changed > 0 && `${formatCount(changed)} changed`].filter((part) => part !== false).join(', ');
}

/** Scrolls to newer orders once they have been loaded on request; changed orders stay in place. */
function useGoToNewer({ history: { view }, query, found, grid }: NewerProps): void {
  const { reading, failure, newer } = view;
  const before = useRef({ reading, count: newer.count });
  const line = query.order === 'desc' ? 0 : found.lines.count - 1;
  useEffect(() => {
    if (before.current.reading === 'newer' && reading !== 'newer' && failure === null && before.current.count > 0)
      grid.current?.goTo(line);
    before.current = { reading, count: newer.count };
  }, [reading, failure, newer.count, line, grid]);
}

interface HistoryDialogProps extends HistoryToolsProps {
  readonly opened: HistoryDialogName | 'views';
  readonly saved: SavedViews;
  readonly close: () => void;
}

function HistoryDialog({ opened, saved, ...props }: HistoryDialogProps) {
  const { list, table, loaded, history, query, close } = props;
  const { columns, state, set } = table;
  switch (opened) {
    case 'filter':
      return (
        <LazyFilterDialog
          columns={columns}
          rows={loaded}
          noun="loaded order"
          describeScope={describeScope}
          state={state}
          set={set}
          close={close}
        />
      );
    case 'columns':
      return <LazyColumnsDialog table={table} reset={list.resetLayout} close={close} />;
    case 'views':
      return <LazyViewsDialog {...saved} close={close} />;
    case 'until':
      return <LazyLoadUntilDialog history={history} query={query} close={close} />;
    case 'evidence':
      return <HistoryEvidence {...props} />;
    case 'export':
      return <ExportHistoryDialog {...props} />;
  }
}
