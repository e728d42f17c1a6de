import type { ReactNode } from 'react';
import hidden from './hidden.module.css';
import styles from './table.module.css';

export interface Column<Row> {
  readonly name: string;
  readonly unit?: string;
  readonly numeric?: boolean;
  /** Stays visible while the other columns scroll: the row’s name at the start, its actions at the end. */
  readonly pinned?: 'start' | 'end';
  readonly cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** A short read-only table. It scrolls sideways if there is no room, also by keyboard. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className={styles['scroll']} role="group" aria-label={caption} tabIndex={0}>
      <table className={styles['table']}>
        <caption className={hidden['hidden']}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, unit, numeric, pinned }) => (
              <th key={name} scope="col" data-numeric={numeric} data-pinned={pinned}>
                {name} {unit !== undefined && <span className={styles['unit']}>{unit}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, numeric, pinned, cell }) => (
                <td key={name} data-numeric={numeric} data-pinned={pinned}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ShowAllProps {
  /** Says how many of how many rows are shown. */
  readonly children: ReactNode;
  readonly onShow: () => void;
  readonly className?: string | undefined;
}

/** The foot of a shortened list: how much is shown, and a button for the rest. */
export function ShowAll({ children, onShow, className }: ShowAllProps) {
  return (
    <p className={className}>
      {children}{' '}
      <button type="button" onClick={onShow}>
        Show all
      </button>
    </p>
  );
}
