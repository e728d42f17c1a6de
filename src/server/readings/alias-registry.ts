import { createHmac } from 'node:crypto';
import type { AliasKind, OwnerAlias } from '#contract/desk/aliases.ts';
import type { Read } from '#sql/driver.ts';
import type { VenueResponse } from '#server/core/ports.ts';
import { parseRows, type Row } from '#server/core/rows.ts';
import type { Store } from '#server/store/store.ts';
import { ownerCodes } from '#server/store/tables.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { maySee, type Owner, type Scope } from '#server/core/viewer.ts';

/** The owner codes of all orders read so far, with the aliases that stand for them in links. */
export interface AliasRegistry {
  readonly add: (orders: readonly Row[]) => void;
  /** Adds the codes of a page of history. Those of working orders are added where their rows are parsed anyway. */
  readonly addHistory: (response: VenueResponse) => void;
  /** For a limited scope, the codes in the scope and all others in the orders that it shows. */
  readonly list: (scope: Scope) => readonly OwnerAlias[];
  /** Returns the alias of any code, whether or not an order has it. */
  readonly aliasOf: (kind: AliasKind, code: string) => string;
}

export interface AliasRegistryDeps {
  readonly store: Store;
  readonly key: string;
  /** Codes that one key of an exchange may see are not shown to users of another. */
  readonly scope: string;
}

/** Collects the owners of the orders read since the start. */
function createOwners() {
  const owners = new Map<string, Owner>();
  return {
    add: (order: Row): void => {
      const [account, firm, connection] = [
        toCode(order[FIELDS.account]),
        toCode(order[FIELDS.firm]),
        toCode(order[FIELDS.connection]),
      ];
      const key = `${account}\n${firm}\n${connection}`;
      if (!owners.has(key) && owners.size < MAX_CODES) owners.set(key, { account, firm, connection });
    },
    within: (scope: Scope): readonly Owner[] =>
      [...owners.values()].filter((owner) => maySee(scope, { ...owner, connection: owner.connection.toLowerCase() })),
  };
}

function toCode(value: unknown): string {
  return typeof value === 'string' && isUsable(value) ? value : '';
}

const FIELDS = {
  account: 'account_id',
  firm: 'clearing_firm_code',
  connection: 'connection_id',
} as const satisfies Record<AliasKind, string>;
const KINDS = Object.keys(FIELDS) as readonly AliasKind[];
const PREFIXES: Readonly<Record<AliasKind, string>> = { account: 'a', firm: 'f', connection: 'c' };

/** Far more than one key has accounts; a faulty exchange must not fill the disk. */
const MAX_CODES = 10_000;
const MAX_LENGTH = 200;
/** 96 bits: two codes never share an alias, and links stay short. */
const ALIAS_LENGTH = 16;

/**
 * Opens the registry. Codes are stored, so that a link to the history of a closed account still works after a restart.
 */
export async function openAliasRegistry({ store, key, scope }: AliasRegistryDeps): Promise<AliasRegistry> {
  const known: Readonly<Record<AliasKind, Map<string, string>>> = {
    account: new Map(),
    firm: new Map(),
    connection: new Map(),
  };
  const owners = createOwners();
  const aliasOf: AliasRegistry['aliasOf'] = (kind, code) => known[kind].get(code) ?? toAlias(key, kind, code);
  const count = (): number => KINDS.reduce((sum, kind) => sum + known[kind].size, 0);
  const keep = (kind: AliasKind, code: string): void => {
    known[kind].set(code, toAlias(key, kind, code));
  };
  for (const [kind, code] of (await store.tryToRead(({ read }) => read(codesOf(scope)))) ?? []) {
    const found = KINDS.find((one) => one === kind);
    if (found !== undefined) keep(found, String(code));
  }
  const isNew = (kind: AliasKind, code: unknown): code is string =>
    typeof code === 'string' && !known[kind].has(code) && isUsable(code) && count() < MAX_CODES;
  const add: AliasRegistry['add'] = (orders) => {
    const added: (readonly [string, AliasKind, string])[] = [];
    for (const order of orders) {
      owners.add(order);
      for (const kind of KINDS) {
        const code = order[FIELDS[kind]];
        if (!isNew(kind, code)) continue;
        keep(kind, code);
        added.push([scope, kind, code]);
      }
    }
    if (added.length > 0) void store.tryToWrite(({ write }) => write([{ table: ownerCodes, rows: added }]));
  };
  return {
    add,
    addHistory: (response) => {
      try {
        add(parseRows(response));
      } catch (error) {
        // An unreadable response is passed on unchanged; the screen reports it.
        if (!(error instanceof VenueFailure)) throw error;
      }
    },
    aliasOf,
    list: (scope) => {
      if (scope === 'all')
        return KINDS.flatMap((kind) => [...known[kind]].map(([code, alias]) => ({ kind, code, alias })));
      return listWithin(scope, owners.within(scope)).map(({ kind, code }) => ({
        kind,
        code,
        alias: aliasOf(kind, code),
      }));
    },
  };
}

function listWithin(
  { accounts, firms, connections }: Exclude<Scope, 'all'>,
  owners: readonly Owner[],
): readonly { readonly kind: AliasKind; readonly code: string }[] {
  const codes = { account: accounts, firm: firms, connection: connections };
  return KINDS.flatMap((kind) => {
    const found = new Set([...codes[kind], ...owners.map((owner) => owner[kind])].filter((code) => code !== ''));
    return [...found].sort().map((code) => ({ kind, code }));
  });
}

function codesOf(scope: string): Read {
  return { name: 'codes', sql: 'SELECT kind, code FROM owner_code WHERE scope = $1', values: [scope] };
}

/** Databases reject texts with a zero byte. */
function isUsable(code: string): boolean {
  return code !== '' && code.length <= MAX_LENGTH && !code.includes('\0');
}

/** Hashes the kind as well, so that an account and a firm with the same name have different aliases. */
function toAlias(key: string, kind: AliasKind, code: string): string {
  const hash = createHmac('sha256', key).update(`${kind}\n${code}`).digest('base64url');
  return `${PREFIXES[kind]}-${hash.slice(0, ALIAS_LENGTH)}`;
}
