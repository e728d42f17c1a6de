import type { AliasKind, OwnerAlias } from '#contract/desk/aliases.ts';
import { MIN_CODE_LENGTH, namesCode } from './code-words.ts';

/** The codes that the desk knows and their aliases, both ways. */
export interface AliasTable {
  readonly entries: readonly OwnerAlias[];
  readonly codeOf: (alias: string) => string | undefined;
}

export function toAliasTable(entries: readonly OwnerAlias[]): AliasTable {
  const codes = new Map(entries.map(({ alias, code }) => [alias, code]));
  return { entries, codeOf: (alias) => codes.get(alias) };
}

/**
 * A text for an address: a code, or a part of one, is written as `*alias*` or `*alias.from.to*`. Null: the text names an
 * owner that has no alias yet.
 */
type AliasText = string | null;

/** For a text that is a whole code. */
export function toCodeAlias(code: string, kind: AliasKind, { entries }: AliasTable): AliasText {
  if (code === '') return '';
  const entry = entries.find((one) => one.kind === kind && one.code === code);
  return entry === undefined ? null : toReference(entry, 0, code.length);
}

/** For a text that is searched for in codes of a kind. */
export function toPartAlias(text: string, kind: AliasKind, { entries }: AliasTable): AliasText {
  return findWithin(
    toLower(text),
    entries.filter((one) => one.kind === kind),
  );
}

/** For a text of words, some of which name codes. `codes`: those that are known beside the table. */
export function toWordsAlias(text: string, { entries }: AliasTable, codes: readonly string[]): AliasText {
  const parts = text.split(/(\s+)/).map((word) => toWordAlias(word, entries, codes));
  return parts.includes(null) ? null : parts.join('');
}

/** Null: an alias is not known. */
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

/** The code that is or contains the text. */
function findWithin(wanted: string, entries: readonly OwnerAlias[]): AliasText {
  const places = entries
    .map((entry) => ({ entry, at: toLower(entry.code).indexOf(wanted) }))
    .filter(({ at }) => at >= 0);
  const found = places.find(({ entry }) => entry.code.length === wanted.length) ?? places[0];
  return found === undefined ? null : toReference(found.entry, found.at, wanted.length);
}

/** A word that contains a code, with the code replaced; null if it contains none. */
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

/** In lower case, character by character: a few characters become longer, which would shift the places of all others. */
function toLower(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replaceAll(/./gu, (character) =>
        character.toLowerCase().length === character.length ? character.toLowerCase() : character,
      );
}

/** So that a text may contain the asterisk. */
function escapeText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('*', '%2A');
}

function unescapeText(text: string): string {
  return text.replaceAll('%2A', '*').replaceAll('%25', '%');
}
