import { ALIAS_KINDS, type AliasKind, type OwnerAlias } from '#contract/desk/aliases.ts';
import { SHARED_LIMITS } from '#contract/desk/saved.ts';
import type { Scope } from '#server/core/viewer.ts';
import type { StoredView } from './saved-store.ts';

/** The codes of accounts, clearing firms and connections that may be seen within a scope. */
export type CodesOf = (scope: Scope) => readonly Pick<OwnerAlias, 'kind' | 'code'>[];

type ViewTexts = Pick<StoredView, 'name' | 'query'>;

/** Fewer characters of a code do not identify anybody. */
const MIN_LENGTH = 3;
/** Ids of orders are long numbers, and name an order that may be of others. */
const ORDER_ID = /\d{9}/;
const SEPARATOR = '~';

/** What is known of the codes within a scope, found out once for however many views. */
export interface ViewScope {
  /** Whether each filter by an owner is one by owners within the scope. Codes of others and codes that nobody has are the same here. */
  readonly hasOwners: (view: ViewTexts) => boolean;
  /** The same of all texts of a view: a name or a search may name an owner as well. */
  readonly hasTexts: (view: ViewTexts & Pick<StoredView, 'named'>) => boolean;
  /** The codes in a view of owners whom its sharer may see, and words that are parts of such; null: all may be seen, those to come as well. */
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
      // Somebody who does not see all owners cannot give away others; that a view of theirs is hidden must not say who exists.
      return (view.named ?? findCodes(view, others())).every((code) => own.text.includes(code));
    },
    findNamed: (view) => findCodes(view, own),
  };
}

/** Codes in lower case, so that many words can be looked for in them. */
interface Codes {
  readonly all: ReadonlySet<string>;
  /** A line each: no word goes over the end of one. */
  readonly text: string;
  /** Those that are found within a word, each once. */
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

/** What a view says of these codes: those within its words, and words that are parts of one. */
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

/** Each of its words is looked for in all codes, for each person who reads the list. */
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

/** What else a view says: texts that somebody wrote, and names of columns, which may be parts of a code. */
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
