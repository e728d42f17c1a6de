import hidden from '../hidden.module.css';
import lines from '../dialog-lines.module.css';
import { Dialog } from '../dialog.tsx';
import styles from './columns-dialog.module.css';
import type { GridColumn } from './grid-column.ts';
import { moveColumn, pinColumn, showColumn } from './change-state.ts';
import type { GridState } from './grid-state.ts';

interface ColumnsDialogProps {
  readonly columns: readonly Pick<GridColumn<never>, 'id' | 'title' | 'unit'>[];
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  /** Restores the default layout. */
  readonly reset: () => void;
  readonly close: () => void;
}

/** Visibility, order and pinning of columns, without dragging. */
export function ColumnsDialog({ columns, state, set, reset, close }: ColumnsDialogProps) {
  const ordered = state.order.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  return (
    <Dialog title="Columns" close={close}>
      <ul className={lines['lines']}>
        {ordered.map((column) => (
          <ColumnLine key={column.id} id={column.id} name={nameOf(column, columns)} state={state} set={set} />
        ))}
      </ul>
      <p className={styles['reset']}>
        <button type="button" onClick={reset}>
          Reset to default
        </button>
      </p>
    </Dialog>
  );
}

/** With its unit where two columns share a title. */
function nameOf({ id, title, unit }: ColumnsDialogProps['columns'][number], columns: ColumnsDialogProps['columns']): string {
  const isShared = columns.some((other) => other.id !== id && other.title === title);
  return isShared && unit !== undefined ? `${title}, ${unit}` : title;
}

interface ColumnLineProps extends Pick<ColumnsDialogProps, 'state' | 'set'> {
  readonly id: string;
  readonly name: string;
}

function ColumnLine({ id, name, state, set }: ColumnLineProps) {
  const isPinned = state.pinned.start.includes(id);
  return (
    <li>
      <label className={styles['name']}>
        <input
          type="checkbox"
          checked={!state.hidden.includes(id)}
          onChange={({ target }) => {
            set(showColumn(state, id, target.checked));
          }}
        />
        {name}
      </label>
      <button
        type="button"
        className={styles['pin']}
        aria-pressed={isPinned}
        onClick={() => {
          set(pinColumn(state, id, isPinned ? null : 'start'));
        }}
      >
        Pin<span className={hidden['hidden']}> {name}</span>
      </button>
      <Mover name={name} word="earlier" sign="↑" move={() => { set(moveColumn(state, id, -1)); }} />
      <Mover name={name} word="later" sign="↓" move={() => { set(moveColumn(state, id, 1)); }} />
    </li>
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
