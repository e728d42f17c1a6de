import { createHmac } from 'node:crypto';
import type { AliasKind, OwnerAlias } from '#contract/desk-aliases.ts';
import type { Read } from '#sql/driver.ts';
import type { Row } from '../../rows.ts';
import type { Store } from '../../store/store.ts';
import { ownerCodes } from '../../store/tables.ts';
import { stringsOf } from './strings-of.ts';

/** The codes of all orders read so far, with the aliases that stand for them in links. */
export interface AliasBook {
  readonly add: (orders: readonly Row[]) => void;
  /** The same for orders that nothing else parses, in a text of JSON. */
  readonly addFrom: (json: string) => void;
  readonly list: () => readonly OwnerAlias[];
  /** Of any code, in an order or not. */
  readonly aliasOf: (kind: AliasKind, code: string) => string;
}

export interface AliasBookParts {
  readonly store: Store;
  readonly key: string;
  /** Codes that one key of an exchange may see are not shown to another. */
  readonly scope: string;
}

const FIELDS = { account: 'account_id', firm: 'clearing_firm_code', connection: 'connection_id' } as const satisfies Record<AliasKind, string>;
const KINDS = Object.keys(FIELDS) as readonly AliasKind[];
const PREFIXES: Readonly<Record<AliasKind, string>> = { account: 'a', firm: 'f', connection: 'c' };

/** Far more than the accounts of one key; an odd exchange must not fill the disk. */
const MAX_CODES = 10_000;
const MAX_LENGTH = 200;
/** 96 bits: two codes never share an alias, and links stay short. */
const ALIAS_LENGTH = 16;

/** Codes are stored, so that a link to the history of a closed account still works after a restart. */
export async function openAliasBook({ store, key, scope }: AliasBookParts): Promise<AliasBook> {
  const known: Readonly<Record<AliasKind, Map<string, string>>> = { account: new Map(), firm: new Map(), connection: new Map() };
  const count = (): number => KINDS.reduce((sum, kind) => sum + known[kind].size, 0);
  const keep = (kind: AliasKind, code: string): void => {
    known[kind].set(code, toAlias(key, kind, code));
  };
  for (const [kind, code] of (await store.tryToRead(({ read }) => read(codesOf(scope)))) ?? []) {
    const found = KINDS.find((one) => one === kind);
    if (found !== undefined) keep(found, String(code));
  }
  const isNew = (kind: AliasKind, code: unknown): code is string => typeof code === 'string' && !known[kind].has(code) && isUsable(code) && count() < MAX_CODES;
  const addAll = (codesIn: (field: string) => Iterable<unknown>): void => {
    const added: (readonly [string, AliasKind, string])[] = [];
    for (const kind of KINDS) {
      for (const code of codesIn(FIELDS[kind])) {
        if (!isNew(kind, code)) continue;
        keep(kind, code);
        added.push([scope, kind, code]);
      }
    }
    if (added.length > 0) void store.tryToWrite(({ write }) => write([{ table: ownerCodes, rows: added }]));
  };
  return {
    add: (orders) => {
      addAll((field) => orders.map((order) => order[field]));
    },
    addFrom: (json) => {
      addAll((field) => stringsOf(json, field));
    },
    aliasOf: (kind, code) => known[kind].get(code) ?? toAlias(key, kind, code),
    list: () => KINDS.flatMap((kind) => [...known[kind]].map(([code, alias]) => ({ kind, code, alias }))),
  };
}

function codesOf(scope: string): Read {
  return { name: 'codes', sql: 'SELECT kind, code FROM owner_code WHERE scope = $1', values: [scope] };
}

/** Databases refuse a text with a zero byte. */
function isUsable(code: string): boolean {
  return code !== '' && code.length <= MAX_LENGTH && !code.includes('\0');
}

/** The kind is part of the hash: an account and a firm of one name have aliases of their own. */
function toAlias(key: string, kind: AliasKind, code: string): string {
  const hash = createHmac('sha256', key).update(`${kind}\n${code}`).digest('base64url');
  return `${PREFIXES[kind]}-${hash.slice(0, ALIAS_LENGTH)}`;
}
