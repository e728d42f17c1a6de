import type { ReactNode, RefObject } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { GridHandle } from '#page/kit/grid/grid-props.ts';
import { LazyColumnsDialog } from '#page/kit/grid/columns-button.tsx';
import type { GridTable } from '#page/kit/grid/grid-table.ts';
import { DialogButton } from '../shared/dialog-button.tsx';
import { FoldedTools } from '../shared/folded-tools.tsx';
import { FilterChips } from '../filter/filter-chips.tsx';
import { LazyFilterDialog } from '../filter/lazy-filter-dialog.ts';
import styles from '../shared/orders.module.css';
import { QuickFilter } from '../filter/quick-filter.tsx';
import { QuickFiltersDialog } from '../filter/quick-filters-dialog.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { panelParam, type PanelName } from '../shared/url-params.ts';
import { HeldFilters } from '../list-state/link-face.tsx';
import type { ListControl } from '../list-state/use-list-state.ts';
import { useSavedViews, type SavedViews } from '../saved-views/use-saved-views.ts';
import { LazyViewsDialog } from '../saved-views/lazy-views-dialog.ts';
import { ViewsMenu } from '../saved-views/views-menu.tsx';

interface WorkingToolsProps {
  readonly list: ListControl;
  readonly table: GridTable<OrderRow>;
  readonly all: readonly OrderRow[];
  readonly grid: RefObject<GridHandle | null>;
  readonly opened: OpenDialog | null;
  readonly setOpened: (opened: OpenDialog | null) => void;
  readonly exportDialog: (close: () => void) => ReactNode;
  /** Without it, evidence is not offered. */
  readonly evidenceDialog?: (close: () => void) => ReactNode;
  /** Those that open a panel. */
  readonly panels: ReactNode;
  /** At the other end. */
  readonly children?: ReactNode;
}

/** The open dialog; a filter dialog may start at a column. */
export interface OpenDialog {
  readonly dialog: DialogName;
  readonly columnId?: string;
}

const GROUPINGS = [
  ['', 'None'],
  ['account', 'Account'],
  ['account,side', 'Account, side'],
  ['product', 'Product'],
  ['firm', 'Clearing firm'],
  ['connection', 'Connection'],
  ['side', 'Side'],
  ['band', 'Distance'],
] as const;

const FILTER_DIALOGS = ['filter', 'quick'] as const;
const OTHER_DIALOGS = ['columns', 'export'] as const;
type NamedDialog = (typeof FILTER_DIALOGS | typeof OTHER_DIALOGS)[number] | 'evidence';
type DialogName = NamedDialog | 'views';
const NAMES: Readonly<Record<NamedDialog, string>> = {
  filter: 'Filter',
  quick: 'Quick filters',
  columns: 'Columns',
  export: 'Export',
  evidence: 'Evidence',
};

export function WorkingTools({
  list,
  table,
  all,
  grid,
  opened,
  setOpened,
  exportDialog,
  evidenceDialog,
  panels,
  children,
}: WorkingToolsProps) {
  const { columns, state, set } = table;
  const close = (): void => {
    setOpened(null);
  };
  const saved = useSavedViews(list, 'orders');
  const toButton = (dialog: NamedDialog) => (
    <DialogButton
      key={dialog}
      name={NAMES[dialog]}
      open={() => {
        setOpened({ dialog });
      }}
    />
  );
  return (
    <div className={styles['tools']}>
      <QuickFilter state={state} set={set} grid={grid} />
      {FILTER_DIALOGS.map(toButton)}
      <ViewsMenu
        saved={saved}
        manage={() => {
          setOpened({ dialog: 'views' });
        }}
      />
      <FoldedTools>
        <Grouping state={state} set={set} />
        {OTHER_DIALOGS.map(toButton)}
        {evidenceDialog && toButton('evidence')}
        {panels}
      </FoldedTools>
      {children}
      <FilterChips state={state} set={set} columns={columns} grid={grid} />
      <HeldFilters list={list} />
      {opened !== null && (
        <Dialog
          {...{ opened, table, all, exportDialog, close }}
          {...(evidenceDialog && { evidenceDialog })}
          saved={saved}
          reset={list.resetLayout}
        />
      )}
    </div>
  );
}

interface DialogProps extends Pick<WorkingToolsProps, 'table' | 'all' | 'exportDialog' | 'evidenceDialog'> {
  readonly opened: OpenDialog;
  readonly saved: SavedViews;
  readonly reset: () => void;
  readonly close: () => void;
}

function Dialog({
  opened: { dialog, columnId },
  table,
  all,
  saved,
  exportDialog,
  evidenceDialog,
  reset,
  close,
}: DialogProps) {
  const shared = { ...table, rows: all, close };
  switch (dialog) {
    case 'filter':
      return <LazyFilterDialog columnId={columnId} noun="working order" {...shared} />;
    case 'quick':
      return <QuickFiltersDialog {...shared} />;
    case 'columns':
      return <LazyColumnsDialog table={table} reset={reset} close={close} />;
    case 'views':
      return <LazyViewsDialog {...saved} close={close} />;
    case 'export':
      return exportDialog(close);
    case 'evidence':
      return evidenceDialog?.(close);
  }
}

function Grouping({ state, set }: Pick<GridTable<OrderRow>, 'state' | 'set'>) {
  const [first = ''] = state.grouping;
  const all = state.grouping.join();
  // A link may name levels that are not offered.
  const grouped = GROUPINGS.some(([id]) => id === all) ? all : first;
  return (
    <label className={styles['choice']}>
      Group by
      <select
        value={grouped}
        onChange={({ target }) => {
          set({ ...state, grouping: target.value === '' ? [] : target.value.split(','), closed: new Set() });
        }}
      >
        {GROUPINGS.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

type PanelButton = readonly [panel: PanelName, text: string];

export function PanelButtons({ buttons }: { readonly buttons: readonly PanelButton[] }) {
  const [panel, setPanel] = useUrlState(panelParam);
  return buttons.map(([one, text]) => (
    <button
      key={one}
      type="button"
      className={styles['toggle']}
      aria-pressed={panel === one}
      onClick={() => {
        setPanel(panel === one ? 'none' : one);
      }}
    >
      {text}
    </button>
  ));
}
