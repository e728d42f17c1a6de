import { ALIAS_KINDS, type AliasKind, type OwnerAlias } from '#contract/desk-aliases.ts';
import type { Scope } from '../viewer.ts';
import type { StoredView } from './saved-store.ts';

/** The codes of accounts, clearing firms and connections that may be seen within a scope. */
export type CodesOf = (scope: Scope) => readonly Pick<OwnerAlias, 'kind' | 'code'>[];

type ViewTexts = Pick<StoredView, 'name' | 'query'>;

/** Fewer characters of a code do not identify anybody. */
const MIN_LENGTH = 3;
/** Ids of orders are long numbers, and name an order that may be of others. */
const ORDER_ID = /\d{9}/;
const SEPARATOR = '~';

/** Whether each filter by an owner is one by owners within the scope. Codes of others and codes that nobody has are the same here. */
export function ownersAreWithin(scope: Scope, { query }: Pick<ViewTexts, 'query'>, codesOf: CodesOf): boolean {
  if (scope === 'all') return true;
  const seen = codesOf(scope);
  return ownerFilters(query).every(([kind, comparison, text]) => {
    const codes = seen.filter((one) => one.kind === kind).map(({ code }) => code.toLowerCase());
    return isWithin(codes, comparison, text.toLowerCase());
  });
}

/** The same of all texts of a view: a name or a search may name an owner as well. */
export function textsAreWithin(scope: Scope, view: ViewTexts, codesOf: CodesOf): boolean {
  if (scope === 'all') return true;
  if (!ownersAreWithin(scope, view, codesOf)) return false;
  const own = codesOf(scope).map(({ code }) => code.toLowerCase());
  const others = codesOf('all').flatMap(({ code }) => (own.includes(code.toLowerCase()) ? [] : [code.toLowerCase()]));
  const mayBeSeen = (text: string, isPart: (word: string, code: string) => boolean): boolean =>
    !ORDER_ID.test(text) && !toWords(text).some((word) => !own.some((code) => code.includes(word)) && others.some((code) => isPart(word, code)));
  const { free, ofColumns } = textsOf(view.query);
  return [view.name, ...free].every((text) => mayBeSeen(text, (word, code) => contains(word, code) || isPartOf(word, code))) && ofColumns.every((text) => mayBeSeen(text, contains));
}

function isWithin(codes: readonly string[], comparison: string, text: string): boolean {
  switch (comparison) {
    case 'is':
      return text.split(SEPARATOR).every((part) => codes.includes(unescapeText(part)));
    case 'has':
      return codes.some((code) => code.includes(text));
    case 'starts':
      return codes.some((code) => code.startsWith(text));
    default:
      return false;
  }
}

function unescapeText(text: string): string {
  return text.replaceAll('%7e', SEPARATOR).replaceAll('%25', '%');
}

function contains(word: string, code: string): boolean {
  return word === code || (code.length >= MIN_LENGTH && word.includes(code));
}

function isPartOf(word: string, code: string): boolean {
  return word.length >= MIN_LENGTH && code.includes(word);
}

function toWords(text: string): readonly string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u).filter((word) => word !== '');
}

/** The filters of a query by an owner, each `column:comparison:text`. */
function ownerFilters(query: string): readonly (readonly [kind: AliasKind, comparison: string, text: string])[] {
  return new URLSearchParams(query).getAll('f').flatMap((filter) => {
    const [, column = '', comparison = '', text = ''] = /^(\w+):(\w+):(.*)$/s.exec(filter) ?? [];
    const kind = ALIAS_KINDS.find((one) => one === column);
    return kind === undefined ? [] : [[kind, comparison, text] as const];
  });
}

const OF_COLUMNS: readonly string[] = ['sort', 'group', 'cols'];
const FREE: readonly string[] = ['q', 'view'];

/** What else a query says: texts that somebody wrote, and names of columns, which may be parts of a code. */
function textsOf(query: string): { readonly free: readonly string[]; readonly ofColumns: readonly string[] } {
  const pairs = [...new URLSearchParams(query)];
  const free = pairs.flatMap(([name, value]) => {
    if (OF_COLUMNS.includes(name)) return [];
    if (FREE.includes(name)) return [value];
    if (name !== 'f') return [name, value];
    const [, column, , text] = /^(\w+):(\w+):(.*)$/s.exec(value) ?? [];
    return text === undefined ? [value] : ALIAS_KINDS.some((kind) => kind === column) ? [] : [text];
  });
  return { free, ofColumns: pairs.flatMap(([name, value]) => (OF_COLUMNS.includes(name) ? [value] : [])) };
}
