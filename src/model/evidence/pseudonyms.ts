import { OWNER_FILTERS, type AliasKind, type OwnerAlias } from '#contract/desk/aliases.ts';
import { toCursorText } from '#contract/exchange/paging.ts';
import type { Answer } from './evidence.ts';

/** Pseudonyms for the codes of accounts, firms and connections. */
export interface Pseudonyms {
  /** Throws if the code has no pseudonym. */
  readonly of: (kind: AliasKind, code: string) => string;
  readonly codesOf: (kind: AliasKind) => readonly string[];
  /** Replaces each code in a text for people by its pseudonym. */
  readonly inText: (text: string) => string;
}

/** The fields of orders and filters that contain codes. */
const FIELDS: Readonly<Record<string, AliasKind>> = { ...OWNER_FILTERS, clearing_firm_code: 'firm' };

/**
 * `aliases`: the aliases that Perpdesk uses in links. They are keyed hashes, so hashing every possible code resolves
 * none of them.
 */
export function createPseudonyms(aliases: readonly OwnerAlias[]): Pseudonyms {
  const known = new Map(aliases.map(({ kind, code, alias }) => [`${kind} ${code}`, alias]));
  // The exchange ignores the case of connection codes in filters.
  const ofConnection = new Map(
    aliases.flatMap(({ kind, code, alias }) => (kind === 'connection' ? [[code.toLowerCase(), alias]] : [])),
  );
  const ofAnyKind = new Map(aliases.map(({ code, alias }) => [code, alias]));
  const inText =
    aliases.length === 0
      ? null
      : new RegExp(
          `(?<![\\w-])(?:${longestFirst([...ofAnyKind.keys()])
            .map(toLiteral)
            .join('|')})(?![\\w-])`,
          'g',
        );
  return {
    of: (kind, code) => {
      const alias =
        code === ''
          ? ''
          : (known.get(`${kind} ${code}`) ??
            (kind === 'connection' ? ofConnection.get(code.toLowerCase()) : undefined));
      if (alias === undefined)
        throw new Error(
          `Perpdesk has no pseudonym for ${kind === 'account' ? 'an' : 'a'} ${kind} in the answers. It ` +
            'gives them to at most 10,000 codes.',
        );
      return alias;
    },
    codesOf: (kind) => aliases.flatMap((entry) => (entry.kind === kind ? [entry.code] : [])),
    inText: (text) => (inText === null ? text : text.replace(inText, (code) => ofAnyKind.get(code) ?? code)),
  };
}

const kindOf = (field: string): AliasKind => FIELDS[field] ?? 'account';

const FIELD = new RegExp(String.raw`("(${Object.keys(FIELDS).join('|')})"\s*:\s*)("(?:[^"\\]|\\.)*")`, 'g');
const CURSOR = /("cursor"\s*:\s*)("(?:[^"\\]|\\.)*")/g;
const TEXT = /"(?:[^"\\]|\\.)*"/g;
/** Headers computed from the original body: with them, guessed codes could be verified. */
const HASHES = ['etag'];

/** Replaces codes by pseudonyms in bodies and targets. Everything else stays as it was, byte for byte. */
export function disguiseAnswers(answers: readonly Answer[], pseudonyms: Pseudonyms): readonly Answer[] {
  const cursors = new Map<string, string>();
  const toCursor = (cursor: string): string => {
    const text = toCursorText(cursor);
    const name = cursors.get(text) ?? `cursor-${String(cursors.size + 1)}`;
    cursors.set(text, name);
    return name;
  };
  return answers.map((answer) => {
    const text = disguiseText(new TextDecoder().decode(answer.bytes), pseudonyms, toCursor);
    const headers = Object.entries(answer.headers).filter(([name]) => !HASHES.includes(name));
    return {
      ...answer,
      target: disguiseTarget(answer.target, pseudonyms, toCursor),
      headers: Object.fromEntries(headers),
      bytes: new TextEncoder().encode(text),
    };
  });
}

function disguiseText(text: string, pseudonyms: Pseudonyms, toCursor: (cursor: string) => string): string {
  const inFields = text.replace(
    FIELD,
    (_, before: string, field: string, code: string) =>
      before + JSON.stringify(pseudonyms.of(kindOf(field), JSON.parse(code) as string)),
  );
  const inCursors = inFields.replace(
    CURSOR,
    (_, before: string, cursor: string) =>
      before + (cursor === '""' ? cursor : JSON.stringify(toCursor(JSON.parse(cursor) as string))),
  );
  // Only texts with a space are sentences, which may contain a code: IDs, symbols and times have no spaces.
  return inCursors.replace(TEXT, (quoted) => (quoted.includes(' ') ? pseudonyms.inText(quoted) : quoted));
}

/** Keeps the order of parameters: the same request must have the same target when it is computed again. */
function disguiseTarget(target: string, pseudonyms: Pseudonyms, toCursor: (cursor: string) => string): string {
  const [path = target, query] = target.split('?');
  if (query === undefined) return target;
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => {
    const kind = FIELDS[name];
    const text = kind === undefined ? (name === 'cursor' ? toCursor(value) : value) : pseudonyms.of(kind, value);
    return `${name}=${encodeURIComponent(text)}`;
  });
  return `${path}?${pairs.join('&')}`;
}

function longestFirst(codes: readonly string[]): readonly string[] {
  return codes.toSorted((one, other) => other.length - one.length);
}

function toLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
