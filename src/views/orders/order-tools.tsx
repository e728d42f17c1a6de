import type { Dispatch, RefObject, SetStateAction } from 'react';
import type { OrderRow } from '#domain/orders/order-row.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import { LaterColumnsDialog } from '#ui/grid/later-columns-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterDialog } from './filter-dialog.tsx';
import styles from './orders.module.css';
import { QuickFilter } from './quick-filter.tsx';
import { SideButtons } from './side-buttons.tsx';
import type { ListControl } from './use-list-state.ts';
import type { FollowedBook, Held } from './use-order-book.ts';
import { ViewsDialog } from './views-dialog.tsx';
import { WaitingPill } from './waiting-pill.tsx';

interface OrderToolsProps {
  readonly list: ListControl;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly all: readonly OrderRow[];
  readonly matching: readonly OrderRow[];
  readonly following: FollowedBook;
  readonly held: Held;
  readonly setPaused: Dispatch<SetStateAction<boolean>>;
  readonly grid: RefObject<GridHandle | null>;
  readonly opened: Opened | null;
  readonly setOpened: (opened: Opened | null) => void;
}

/** The dialog that is open; a filter may begin at a column. */
export interface Opened {
  readonly dialog: DialogName;
  readonly columnId?: string;
}

const GROUPINGS = [
  ['', 'none'],
  ['account', 'account'],
  ['product', 'product'],
  ['firm', 'clearing firm'],
  ['connection', 'connection'],
  ['side', 'side'],
] as const;

const DIALOGS = ['filter', 'columns', 'views', 'export'] as const;
type DialogName = (typeof DIALOGS)[number];
const NAMES: Readonly<Record<DialogName, string>> = { filter: 'Filter', columns: 'Columns', views: 'Views', export: 'Export' };

/** What narrows, arranges and hands out the list. */
export function OrderTools(props: OrderToolsProps) {
  const { list, columns, all, following, held, setPaused, grid, opened, setOpened } = props;
  const { state, set } = list;
  const close = (): void => {
    setOpened(null);
  };
  const [grouped = ''] = state.grouping;
  return (
    <div className={styles['tools']}>
      <QuickFilter state={state} set={set} grid={grid} />
      <label className={styles['choice']}>
        Group
        <select
          value={grouped}
          onChange={({ target }) => {
            set({ ...state, grouping: target.value === '' ? [] : [target.value], closed: new Set() });
          }}
        >
          {GROUPINGS.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {DIALOGS.map((dialog) => (
        <button
          key={dialog}
          type="button"
          aria-haspopup="dialog"
          onClick={() => {
            setOpened({ dialog });
          }}
        >
          {NAMES[dialog]}
        </button>
      ))}
      <SideButtons />
      <WaitingPill following={following} held={held} setPaused={setPaused} />
      <FilterChips state={state} set={set} columns={columns} grid={grid} />
      {opened?.dialog === 'filter' && <FilterDialog columnId={opened.columnId} columns={columns} rows={all} state={state} set={set} close={close} />}
      {opened?.dialog === 'columns' && <LaterColumnsDialog columns={columns} state={state} set={set} reset={list.resetLayout} close={close} />}
      {opened?.dialog === 'views' && <ViewsDialog list={list} close={close} />}
      {opened?.dialog === 'export' && <ExportDialog rows={props.matching} columns={columns} state={state} shown={following.shown} close={close} />}
    </div>
  );
}
