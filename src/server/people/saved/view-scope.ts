import { ALIAS_KINDS, type AliasKind, type OwnerAlias } from '#contract/desk/aliases.ts';
import { SHARED_LIMITS } from '#contract/desk/saved.ts';
import type { Scope } from '#server/core/viewer.ts';
import type { StoredView } from './saved-store.ts';

/** Returns the codes of accounts, clearing firms and connections within a scope. */
export type CodesOf = (scope: Scope) => readonly Pick<OwnerAlias, 'kind' | 'code'>[];

type ViewTexts = Pick<StoredView, 'name' | 'query'>;

/** Fewer characters of a code do not identify anyone. */
const MIN_LENGTH = 3;
/** Order IDs are long numbers, and may name orders of others. */
const ORDER_ID = /\d{9}/;
const SEPARATOR = '~';

/** What a scope allows in views. The codes are looked up once for all views. */
export interface ViewScope {
  /**
   * Whether all filters by owner name owners within the scope. Codes of others and nonexistent codes count the same.
   */
  readonly hasOwners: (view: ViewTexts) => boolean;
  /** Also checks the texts of a view, since a name or a search may name an owner too. */
  readonly hasTexts: (view: ViewTexts & Pick<StoredView, 'named'>) => boolean;
  /**
   * Returns the codes in a view whose owners its sharer may see, and words that are parts of such codes; null if the
   * sharer may see all owners, including future ones.
   */
  readonly findNamed: (view: ViewTexts) => readonly string[] | null;
}

const EVERYTHING: ViewScope = { hasOwners: () => true, hasTexts: () => true, findNamed: () => null };

export function createViewScope(scope: Scope, codesOf: CodesOf): ViewScope {
  if (scope === 'all') return EVERYTHING;
  const seen = codesOf(scope);
  const own = toCodes(seen.map(({ code }) => code));
  let found: Codes | null = null;
  const others = (): Codes =>
    (found ??= toCodes(codesOf('all').flatMap(({ code }) => (own.all.has(code.toLowerCase()) ? [] : [code]))));
  const hasOwners = ({ query }: Pick<ViewTexts, 'query'>): boolean =>
    ownerFilters(query).every(([kind, comparison, text]) => {
      const codes = seen.filter((one) => one.kind === kind).map(({ code }) => code.toLowerCase());
      return isWithin(codes, comparison, text.toLowerCase());
    });
  return {
    hasOwners,
    hasTexts: (view) => {
      if (!hasOwners(view) || isTooLong(view) || allTexts(view).some((text) => ORDER_ID.test(text))) return false;
      // A sharer with a limited scope cannot reveal others, and hiding their view must not reveal who exists.
      return (view.named ?? findCodes(view, others())).every((code) => own.text.includes(code));
    },
    findNamed: (view) => findCodes(view, own),
  };
}

/** Codes in lower case, prepared for many look-ups. */
interface Codes {
  readonly all: ReadonlySet<string>;
  /** One code per line, so that no word spans two codes. */
  readonly text: string;
  /** The distinct lengths of the codes that are looked for within words. */
  readonly lengths: readonly number[];
}

function toCodes(codes: readonly string[]): Codes {
  const all = new Set(codes.map((code) => code.toLowerCase()));
  return {
    all,
    text: [...all].join('\n'),
    lengths: [...new Set(Array.from(all, ({ length }) => length))].filter((length) => length >= MIN_LENGTH),
  };
}

/** Returns the codes within a view's words, and words that are parts of a code. */
function findCodes(view: ViewTexts, codes: Codes): readonly string[] {
  const { free, ofColumns } = textsOf(view);
  const words = free.flatMap(toWords);
  const parts = words.filter((word) => word.length >= MIN_LENGTH && codes.text.includes(word));
  return [
    ...new Set([...parts, ...[...words, ...ofColumns.flatMap(toWords)].flatMap((word) => codesWithin(word, codes))]),
  ];
}

function allTexts(view: ViewTexts): readonly string[] {
  const { free, ofColumns } = textsOf(view);
  return [...free, ...ofColumns];
}

/** Limited because each word is looked up in all codes, for each reader of the list. */
export function isTooLong(view: ViewTexts): boolean {
  return allTexts(view).reduce((sum, { length }) => sum + length, 0) > SHARED_LIMITS.texts;
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

function codesWithin(word: string, { all, lengths }: Codes): readonly string[] {
  if (all.has(word)) return [word];
  const found: string[] = [];
  for (const length of lengths) {
    for (let start = 0; start + length <= word.length; start += 1) {
      const part = word.slice(start, start + length);
      if (all.has(part)) found.push(part);
    }
  }
  return found;
}

function toWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word !== '');
}

/** Returns a query's filters by owner, each `column:comparison:text`. */
function ownerFilters(query: string): readonly (readonly [kind: AliasKind, comparison: string, text: string])[] {
  return new URLSearchParams(query).getAll('f').flatMap((filter) => {
    const [, column = '', comparison = '', text = ''] = /^(\w+):(\w+):(.*)$/s.exec(filter) ?? [];
    const kind = ALIAS_KINDS.find((one) => one === column);
    return kind === undefined ? [] : [[kind, comparison, text] as const];
  });
}

const OF_COLUMNS: readonly string[] = ['sort', 'group', 'cols'];
const FREE: readonly string[] = ['q', 'view'];

/** Returns the other texts of a view: what a person wrote, and column names, which may be parts of a code. */
function textsOf({ name: title, query }: ViewTexts): {
  readonly free: readonly string[];
  readonly ofColumns: readonly string[];
} {
  const pairs = [...new URLSearchParams(query)];
  const free = pairs.flatMap(([name, value]) => {
    if (OF_COLUMNS.includes(name)) return [];
    if (FREE.includes(name)) return [value];
    if (name !== 'f') return [name, value];
    const [, column, , text] = /^(\w+):(\w+):(.*)$/s.exec(value) ?? [];
    return text === undefined ? [value] : ALIAS_KINDS.some((kind) => kind === column) ? [] : [text];
  });
  return {
    free: [title, ...free],
    ofColumns: pairs.flatMap(([name, value]) => (OF_COLUMNS.includes(name) ? [value] : [])),
  };
}
