import type { GridFilter } from '#ui/grid/grid-state.ts';
import type { ListState } from './order-state-text.ts';

/** Columns that say whose orders they are: nothing of them goes into an address unless the reader wants it. */
const PRIVATE_COLUMNS: ReadonlySet<string> = new Set(['account', 'firm', 'connection']);

/** What of a list's state can say whose orders they are. */
export type OwnState = Pick<ListState, 'filters' | 'quick' | 'view'>;

const NOTHING_OWN: OwnState = { filters: {}, quick: '', view: '' };

interface SplitState {
  /** What an address may say. */
  readonly open: ListState;
  /** What stays in this tab. */
  readonly own: OwnState;
}

/** Parts the state into what an address may say and what it may not. `codes` are those that the orders name, `kept` is what stays in this tab so far. */
export function splitState(state: ListState, optedIn: boolean, codes: ReadonlySet<string>, kept: OwnState): SplitState {
  if (optedIn) return { open: state, own: NOTHING_OWN };
  const filters = Object.entries(state.filters);
  const ownFilters = filters.filter(([id]) => PRIVATE_COLUMNS.has(id));
  const known = [...codes, ...ownFilters.flatMap(([, filter]) => toTexts(filter))];
  const quick = splitText(state.quick, kept.quick, known);
  const view = splitText(state.view, kept.view, known);
  return {
    open: { ...state, filters: Object.fromEntries(filters.filter(([id]) => !PRIVATE_COLUMNS.has(id))), quick: quick.open, view: view.open },
    own: { filters: Object.fromEntries(ownFilters), quick: quick.own, view: view.own },
  };
}

/** What the address says comes first, and where it may name codes it says all. */
export function joinState(open: ListState, own: OwnState, optedIn: boolean): ListState {
  if (optedIn) return open;
  return { ...open, filters: { ...own.filters, ...open.filters }, quick: open.quick === '' ? own.quick : open.quick, view: open.view === '' ? own.view : open.view };
}

function toTexts(filter: GridFilter): readonly string[] {
  if (filter.kind === 'has') return [filter.text];
  return filter.kind === 'is' ? filter.texts : [];
}

/** What is kept stays so when no order names its code any more, or none is read yet, and while it is written on. */
function splitText(text: string, kept: string, codes: readonly string[]): { readonly open: string; readonly own: string } {
  return namesCode(text, [...codes, ...toWords(kept)]) ? { open: '', own: text } : { open: text, own: '' };
}

/** So few letters of a code give nobody away. */
const TELLING = 3;

function toWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter((word) => word.length >= TELLING);
}

function namesCode(text: string, codes: readonly string[]): boolean {
  return toWords(text).some((word) => codes.some((code) => code.toLowerCase().includes(word) || (code.length >= TELLING && word.includes(code.toLowerCase()))));
}
