type Step = (at: Place, size: Size) => Place;

interface Place {
  readonly row: number;
  readonly column: number;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
  /** Rows that are in sight at once. */
  readonly page: number;
}

/** The keys of the ARIA grid pattern; the head's row is the first. */
const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, { columns }) => ({ row, column: columns - 1 }),
  PageUp: ({ row, column }, { page }) => ({ row: row - page, column }),
  PageDown: ({ row, column }, { page }) => ({ row: row + page, column }),
  'Ctrl+Home': () => ({ row: 0, column: 0 }),
  'Ctrl+End': (_, { rows, columns }) => ({ row: rows - 1, column: columns - 1 }),
};

/** Where a key leads from a place, kept within the table; null for a key that moves nothing. */
export function toPlace(key: string, at: Place, size: Size): Place | null {
  const step = STEPS[key];
  if (step === undefined) return null;
  const { row, column } = step(at, size);
  return { row: clamp(row, size.rows), column: clamp(column, size.columns) };
}

function clamp(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, value));
}

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
