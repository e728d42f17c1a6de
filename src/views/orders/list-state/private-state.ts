import type { GridFilter } from '#ui/grid/grid-state.ts';
import type { ListState } from './list-query.ts';

/** Columns that identify the owner of an order: their filters stay out of addresses unless the reader opts in. */
const PRIVATE_COLUMNS: ReadonlySet<string> = new Set(['account', 'firm', 'connection']);

/** The part of a list’s state that may identify an owner. */
export type PrivateState = Pick<ListState, 'filters' | 'quick' | 'view'>;

const NO_PRIVATE_STATE: PrivateState = { filters: {}, quick: '', view: '' };

interface SplitState {
  /** For the address. */
  readonly shared: ListState;
  /** For this tab only. */
  readonly tabOnly: PrivateState;
}

/** Splits the state into what an address may hold and what it may not. `codes` are those of the orders, `kept` is what this tab holds so far. */
export function splitState(state: ListState, optedIn: boolean, codes: ReadonlySet<string>, kept: PrivateState): SplitState {
  if (optedIn) return { shared: state, tabOnly: NO_PRIVATE_STATE };
  const filters = Object.entries(state.filters);
  const privateFilters = filters.filter(([id]) => PRIVATE_COLUMNS.has(id));
  const known = [...codes, ...privateFilters.flatMap(([, filter]) => toTexts(filter))];
  const quick = splitText(state.quick, kept.quick, known);
  const view = splitText(state.view, kept.view, known);
  return {
    shared: { ...state, filters: Object.fromEntries(filters.filter(([id]) => !PRIVATE_COLUMNS.has(id))), quick: quick.shared, view: view.shared },
    tabOnly: { filters: Object.fromEntries(privateFilters), quick: quick.tabOnly, view: view.tabOnly },
  };
}

/** The address takes precedence; with opt-in it holds everything. */
export function joinState(shared: ListState, tabOnly: PrivateState, optedIn: boolean): ListState {
  if (optedIn) return shared;
  return {
    ...shared,
    filters: { ...tabOnly.filters, ...shared.filters },
    quick: shared.quick === '' ? tabOnly.quick : shared.quick,
    view: shared.view === '' ? tabOnly.view : shared.view,
  };
}

function toTexts(filter: GridFilter): readonly string[] {
  if (filter.kind === 'has') return [filter.text];
  return filter.kind === 'is' ? filter.texts : [];
}

/** A kept text stays private after its code has disappeared, before orders are read, and while it is edited. */
function splitText(text: string, kept: string, codes: readonly string[]): { readonly shared: string; readonly tabOnly: string } {
  return namesCode(text, [...codes, ...toWords(kept)]) ? { shared: '', tabOnly: text } : { shared: text, tabOnly: '' };
}

/** Fewer characters of a code do not identify anybody. */
const MIN_CODE_LENGTH = 3;

function toWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter((word) => word.length >= MIN_CODE_LENGTH);
}

function namesCode(text: string, codes: readonly string[]): boolean {
  return toWords(text).some((word) => codes.some((code) => code.toLowerCase().includes(word) || (code.length >= MIN_CODE_LENGTH && word.includes(code.toLowerCase()))));
}
