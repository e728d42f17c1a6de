import type { Dispatch, RefObject, SetStateAction } from 'react';
import type { OrderRow } from '#domain/orders/order-row.ts';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import { useEvidenceCommand } from '#panels/evidence/use-evidence-command.ts';
import { LazyColumnsDialog } from '#ui/grid/columns-button.tsx';
import { lazyOverlay } from '#ui/lazy.tsx';
import type { GridTable } from '#ui/grid/grid-table.ts';
import { ExportWorkingDialog } from '../export/export-working-dialog.tsx';
import { DialogButton } from '../dialog-button.tsx';
import { FoldedTools } from '../folded-tools.tsx';
import { FilterChips } from '../filter/filter-chips.tsx';
import { LazyFilterDialog } from '../filter/lazy-filter-dialog.ts';
import styles from '../orders.module.css';
import { QuickFilter } from '../filter/quick-filter.tsx';
import { QuickFiltersDialog } from '../filter/quick-filters-dialog.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { panelParam, type PanelName } from '../url-params.ts';
import { HeldFilters } from '../list-state/link-face.tsx';
import type { ListControl } from '../list-state/use-list-state.ts';
import type { LiveOrders, HoldReason } from './use-live-orders.ts';
import { useSavedViews } from '../saved-views/use-saved-views.ts';
import { ViewsDialog } from '../saved-views/views-dialog.tsx';
import { ViewsMenu } from '../saved-views/views-menu.tsx';
import { UpdateControls } from './update-controls.tsx';

const WorkingEvidence = lazyOverlay(async () => (await import('../evidence/working-evidence.tsx')).WorkingEvidence);

interface WorkingToolsProps {
  readonly list: ListControl;
  readonly table: GridTable<OrderRow>;
  readonly all: readonly OrderRow[];
  readonly matching: readonly OrderRow[];
  readonly live: LiveOrders;
  /** The newest read failed. */
  readonly isStale: boolean;
  readonly held: HoldReason;
  readonly setPaused: Dispatch<SetStateAction<boolean>>;
  readonly grid: RefObject<GridHandle | null>;
  readonly opened: OpenDialog | null;
  readonly setOpened: (opened: OpenDialog | null) => void;
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
const OTHER_DIALOGS = ['columns', 'export', 'evidence'] as const;
type NamedDialog = (typeof FILTER_DIALOGS | typeof OTHER_DIALOGS)[number];
type DialogName = NamedDialog | 'views';
const NAMES: Readonly<Record<NamedDialog, string>> = { filter: 'Filter', quick: 'Quick filters', columns: 'Columns', export: 'Export', evidence: 'Evidence' };

export function WorkingTools(props: WorkingToolsProps) {
  const { list, table, all, live, isStale, held, setPaused, grid, opened, setOpened } = props;
  const { columns, state, set } = table;
  const close = (): void => {
    setOpened(null);
  };
  const saved = useSavedViews(list, 'orders');
  useEvidenceCommand(() => {
    setOpened({ dialog: 'evidence' });
  });
  const toButton = (dialog: NamedDialog) => <DialogButton key={dialog} name={NAMES[dialog]} open={() => { setOpened({ dialog }); }} />;
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
        <PanelButtons />
      </FoldedTools>
      <UpdateControls live={live} held={held} setPaused={setPaused} />
      <FilterChips state={state} set={set} columns={columns} grid={grid} />
      <HeldFilters list={list} />
      {opened?.dialog === 'filter' && <LazyFilterDialog columnId={opened.columnId} columns={columns} rows={all} noun="working order" state={state} set={set} close={close} />}
      {opened?.dialog === 'quick' && <QuickFiltersDialog columns={columns} rows={all} state={state} set={set} close={close} />}
      {opened?.dialog === 'columns' && <LazyColumnsDialog table={table} reset={list.resetLayout} close={close} />}
      {opened?.dialog === 'views' && <ViewsDialog {...saved} close={close} />}
      {opened?.dialog === 'export' && <ExportWorkingDialog rows={props.matching} columns={columns} state={state} shown={live.shown} isStale={isStale} close={close} />}
      {opened?.dialog === 'evidence' && <WorkingEvidence list={list} close={close} />}
    </div>
  );
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

const PANEL_BUTTONS: readonly (readonly [panel: PanelName, text: string])[] = [
  ['depth', 'Depth'],
  ['exposure', 'Exposure'],
  ['proof', 'Completeness'],
];

function PanelButtons() {
  const [panel, setPanel] = useUrlState(panelParam);
  return PANEL_BUTTONS.map(([one, text]) => (
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
