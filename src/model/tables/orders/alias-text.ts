import type { AliasKind, OwnerAlias } from '#contract/desk/aliases.ts';

/** Fewer characters of a code do not identify anyone. */
const MIN_CODE_LENGTH = 3;

export function toCodeWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length >= MIN_CODE_LENGTH);
}

/** Whether a word of the text is a code, contains one or is a part of one. */
export function namesCode(text: string, codes: readonly string[]): boolean {
  return toCodeWords(text).some((word) =>
    codes.some(
      (code) =>
        code.toLowerCase().includes(word) || (code.length >= MIN_CODE_LENGTH && word.includes(code.toLowerCase())),
    ),
  );
}

/** The codes that Perpdesk knows and their aliases, in both directions. */
export interface AliasTable {
  readonly entries: readonly OwnerAlias[];
  readonly codeOf: (alias: string) => string | undefined;
}

export function toAliasTable(entries: readonly OwnerAlias[]): AliasTable {
  const codes = new Map(entries.map(({ alias, code }) => [alias, code]));
  return { entries, codeOf: (alias) => codes.get(alias) };
}

/**
 * A text for an address. A code, or a part of one, becomes `*alias*` or `*alias.from.to*`. Null means that the text
 * names an owner who has no alias yet.
 */
type AliasText = string | null;

/** Converts a text that is a whole code. */
export function toCodeAlias(code: string, kind: AliasKind, { entries }: AliasTable): AliasText {
  if (code === '') return '';
  const entry = entries.find((one) => one.kind === kind && one.code === code);
  return entry === undefined ? null : toReference(entry, 0, code.length);
}

/** Converts a text that is searched for in codes of one kind. */
export function toPartAlias(text: string, kind: AliasKind, { entries }: AliasTable): AliasText {
  return findWithin(
    toLower(text),
    entries.filter((one) => one.kind === kind),
  );
}

/** Converts a text of words, some of which name codes. `codes` are those known in addition to the table’s. */
export function toWordsAlias(text: string, { entries }: AliasTable, codes: readonly string[]): AliasText {
  const parts = text.split(/(\s+)/).map((word) => toWordAlias(word, entries, codes));
  return parts.includes(null) ? null : parts.join('');
}

/** Restores the text of an address; null if it contains an unknown alias. */
export function fromAliasText(text: string, { codeOf }: AliasTable): string | null {
  const parts = text.split(/(\*[^*]*\*)/).map((part) => {
    if (!part.startsWith('*')) return unescapeText(part);
    const [, alias = '', from, to] = /^\*([\w-]+)(?:\.(\d+)\.(\d+))?\*$/.exec(part) ?? [];
    const code = codeOf(alias);
    return from === undefined ? code : code?.slice(Number(from), Number(to));
  });
  return parts.includes(undefined) ? null : parts.join('');
}

function toWordAlias(word: string, entries: readonly OwnerAlias[], codes: readonly string[]): AliasText {
  const wanted = toLower(word);
  if (wanted.length < MIN_CODE_LENGTH) return escapeText(word);
  return (
    findWithin(wanted, entries) ??
    replaceCode(word, entries, codes) ??
    (namesCode(word, codes) ? null : escapeText(word))
  );
}

/** Finds the code that is or contains the text. */
function findWithin(wanted: string, entries: readonly OwnerAlias[]): AliasText {
  const places = entries
    .map((entry) => ({ entry, at: toLower(entry.code).indexOf(wanted) }))
    .filter(({ at }) => at >= 0);
  const found = places.find(({ entry }) => entry.code.length === wanted.length) ?? places[0];
  return found === undefined ? null : toReference(found.entry, found.at, wanted.length);
}

/** Replaces a code within a word; null if the word contains none. */
function replaceCode(word: string, entries: readonly OwnerAlias[], codes: readonly string[]): AliasText {
  const wanted = toLower(word);
  const entry = entries.find(({ code }) => code.length >= MIN_CODE_LENGTH && wanted.includes(toLower(code)));
  if (entry === undefined) return null;
  const at = wanted.indexOf(toLower(entry.code));
  const parts = [
    toWordAlias(word.slice(0, at), entries, codes),
    toReference(entry, 0, entry.code.length),
    toWordAlias(word.slice(at + entry.code.length), entries, codes),
  ];
  return parts.includes(null) ? null : parts.join('');
}

function toReference({ alias, code }: OwnerAlias, from: number, length: number): string {
  return length === code.length ? `*${alias}*` : `*${alias}.${String(from)}.${String(from + length)}*`;
}

/**
 * Lower-cases each character on its own. A few characters would become longer and shift all later positions, so they
 * stay as they are.
 */
function toLower(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replaceAll(/./gu, (character) =>
        character.toLowerCase().length === character.length ? character.toLowerCase() : character,
      );
}

/** Escapes asterisks, which mark aliases. */
function escapeText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('*', '%2A');
}

function unescapeText(text: string): string {
  return text.replaceAll('%2A', '*').replaceAll('%25', '%');
}
