import { createHmac } from 'node:crypto';
import type { AliasKind, OwnerAlias } from '#contract/desk-aliases.ts';
import type { Disk } from '../../disk.ts';
import type { Row } from '../../rows.ts';

/** The codes of all orders read so far, with the aliases that stand for them in links. */
export interface AliasBook {
  readonly add: (orders: readonly Row[]) => void;
  readonly list: () => readonly OwnerAlias[];
}

export interface AliasBookParts {
  readonly disk: Disk;
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

const SCHEMA = 'create table if not exists owner_code (scope text not null, kind text not null, code text not null, primary key (scope, kind, code)) without rowid';

/** Codes are on disk, so that a link to the history of a closed account still works after a restart. */
export function createAliasBook({ disk, key, scope }: AliasBookParts): AliasBook {
  disk.database.exec(SCHEMA);
  const insert = disk.database.prepare('insert or ignore into owner_code (scope, kind, code) values (?, ?, ?)');
  const select = disk.database.prepare('select kind, code from owner_code where scope = ?');
  const known: Readonly<Record<AliasKind, Map<string, string>>> = { account: new Map(), firm: new Map(), connection: new Map() };
  const count = (): number => KINDS.reduce((sum, kind) => sum + known[kind].size, 0);
  const keep = (kind: AliasKind, code: string): void => {
    known[kind].set(code, toAlias(key, kind, code));
  };
  for (const { kind, code } of disk.tryToRead(() => select.all(scope)) ?? []) {
    const found = KINDS.find((one) => one === kind);
    if (found !== undefined) keep(found, String(code));
  }
  const addCode = (kind: AliasKind, code: unknown): void => {
    if (typeof code !== 'string' || known[kind].has(code) || !isUsable(code) || count() >= MAX_CODES) return;
    keep(kind, code);
    disk.tryToWrite(() => insert.run(scope, kind, code));
  };
  return {
    add: (orders) => {
      for (const order of orders) for (const kind of KINDS) addCode(kind, order[FIELDS[kind]]);
    },
    list: () => KINDS.flatMap((kind) => [...known[kind]].map(([code, alias]) => ({ kind, code, alias }))),
  };
}

function isUsable(code: string): boolean {
  return code !== '' && code.length <= MAX_LENGTH;
}

/** The kind is part of the hash: an account and a firm of one name have aliases of their own. */
function toAlias(key: string, kind: AliasKind, code: string): string {
  const hash = createHmac('sha256', key).update(`${kind}\n${code}`).digest('base64url');
  return `${PREFIXES[kind]}-${hash.slice(0, ALIAS_LENGTH)}`;
}
