import { memo } from 'react';
import type { SortableColumn } from './sortable-column.ts';

interface TableRowProps<Row> {
  readonly row: Row;
  readonly rowKey: string;
  readonly columns: readonly SortableColumn<Row>[];
}

function PlainRow<Row>({ row, rowKey, columns }: TableRowProps<Row>) {
  return (
    <tr data-row={rowKey}>
      {columns.map(({ id, numeric, cell, note }) => (
        <td key={id} data-column={id} data-numeric={numeric} data-note={note && true} tabIndex={-1}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** Draws again only when its row has changed. */
export const TableRow = memo(PlainRow) as typeof PlainRow;
