import { ALIAS_KINDS } from '#contract/desk/aliases.ts';
import type { GridFilter } from '#model/tables/grid-state.ts';
import { namesCode, toCodeWords } from '#model/tables/orders/code-words.ts';
import type { ListState } from './list-query.ts';

/** Columns that identify the owner of an order: addresses contain aliases of their codes unless the reader opts in. */
const PRIVATE_COLUMNS: ReadonlySet<string> = new Set(ALIAS_KINDS);

/** The part of a list’s state that may identify an owner. */
export type PrivateState = Pick<ListState, 'filters' | 'quick' | 'view'>;

export const NO_PRIVATE_STATE: PrivateState = { filters: {}, quick: '', view: '' };

interface SplitState {
  /** For the address as it is. */
  readonly shared: ListState;
  /** For this tab, and by aliases for the address. */
  readonly tabOnly: PrivateState;
}

/** Splits the state into what an address may hold as it is and what it may not. `codes` are those of the orders, `kept` is what this tab holds so far. */
export function splitState(
  state: ListState,
  optedIn: boolean,
  codes: ReadonlySet<string>,
  kept: PrivateState,
): SplitState {
  if (optedIn) return { shared: state, tabOnly: NO_PRIVATE_STATE };
  const filters = Object.entries(state.filters);
  const privateFilters = filters.filter(([id]) => PRIVATE_COLUMNS.has(id));
  const known = [...codes, ...privateFilters.flatMap(([, filter]) => toTexts(filter))];
  const quick = splitText(state.quick, kept.quick, known);
  const view = splitText(state.view, kept.view, known);
  return {
    shared: {
      ...state,
      filters: Object.fromEntries(filters.filter(([id]) => !PRIVATE_COLUMNS.has(id))),
      quick: quick.shared,
      view: view.shared,
    },
    tabOnly: { filters: Object.fromEntries(privateFilters), quick: quick.tabOnly, view: view.tabOnly },
  };
}

/** The address takes precedence. */
export function joinState(shared: ListState, tabOnly: PrivateState): ListState {
  return {
    ...shared,
    filters: { ...tabOnly.filters, ...shared.filters },
    quick: shared.quick === '' ? tabOnly.quick : shared.quick,
    view: shared.view === '' ? tabOnly.view : shared.view,
  };
}

export function toTexts(filter: GridFilter): readonly string[] {
  if (filter.kind === 'has' || filter.kind === 'starts') return [filter.text];
  return filter.kind === 'is' ? filter.texts : [];
}

/** A kept text stays private after its code has disappeared, before orders are read, and while it is edited. */
function splitText(
  text: string,
  kept: string,
  codes: readonly string[],
): { readonly shared: string; readonly tabOnly: string } {
  return namesCode(text, [...codes, ...toCodeWords(kept)])
    ? { shared: '', tabOnly: text }
    : { shared: text, tabOnly: '' };
}
