import type { GridState } from '../grid-state.ts';

type Layout = Pick<GridState, 'order' | 'hidden' | 'pinned'>;

/** The columns as an address names them. */
export interface ShownColumns {
  /** In grid order. */
  readonly shown: readonly string[];
  /** Null: the reader’s own pins, for older links that do not name any. */
  readonly pinned: Layout['pinned'] | null;
}

/** The shown columns, for an address; null if they are the same in all of these layouts. */
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

/** Shows just these columns in this order. A layout that already does is returned as it is, so that hidden columns keep their places. */
export function showColumns<State extends Layout>(layout: State, columns: ShownColumns | null): State {
  if (columns === null || formatColumns(toShownColumns(layout)) === formatColumns(columns)) return layout;
  const { shown, pinned } = columns;
  const rest = layout.order.filter((id) => !shown.includes(id));
  return { ...layout, order: [...shown, ...rest], hidden: rest, pinned: pinned ?? layout.pinned };
}

/** `side.product,type.id`: pinned at the start, scrolling, and pinned at the end. */
export function formatColumns({ shown, pinned }: ShownColumns): string {
  if (pinned === null) return shown.join();
  const { start, end } = pinned;
  return [start, shown.slice(start.length, shown.length - end.length), end].map((ids) => ids.join()).join('.');
}

/** Null: the default columns. */
export function parseColumns(text: string, known: (id: string) => boolean): ShownColumns | null {
  const parts = text.split('.').map((part) => part.split(',').filter(known));
  const shown = [...new Set(parts.flat())];
  if (shown.length === 0) return null;
  const [start, , end] = parts.map((ids) => shown.filter((id) => ids.includes(id)));
  return { shown, pinned: start === undefined || end === undefined ? null : { start, end } };
}
