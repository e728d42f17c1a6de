import type { ReactNode } from 'react';
import hidden from './hidden.module.css';
import styles from './table.module.css';

export interface Column<Row> {
  readonly name: string;
  readonly unit?: string;
  readonly numeric?: boolean;
  /** Stays visible while the other columns scroll: at the start, what names the row; at the end, what can be done with it. */
  readonly pinned?: 'start' | 'end';
  readonly cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** A short read-only table. It scrolls sideways where there is no room, also by keyboard. */
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
