import { ALIAS_KINDS, type AliasKind } from '#contract/desk/aliases.ts';
import type { GridFilter } from '#model/tables/grid-state.ts';
import {
  fromAliasText,
  toCodeAlias,
  toPartAlias,
  toWordsAlias,
  type AliasTable,
} from '#model/tables/orders/alias-text.ts';
import { formatFilter, parseFilter } from './list-query.ts';
import { NO_PRIVATE_STATE, toTexts, type PrivateState } from './private-state.ts';

const PARAM = 'own';
const QUICK = 'quick';
const VIEW = 'view';
const isTextId = (id: string): boolean => id === QUICK || id === VIEW;

/** The part of the address that names owners, by aliases. */
export function readOwnTexts(query: URLSearchParams): readonly string[] {
  return query.getAll(PARAM);
}

export function writeOwnTexts(query: URLSearchParams, own: readonly string[]): void {
  query.delete(PARAM);
  for (const text of own) query.append(PARAM, text);
}

/** The filter is known to this tab only: a code in it has no alias. */
const HELD = ':held:';

export function isHeld(own: string): boolean {
  return /^\w+:held:$/.test(own);
}

/** The column that it filters, `quick` or `view`. */
export function toOwnId(own: string): string {
  return own.slice(0, own.indexOf(':'));
}

/** The filters and texts as the address writes them. `codes`: those of orders in the list, which the table may not have yet. */
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
  /** What could not be resolved: columns, or `quick`. Without the name of a view the list is the same. */
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

/** Null: a code has no alias. */
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
