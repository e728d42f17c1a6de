import type { GridState } from '#ui/grid/grid-state.ts';

/** The columns shown, in their order; null where that is as usual, for an address. */
export function toShownColumns(state: Layout, usual: Layout): readonly string[] | null {
  const shown = shownOf(state);
  return shown.join() === shownOf(usual).join() ? null : shown;
}

type Layout = Pick<GridState, 'order' | 'hidden'>;

function shownOf({ order, hidden }: Layout): readonly string[] {
  return order.filter((id) => !hidden.includes(id));
}

/** The layout in which just these columns are shown, in this order. */
export function showColumns<State extends Layout>(layout: State, shown: readonly string[] | null): State {
  if (shown === null) return layout;
  const rest = layout.order.filter((id) => !shown.includes(id));
  return { ...layout, order: [...shown, ...rest], hidden: rest };
}
