import type { ReactNode } from 'react';
import hidden from '../hidden.module.css';
import styles from './sortable-table.module.css';
import type { SortableColumn } from './sortable-column.ts';
import type { ColumnOrder, SortedRows } from './use-sorted-rows.ts';

interface TableHeadProps<Row> {
  readonly columns: readonly SortableColumn<Row>[];
  readonly orderOf: SortedRows<Row>['orderOf'];
}

export function TableHead<Row>({ columns, orderOf }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} order={orderOf(column.id)} />
        ))}
      </tr>
    </thead>
  );
}

const WORDS = { asc: 'ascending', desc: 'descending' } as const;

function HeadCell<Row>({ column, order }: { readonly column: SortableColumn<Row>; readonly order: ColumnOrder | undefined }) {
  const { id, numeric } = column;
  const direction = order?.direction;
  return (
    <th scope="col" data-column={id} data-numeric={numeric} aria-sort={direction ? WORDS[direction] : undefined} tabIndex={order ? undefined : -1}>
      {order === undefined ? (
        <HeadName {...column} />
      ) : (
        <button type="button" className={styles['sort']} tabIndex={-1} data-sorted={direction} onClick={order.toggle}>
          <HeadName {...column}>
            <span aria-hidden="true" className={styles['arrow']}>
              {direction === 'asc' ? '▲' : direction === 'desc' ? '▼' : ''}
              {order.level}
            </span>
          </HeadName>
        </button>
      )}
    </th>
  );
}

interface HeadNameProps extends Pick<SortableColumn<unknown>, 'name' | 'unit' | 'nameHidden'> {
  readonly children?: ReactNode;
}

function HeadName({ name, unit, nameHidden = false, children }: HeadNameProps) {
  return (
    <>
      <span className={nameHidden ? hidden['hidden'] : undefined}>{name}</span>
      {children} {unit !== undefined && <span className={styles['unit']}>{unit}</span>}
    </>
  );
}
