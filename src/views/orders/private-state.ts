import type { ListState } from './order-state-text.ts';

/** Columns that say whose orders they are: nothing of them goes into an address unless the reader wants it. */
const PRIVATE_COLUMNS: ReadonlySet<string> = new Set(['account', 'firm', 'connection']);

type Own = Pick<ListState, 'filters' | 'quick'>;

const NOTHING: Own = { filters: {}, quick: '' };

interface SplitState {
  /** What an address may say. */
  readonly open: ListState;
  /** What stays in this tab. */
  readonly own: Own;
}

/** Parts the state into what an address may say and what it may not. `codes` are those that the orders name. */
export function splitState(state: ListState, optedIn: boolean, codes: ReadonlySet<string>): SplitState {
  if (optedIn) return { open: state, own: NOTHING };
  const filters = Object.entries(state.filters);
  const isOwnText = namesCode(state.quick, codes);
  return {
    open: { ...state, filters: Object.fromEntries(filters.filter(([id]) => !PRIVATE_COLUMNS.has(id))), quick: isOwnText ? '' : state.quick },
    own: { filters: Object.fromEntries(filters.filter(([id]) => PRIVATE_COLUMNS.has(id))), quick: isOwnText ? state.quick : '' },
  };
}

/** What the address says comes first, and where it may name codes it says all. */
export function joinState(open: ListState, own: Own, optedIn: boolean): ListState {
  if (optedIn) return open;
  return { ...open, filters: { ...own.filters, ...open.filters }, quick: open.quick === '' ? own.quick : open.quick };
}

/** So few letters of a code give nobody away. */
const TELLING = 3;

function namesCode(text: string, codes: ReadonlySet<string>): boolean {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word.length >= TELLING);
  return words.some((word) => [...codes].some((code) => code.toLowerCase().includes(word) || (code.length >= TELLING && word.includes(code.toLowerCase()))));
}
