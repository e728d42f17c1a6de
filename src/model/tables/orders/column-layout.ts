import type { GridState } from '../grid.ts';

type Layout = Pick<GridState, 'order' | 'hidden' | 'pinned'>;

/** The columns as named in an address. */
export interface ShownColumns {
  /** In grid order. */
  readonly shown: readonly string[];
  /** Null keeps the user’s own pins: older links name none. */
  readonly pinned: Layout['pinned'] | null;
}

/** Returns the shown columns for an address; null if all of these layouts show the same. */
export function toNamedColumns(state: Layout, ...others: readonly Layout[]): ShownColumns | null {
  const text = formatColumns(toShownColumns(state));
  return others.every((layout) => formatColumns(toShownColumns(layout)) === text) ? null : toShownColumns(state);
}

export function toShownColumns({ order, hidden, pinned }: Layout): ShownColumns {
  const isShown = (id: string): boolean => !hidden.includes(id);
  const [start, end] = [pinned.start.filter(isShown), pinned.end.filter(isShown)];
  const between = order.filter((id) => isShown(id) && !start.includes(id) && !end.includes(id));
  return { shown: [...start, ...between, ...end], pinned: { start, end } };
}

/**
 * Shows exactly these columns in this order. A layout that already does is returned unchanged, so that hidden columns
 * keep their places.
 */
export function showColumns<State extends Layout>(layout: State, columns: ShownColumns | null): State {
  if (columns === null || formatColumns(toShownColumns(layout)) === formatColumns(columns)) return layout;
  const { shown, pinned } = columns;
  const rest = layout.order.filter((id) => !shown.includes(id));
  return { ...layout, order: [...shown, ...rest], hidden: rest, pinned: pinned ?? layout.pinned };
}

/** Formats columns as `side.product,type.id`: pinned at the start, scrolling, and pinned at the end. */
export function formatColumns({ shown, pinned }: ShownColumns): string {
  if (pinned === null) return shown.join();
  const { start, end } = pinned;
  return [start, shown.slice(start.length, shown.length - end.length), end].map((ids) => ids.join()).join('.');
}

/** Parses columns; null stands for the default ones. */
export function parseColumns(text: string, known: (id: string) => boolean): ShownColumns | null {
  const parts = text.split('.').map((part) => part.split(',').filter(known));
  const shown = [...new Set(parts.flat())];
  if (shown.length === 0) return null;
  const [start, , end] = parts.map((ids) => shown.filter((id) => ids.includes(id)));
  return { shown, pinned: start === undefined || end === undefined ? null : { start, end } };
}
