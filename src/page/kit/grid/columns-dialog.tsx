import { useTable } from '@tanstack/react-table';
import { useMemo } from 'react';
import hidden from '../hidden.module.css';
import lines from '../dialog-lines.module.css';
import { Dialog } from '../dialog.tsx';
import styles from './columns-dialog.module.css';
import { type LibraryColumn, moveColumn, toLibraryOptions } from './change-columns.ts';
import type { GridTable } from './grid-props.ts';

interface ColumnsDialogProps {
  readonly table: GridTable<never>;
  /** Restores the default layout. */
  readonly reset: () => void;
  readonly close: () => void;
}

/** Visibility, order and pinning of columns, without dragging. */
export function ColumnsDialog({ table, reset, close }: ColumnsDialogProps) {
  const library = useTable(
    useMemo(() => toLibraryOptions(table), [table]),
    selectNothing,
  );
  return (
    <Dialog title="Columns" close={close}>
      <ul className={lines['lines']}>
        {library.getAllLeafColumns().map((column) => (
          <ColumnLine key={column.id} column={column} name={nameOf(column.id, table)} table={table} />
        ))}
      </ul>
      <p className={styles['reset']}>
        <button type="button" onClick={reset}>
          Reset to defaults
        </button>
      </p>
    </Dialog>
  );
}

/** The screen renders again when the state changes, so the table needs no subscription. */
function selectNothing(): null {
  return null;
}

/** Names a column, with its unit if two columns share a title. */
function nameOf(id: string, { columns }: ColumnsDialogProps['table']): string {
  const { title = id, unit } = columns.find((column) => column.id === id) ?? {};
  const isShared = columns.some((other) => other.id !== id && other.title === title);
  return isShared && unit !== undefined ? `${title}, ${unit}` : title;
}

interface ColumnLineProps extends Pick<ColumnsDialogProps, 'table'> {
  readonly column: LibraryColumn;
  readonly name: string;
}

function ColumnLine({ column, name, table }: ColumnLineProps) {
  const isPinned = column.getIsPinned() === 'start';
  return (
    <li>
      <label className={styles['name']}>
        <input
          type="checkbox"
          checked={column.getIsVisible()}
          onChange={({ target }) => {
            column.toggleVisibility(target.checked);
          }}
        />
        {name}
      </label>
      <button
        type="button"
        className={styles['pin']}
        aria-pressed={isPinned}
        onClick={() => {
          column.pin(isPinned ? false : 'start');
        }}
      >
        Pin<span className={hidden['hidden']}> {name}</span>
      </button>
      <Mover
        name={name}
        word="up"
        sign="↑"
        move={() => {
          moveColumn(table, column.id, -1);
        }}
      />
      <Mover
        name={name}
        word="down"
        sign="↓"
        move={() => {
          moveColumn(table, column.id, 1);
        }}
      />
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
    <button type="button" aria-label={`Move ${name} ${word}`} onClick={move}>
      {sign}
    </button>
  );
}
