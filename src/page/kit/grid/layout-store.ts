import { useMemo, useState } from 'react';
import type { GridState } from '#model/tables/grid-state.ts';
import { createStoredValue, parseFields, toFields, type Frame, type StoredValue } from '../stored-value.ts';

/** The parts of the column layout that the user has changed. */
export type ColumnLayout = Partial<Pick<GridState, 'order' | 'widths' | 'hidden' | 'pinned'>>;

const VERSION = 1;

/**
 * A stored layout of another version, or with unknown columns, is ignored. Columns that are newer than the layout follow
 * the column that they follow by default, hidden.
 *
 * @internal Exported for its test.
 */
export function createLayoutStore(frame: Frame, name: string, columns: readonly string[]): StoredValue<ColumnLayout> {
  return createStoredValue<ColumnLayout>(frame, `perpdesk.${name}.layout`, {
    parse: (text) => parseLayout(text, columns),
    format: formatLayout,
  });
}

/** Whether the columns have changed; parts of a state are replaced when they change. */
export function isLayoutChanged(state: GridState, next: GridState): boolean {
  return (
    next.order !== state.order ||
    next.hidden !== state.hidden ||
    next.widths !== state.widths ||
    next.pinned !== state.pinned
  );
}

export function toLayout({ order, widths, hidden, pinned }: GridState): ColumnLayout {
  return { order, widths, hidden, pinned };
}

function formatLayout(layout: ColumnLayout): string {
  return JSON.stringify({ version: VERSION, ...layout });
}

function parseLayout(text: string | null, columns: readonly string[]): ColumnLayout {
  const { order, widths, hidden, pinned } = parseFields(text, VERSION);
  const { start, end } = toFields(pinned);
  if (!isListOf(order, columns) || !isListOf(hidden, columns) || !isListOf(start, columns) || !isListOf(end, columns))
    return {};
  if (new Set(order).size !== order.length) return {};
  const added = columns.filter((id) => !order.includes(id));
  const known = Object.entries(toFields(widths)).filter(
    ([id, width]) => columns.includes(id) && typeof width === 'number',
  );
  return {
    order: insertAdded(order, columns, added),
    hidden: [...hidden, ...added],
    pinned: { start, end },
    widths: Object.fromEntries(known) as Readonly<Record<string, number>>,
  };
}

function insertAdded(
  order: readonly string[],
  columns: readonly string[],
  added: readonly string[],
): readonly string[] {
  return added.reduce(
    (kept, id) => kept.toSpliced(kept.indexOf(columns[columns.indexOf(id) - 1] ?? '') + 1, 0, id),
    order,
  );
}

function isListOf(value: unknown, ids: readonly string[]): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string' && ids.includes(id));
}

interface StoredLayout {
  readonly store: StoredValue<ColumnLayout>;
  /** The layout at the last `refresh`. */
  readonly layout: ColumnLayout;
  readonly refresh: () => void;
}

/** A grid’s column layout, stored in this browser under a name. Narrow windows use another name, so they have their own layout. */
export function useStoredLayout(name: string, columns: readonly string[]): StoredLayout {
  const ids = columns.join();
  const store = useMemo(() => createLayoutStore(window, name, ids.split(',')), [name, ids]);
  const stored = useMemo(() => store.read(), [store]);
  const [changed, setChanged] = useState<Pick<StoredLayout, 'store' | 'layout'> | null>(null);
  const refresh = (): void => {
    setChanged({ store, layout: store.read() });
  };
  return { store, layout: changed?.store === store ? changed.layout : stored, refresh };
}
