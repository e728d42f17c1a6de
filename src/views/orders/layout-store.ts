import type { GridState } from '#ui/grid/grid-state.ts';

/** How columns are laid out, as far as a reader has changed it. */
type ColumnLayout = Partial<Pick<GridState, 'order' | 'widths' | 'hidden' | 'pinned'>>;

export interface LayoutStore {
  readonly read: () => ColumnLayout;
  /** What is kept from now on. */
  readonly write: (state: GridState) => ColumnLayout;
  readonly reset: () => ColumnLayout;
}

const VERSION = 1;

/** Kept in this browser. What is of another version, or names columns that there are not, counts as none. */
export function createLayoutStore(frame: Pick<Window, 'localStorage'>, name: string, columns: readonly string[]): LayoutStore {
  const key = `perpdesk.${name}.layout`;
  return {
    read: () => parseLayout(attempt(() => frame.localStorage.getItem(key)) ?? '', columns),
    write: ({ order, widths, hidden, pinned }) => {
      const layout = { order, widths, hidden, pinned };
      attempt(() => {
        frame.localStorage.setItem(key, JSON.stringify({ version: VERSION, ...layout }));
      });
      return layout;
    },
    reset: () => {
      attempt(() => {
        frame.localStorage.removeItem(key);
      });
      return {};
    },
  };
}

function parseLayout(text: string, columns: readonly string[]): ColumnLayout {
  const { version, order, widths, hidden, pinned } = toFields(attempt<unknown>(() => JSON.parse(text)));
  const { start, end } = toFields(pinned);
  if (version !== VERSION || !isListOf(order, columns) || !isListOf(hidden, columns) || !isListOf(start, columns) || !isListOf(end, columns)) return {};
  if (new Set(order).size !== columns.length) return {};
  const known = Object.entries(toFields(widths)).filter(([id, width]) => columns.includes(id) && typeof width === 'number');
  return { order, hidden, pinned: { start, end }, widths: Object.fromEntries(known) as Readonly<Record<string, number>> };
}

function isListOf(value: unknown, ids: readonly string[]): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string' && ids.includes(id));
}

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function attempt<T>(step: () => T): T | null {
  try {
    return step();
  } catch {
    return null;
  }
}
