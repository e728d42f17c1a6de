import { type ReactNode, type RefObject, useMemo } from 'react';
import { countOf, formatCount } from '#model/format/count.ts';
import { NO_VALUE } from '#model/format/number.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { LazyDialog } from '#page/kit/lazy.tsx';
import type { GridColumn, GridState } from '#model/tables/grid.ts';
import {
  countFound,
  isOn,
  QUICK_FILTERS,
  type QuickFilter as ReadyFilter,
  toggleQuickFilter,
} from '#model/tables/orders/quick-filters.ts';
import styles from '../shared/orders.module.css';
import type { GridHandle, GridTable } from '#page/kit/grid/grid-props.ts';
import { LazyColumnsDialog } from '#page/kit/grid/columns-button.tsx';
import { DialogButton, FoldedTools, QuickFilter } from '../shared/list-tools.tsx';
import { FilterChips, LazyFilterDialog } from '../shared/filter-chips.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { type PanelName, panelParam } from '../beside/panel-params.ts';
import { HeldFilters } from '../list-state/link-face.tsx';
import type { ListControl } from '../list-state/use-list-state.ts';
import { type SavedViews, useSavedViews } from '../saved-views/use-saved-views.ts';
import { LazyViewsDialog, ViewsMenu } from '../saved-views/views-menu.tsx';

interface QuickFiltersProps {
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly rows: readonly OrderRow[];
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly close: () => void;
}

/** Offers ready-made filters. Each consists of ordinary column filters, so that links and saved views preserve it. */
function QuickFiltersDialog({ columns, rows, state, set, close }: QuickFiltersProps) {
  return (
    <LazyDialog title="Quick filters" close={close}>
      {QUICK_FILTERS.map(({ heading, note, filters }) => (
        <section key={heading} className={styles['quick']} aria-label={heading}>
          <h3>
            {heading} {note !== undefined && <small>{note}</small>}
          </h3>
          {filters.map((quick) => (
            <QuickFilterButton key={quick.label} quick={quick} columns={columns} rows={rows} state={state} set={set} />
          ))}
        </section>
      ))}
      <p className={styles['form']}>
        Each count is of all {countOf(rows.length, 'working order')}. Selected filters apply together.
      </p>
    </LazyDialog>
  );
}

interface QuickFilterButtonProps extends Omit<QuickFiltersProps, 'close'> {
  readonly quick: ReadyFilter;
}

function QuickFilterButton({ quick, columns, rows, state, set }: QuickFilterButtonProps) {
  const count = useMemo(() => countFound(rows, columns, quick), [rows, columns, quick]);
  const on = isOn(quick, state);
  return (
    <button
      type="button"
      className={styles['quickFilter']}
      aria-pressed={on}
      onClick={() => {
        set(toggleQuickFilter(state, quick, !on));
      }}
    >
      <span>{quick.label}</span>
      {count === null ? (
        <span title="No order has a value in this column, or the values are not loaded yet">{NO_VALUE}</span>
      ) : (
        <span>{formatCount(count)}</span>
      )}
    </button>
  );
}

interface WorkingToolsProps {
  readonly list: ListControl;
  readonly table: GridTable<OrderRow>;
  readonly all: readonly OrderRow[];
  readonly grid: RefObject<GridHandle | null>;
  readonly opened: OpenDialog | null;
  readonly setOpened: (opened: OpenDialog | null) => void;
  readonly exportDialog: (close: () => void) => ReactNode;
  /** Evidence is offered only if this is given. */
  readonly evidenceDialog?: (close: () => void) => ReactNode;
  /** The buttons that open a panel. */
  readonly panels: ReactNode;
  /** Controls at the other end of the toolbar. */
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
  // A link may name groupings that are not on offer.
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
