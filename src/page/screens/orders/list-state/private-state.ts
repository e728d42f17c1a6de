import { ALIAS_KINDS, type AliasKind } from '#contract/desk/aliases.ts';
import type { GridFilter } from '#model/tables/grid.ts';
import {
  type AliasTable,
  fromAliasText,
  namesCode,
  toCodeAlias,
  toCodeWords,
  toPartAlias,
  toWordsAlias,
} from '#model/tables/orders/alias-text.ts';
import { formatFilter, type ListState, parseFilter } from './list-query.ts';

/**
 * Columns that identify an order's owner. Addresses contain aliases of their codes unless the viewer opts in to the
 * codes themselves.
 */
const PRIVATE_COLUMNS: ReadonlySet<string> = new Set(ALIAS_KINDS);

/** The part of a list’s state that may identify an owner. */
export type PrivateState = Pick<ListState, 'filters' | 'quick' | 'view'>;

export const NO_PRIVATE_STATE: PrivateState = { filters: {}, quick: '', view: '' };

interface SplitState {
  /** The part that the address may contain literally. */
  readonly shared: ListState;
  /** The part kept in this tab, which the address contains only as aliases. */
  readonly tabOnly: PrivateState;
}

/**
 * Splits the state into the part that an address may contain literally and the part that it may not. `codes` are those
 * of the orders; `kept` is the part held by this tab so far.
 */
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

/** Joins both parts; the address takes precedence. */
export function joinState(shared: ListState, tabOnly: PrivateState): ListState {
  return {
    ...shared,
    filters: { ...tabOnly.filters, ...shared.filters },
    quick: shared.quick === '' ? tabOnly.quick : shared.quick,
    view: shared.view === '' ? tabOnly.view : shared.view,
  };
}

function toTexts(filter: GridFilter): readonly string[] {
  if (filter.kind === 'has' || filter.kind === 'starts') return [filter.text];
  return filter.kind === 'is' ? filter.texts : [];
}

/** Keeps a private text private even after its code has disappeared, before orders are read, and while it is edited. */
function splitText(
  text: string,
  kept: string,
  codes: readonly string[],
): { readonly shared: string; readonly tabOnly: string } {
  return namesCode(text, [...codes, ...toCodeWords(kept)])
    ? { shared: '', tabOnly: text }
    : { shared: text, tabOnly: '' };
}

const PARAM = 'own';
const QUICK = 'quick';
const VIEW = 'view';
const isTextId = (id: string): boolean => id === QUICK || id === VIEW;

/** Reads the part of the address that names owners by alias. */
export function readOwnTexts(query: URLSearchParams): readonly string[] {
  return query.getAll(PARAM);
}

export function writeOwnTexts(query: URLSearchParams, own: readonly string[]): void {
  query.delete(PARAM);
  for (const text of own) query.append(PARAM, text);
}

/** Marks a filter that only this tab knows, because a code in it has no alias. */
const HELD = ':held:';

export function isHeld(own: string): boolean {
  return /^\w+:held:$/.test(own);
}

/** Returns what an entry of the address filters: a column id, `quick` or `view`. */
export function toOwnId(own: string): string {
  return own.slice(0, own.indexOf(':'));
}

/**
 * Formats the filters and texts for the address. `codes` are those of the orders in the list, which the table may not
 * contain yet.
 */
export function toOwnTexts(
  { filters, quick, view }: PrivateState,
  table: AliasTable | null,
  codes: ReadonlySet<string>,
): readonly string[] {
  const known = [
    ...codes,
    ...(table?.entries ?? []).map(({ code }) => code),
    ...Object.values(filters).flatMap(toTexts),
  ];
  const ofFilters = Object.entries(filters).map(([id, filter]) => {
    const aliased = table && toAliasFilter(filter, id as AliasKind, table);
    return aliased === null ? id + HELD : formatFilter(id, aliased);
  });
  const ofText = (id: string, text: string): string => {
    const aliased = table && toWordsAlias(text, table, known);
    return aliased === null ? id + HELD : formatFilter(id, { kind: 'has', text: aliased });
  };
  const ofTexts = [
    [QUICK, quick],
    [VIEW, view],
  ] as const;
  return [...ofFilters, ...ofTexts.filter(([, text]) => text !== '').map(([id, text]) => ofText(id, text))];
}

interface OwnState {
  readonly state: PrivateState;
  /**
   * The parts that could not be resolved: column ids or `quick`. A missing view name is left out, since the list is
   * the same without it.
   */
  readonly unknown: readonly string[];
}

export function fromOwnTexts(own: readonly string[], table: AliasTable): OwnState {
  return own.reduce<OwnState>((found, text) => withOwnText(found, text, table), {
    state: NO_PRIVATE_STATE,
    unknown: [],
  });
}

function withOwnText({ state, unknown }: OwnState, text: string, table: AliasTable): OwnState {
  const [id = text] = text.split(':');
  const [, filter] = parseFilter(text, isOwnId)[0] ?? [];
  const plain = filter === undefined ? null : fromAliasFilter(filter, table);
  if (plain === null) return { state, unknown: id === VIEW ? unknown : [...unknown, id] };
  if (!isTextId(id)) return { state: { ...state, filters: { ...state.filters, [id]: plain } }, unknown };
  return { state: { ...state, [id]: toTexts(plain).join('') }, unknown };
}

function isOwnId(id: string): boolean {
  return isTextId(id) || (ALIAS_KINDS as readonly string[]).includes(id);
}

/** Replaces codes by aliases; null if a code has no alias. */
function toAliasFilter(filter: GridFilter, kind: AliasKind, table: AliasTable): GridFilter | null {
  if (!isOfTexts(filter)) return null;
  return mapTexts(filter, (text) => (filter.kind === 'is' ? toCodeAlias : toPartAlias)(text, kind, table));
}

function fromAliasFilter(filter: GridFilter, table: AliasTable): GridFilter | null {
  return isOfTexts(filter) ? mapTexts(filter, (text) => fromAliasText(text, table)) : null;
}

type TextFilter = Extract<GridFilter, { readonly kind: 'has' | 'starts' | 'is' }>;

function isOfTexts(filter: GridFilter): filter is TextFilter {
  return filter.kind === 'has' || filter.kind === 'starts' || filter.kind === 'is';
}

function mapTexts(filter: TextFilter, change: (text: string) => string | null): GridFilter | null {
  if (filter.kind !== 'is') {
    const text = change(filter.text);
    return text === null ? null : { ...filter, text };
  }
  const texts = filter.texts.map(change);
  return texts.includes(null) ? null : { kind: 'is', texts: texts.filter((text) => text !== null) };
}
