import { useEffect, useId, useMemo, useRef } from 'react';
import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import hidden from '../hidden.module.css';
import type { KeyBinding } from '../keys/keyboard.ts';
import { useKeys } from '../keys/use-keys.tsx';
import { useSingleKeys } from '../preferences/use-preferences.tsx';
import { ROW_PX, takeRows, useInSightFirst } from './in-sight-first.ts';
import { keepOneTabStop, moveFocus } from './move-focus.ts';
import styles from './sortable-table.module.css';
import type { SortableColumn, TableSection } from './sortable-column.ts';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useCellNotes } from './use-cell-notes.tsx';
import type { SortedRows } from './use-sorted-rows.ts';

interface SortableTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly SortableColumn<Row>[];
  /** Without headings: one section whose heading is null. */
  readonly sections: readonly TableSection<Row>[];
  readonly orderOf: SortedRows<Row>['orderOf'];
  readonly keyOf: (row: Row) => string;
  /** Over how many columns a section's heading stands. */
  readonly headingSpan: number;
  /** Opens or closes a section by its key. */
  readonly onToggle: (key: string) => void;
}

/**
 * A table by the ARIA grid pattern: one tab stop, arrows move, Enter follows the row's link, `i` explains a figure. For
 * some dozens of rows with links and small pictures in their cells; thousands of rows are for the grid, which would be
 * too heavy for the first screen.
 */
export function SortableTable<Row>({ caption, columns, sections, orderOf, keyOf, headingSpan, onToggle }: SortableTableProps<Row>) {
  const table = useRef<HTMLTableElement>(null);
  const help = useId();
  const byKey = useMemo(() => new Map(sections.flatMap(({ rows }) => rows.map((row) => [keyOf(row), row] as const))), [sections, keyOf]);
  const notes = useCellNotes(columns, byKey);
  const drawnRows = useInSightFirst();
  const letters = useSingleKeys();
  useKeys(KEYS);
  useEffect(() => {
    if (table.current !== null) keepOneTabStop(table.current, null);
  });
  return (
    <div className={styles['scroll']}>
      <p id={help} className={hidden['hidden']}>
        Arrows move from cell to cell. Enter on a row opens its product. {letters ? 'I' : 'Control+I'} tells where a figure comes from.
      </p>
      <table
        ref={table}
        role="grid"
        className={styles['table']}
        aria-label={caption}
        aria-describedby={help}
        aria-busy={drawnRows < Infinity}
        onFocus={follow}
        onKeyDown={(event) => {
          if (onKey(event, letters, notes.pinAt)) event.preventDefault();
        }}
        onPointerOver={notes.onPointerOver}
        onPointerOut={notes.onPointerOut}
        onClick={({ target }: MouseEvent) => {
          if (target instanceof Element && target.closest('a, button') === null) notes.pinAt(target);
        }}
      >
        <TableHead columns={columns} orderOf={orderOf} />
        {takeRows(sections, drawnRows).map((section) => (
          <tbody key={section.key}>
            {section.heading !== null && <SectionHead section={section} columns={columns} span={headingSpan} onToggle={onToggle} />}
            {section.closed !== true && section.rows.map((row) => <TableRow key={keyOf(row)} rowKey={keyOf(row)} row={row} columns={columns} />)}
          </tbody>
        ))}
      </table>
    </div>
  );
}

const group = 'In the table';
const KEYS: readonly KeyBinding[] = [
  { keys: '← → ↑ ↓', does: 'From cell to cell', group },
  { keys: 'Home End', does: 'Ends of the row; with Ctrl of the table', group },
  { keys: 'PageUp PageDown', does: 'By a page', group },
  { keys: 'Enter', does: 'Open the row; on a head sort', group },
  { keys: 'i', does: 'Where a figure comes from; with Ctrl too', group },
];

function follow({ currentTarget, target }: FocusEvent<HTMLTableElement>): void {
  keepOneTabStop(currentTarget, target);
}

/** Whether the key was one of ours. */
function onKey({ key, ctrlKey, metaKey, altKey, target, currentTarget }: KeyboardEvent<HTMLTableElement>, letters: boolean, pinAt: (element: Element) => boolean): boolean {
  if (altKey || !(target instanceof Element)) return false;
  const modified = ctrlKey || metaKey;
  if (key === 'i' && (modified || letters)) return pinAt(target);
  if (!modified && key === 'Enter' && target.matches('td')) return openRow(target);
  const inSight = Math.floor((currentTarget.parentElement?.clientHeight ?? 0) / ROW_PX) - 1;
  return moveFocus(currentTarget, target, modified ? `Ctrl+${key}` : key, Math.max(1, inSight));
}

function openRow(cell: Element): boolean {
  const link = cell.closest('tr')?.querySelector('a');
  link?.click();
  return link !== null && link !== undefined;
}

interface SectionHeadProps<Row> {
  readonly section: TableSection<Row>;
  readonly columns: readonly SortableColumn<Row>[];
  readonly span: number;
  readonly onToggle: (key: string) => void;
}

function SectionHead<Row>({ section: { key, heading, sums, closed = false }, columns, span, onToggle }: SectionHeadProps<Row>) {
  return (
    <tr className={styles['section']}>
      <th scope="rowgroup" colSpan={span}>
        <button
          type="button"
          className={styles['fold']}
          tabIndex={-1}
          aria-expanded={!closed}
          onClick={() => {
            onToggle(key);
          }}
        >
          {heading}
        </button>
      </th>
      {columns.slice(span).map(({ id, numeric }) => (
        <td key={id} data-column={id} data-numeric={numeric} tabIndex={-1}>
          {sums.get(id)}
        </td>
      ))}
    </tr>
  );
}
