import type { OrderRow } from '#domain/orders/order-row.ts';
import { LaterDialog } from '#ui/later-dialog.tsx';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { moveColumn, pinColumn, showColumn } from '#ui/grid/grid-state.ts';
import styles from './orders.module.css';
import type { ListControl } from './use-list-state.ts';

interface ColumnsDialogProps {
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly list: ListControl;
  readonly close: () => void;
}

/** Which columns are shown, in what order and where they stand; nothing here needs a drag. */
export function ColumnsDialog({ columns, list, close }: ColumnsDialogProps) {
  const { state, set, resetLayout } = list;
  const ordered = state.order.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  return (
    <LaterDialog title="Columns" close={close}>
      <ul className={styles['columns']}>
        {ordered.map(({ id, title }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={!state.hidden.includes(id)}
                onChange={({ target }) => {
                  set(showColumn(state, id, target.checked));
                }}
              />
              {title}
            </label>
            <button
              type="button"
              aria-pressed={state.pinned.start.includes(id)}
              onClick={() => {
                set(pinColumn(state, id, state.pinned.start.includes(id) ? null : 'start'));
              }}
            >
              Pin<span className={styles['hidden']}> {title}</span>
            </button>
            <Mover name={title} word="earlier" sign="↑" move={() => { set(moveColumn(state, id, -1)); }} />
            <Mover name={title} word="later" sign="↓" move={() => { set(moveColumn(state, id, 1)); }} />
          </li>
        ))}
      </ul>
      <p className={styles['form']}>
        <button type="button" onClick={resetLayout}>
          As they were at first
        </button>
      </p>
    </LaterDialog>
  );
}

interface MoverProps {
  readonly name: string;
  readonly word: string;
  readonly sign: string;
  readonly move: () => void;
}

function Mover({ name, word, sign, move }: MoverProps) {
  return (
    <button type="button" aria-label={`${name} ${word}`} onClick={move}>
      {sign}
    </button>
  );
}
