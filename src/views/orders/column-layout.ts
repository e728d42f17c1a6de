import type { GridState } from '#ui/grid/grid-state.ts';

/** For an address: the columns shown, in their order; null where every one of these layouts shows the same. */
export function toNamedColumns(state: Layout, ...others: readonly Layout[]): readonly string[] | null {
  const shown = toShownColumns(state);
  return others.every((layout) => toShownColumns(layout).join() === shown.join()) ? null : shown;
}

type Layout = Pick<GridState, 'order' | 'hidden'>;

/** The columns shown, in their order. */
export function toShownColumns({ order, hidden }: Layout): readonly string[] {
  return order.filter((id) => !hidden.includes(id));
}

/** The layout in which just these columns are shown, in this order. */
export function showColumns<State extends Layout>(layout: State, shown: readonly string[] | null): State {
  if (shown === null) return layout;
  const rest = layout.order.filter((id) => !shown.includes(id));
  return { ...layout, order: [...shown, ...rest], hidden: rest };
}
