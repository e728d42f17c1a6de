import { toPlace, type Place } from './to-place.ts';

/** What a cell gives the keyboard to: the link or button in it, else itself. */
function targetOf(cell: Element): HTMLElement | null {
  const inner = cell.querySelector('a, button');
  if (inner instanceof HTMLElement) return inner;
  return cell instanceof HTMLElement ? cell : null;
}

/** Moves the focus as the key says; whether it did. */
export function moveFocus(table: HTMLTableElement, from: Element, key: string, rowsInSight: number): boolean {
  const cell = from.closest('td, th');
  const row = cell?.closest('tr');
  if (!(cell instanceof HTMLTableCellElement) || row === null || row === undefined) return false;
  const at = { row: [...table.rows].indexOf(row), column: cell.cellIndex };
  const place = toPlace(key, at, { rows: table.rows.length, columns: row.cells.length, page: rowsInSight });
  const next = place === null ? null : cellAt(table, place);
  if (next === null) return false;
  targetOf(next)?.focus();
  return true;
}

function cellAt(table: HTMLTableElement, { row, column }: Place): Element | null {
  const cells = table.rows[row]?.cells;
  return cells?.[Math.min(column, cells.length - 1)] ?? null;
}

/** Leaves one element of the table in the order of Tab: where the keyboard was last, else the first that does something. */
export function keepOneTabStop(table: HTMLTableElement, wanted: Element | null): void {
  const stops = [...table.querySelectorAll('[tabindex="0"]')];
  const stop = wanted ?? stops[0] ?? table.querySelector('a, button, td');
  for (const other of stops) if (other !== stop) other.setAttribute('tabindex', '-1');
  stop?.setAttribute('tabindex', '0');
}
