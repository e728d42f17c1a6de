import { createHmac } from 'node:crypto';
import type { AliasKind, OwnerAlias } from '#contract/desk/aliases.ts';
import type { Read } from '#sql/driver.ts';
import type { Row } from '#server/core/rows.ts';
import type { Store } from '#server/store/store.ts';
import { orderOwners, ownerCodes } from '#server/store/tables.ts';
import { maySee, type Owner, type Scope } from '#server/core/viewer.ts';

/** The owner codes of all orders read so far, with the aliases that stand for them in links. */
export interface AliasRegistry {
  readonly add: (orders: readonly Row[]) => void;
  /** Takes the codes of orders that other desks have read, at most once a second. */
  readonly refresh: () => Promise<void>;
  /** For a limited scope, the codes in the scope and all others in the orders that it shows. */
  readonly list: (scope: Scope) => readonly OwnerAlias[];
  /** Returns the alias of any code, whether or not an order has it. */
  readonly aliasOf: (kind: AliasKind, code: string) => string;
}

export interface AliasRegistryDeps {
  readonly store: Store;
  readonly key: string;
  /** Keys whose aliases are in links from before. */
  readonly earlierKeys?: () => readonly string[];
  /** Codes that one key of an exchange may see are not shown to users of another. */
  readonly scope: string;
  /** Monotonic. */
  readonly elapsed: () => number;
}

/** Collects the owners of orders. */
function createOwners() {
  const owners = new Map<string, Owner>();
  return {
    /** Returns whether it is new. */
    add: (owner: Owner): boolean => {
      const key = `${owner.account}\n${owner.firm}\n${owner.connection}`;
      if (owners.has(key) || owners.size >= MAX_CODES) return false;
      owners.set(key, owner);
      return true;
    },
    count: () => owners.size,
    within: (scope: Scope): readonly Owner[] =>
      [...owners.values()].filter((owner) => maySee(scope, { ...owner, connection: owner.connection.toLowerCase() })),
  };
}

function ownerOf(order: Row): Owner {
  return {
    account: toCode(order[FIELDS.account]),
    firm: toCode(order[FIELDS.firm]),
    connection: toCode(order[FIELDS.connection]),
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
const REFRESHED_EVERY_MS = 1_000;

/**
 * Opens the registry. Codes are stored, so that a link to the history of a closed account still works after a restart.
 */
export async function openAliasRegistry({
  store,
  key,
  earlierKeys = () => [],
  scope,
  elapsed,
}: AliasRegistryDeps): Promise<AliasRegistry> {
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
  const load = async (): Promise<void> => {
    const [codes = [], together = []] = await Promise.all(
      [codesOf(scope), ownersOf(scope)].map((stored) => store.tryToRead(({ read }) => read(stored))),
    );
    for (const [kind, code] of codes) {
      const found = KINDS.find((one) => one === kind);
      if (found !== undefined) keep(found, String(code));
    }
    for (const [account, firm, connection] of together)
      owners.add({ account: String(account), firm: String(firm), connection: String(connection) });
  };
  await load();
  let refreshedAt = elapsed();
  const isNew = (kind: AliasKind, code: unknown): code is string =>
    typeof code === 'string' && !known[kind].has(code) && isUsable(code) && count() < MAX_CODES;
  const add: AliasRegistry['add'] = (orders) => {
    const added: (readonly [string, AliasKind, string])[] = [];
    const together: (readonly string[])[] = [];
    for (const order of orders) {
      const owner = ownerOf(order);
      if (owners.add(owner)) together.push([scope, owner.account, owner.firm, owner.connection]);
      for (const kind of KINDS) {
        const code = order[FIELDS[kind]];
        if (!isNew(kind, code)) continue;
        keep(kind, code);
        added.push([scope, kind, code]);
      }
    }
    if (added.length > 0 || together.length > 0)
      void store.tryToWrite(({ write }) =>
        write([
          { table: ownerCodes, rows: added },
          { table: orderOwners, rows: together },
        ]),
      );
  };
  const listCurrent = (scope: Scope): readonly (OwnerAlias & { readonly kind: AliasKind })[] => {
    if (scope === 'all')
      return KINDS.flatMap((kind) => [...known[kind]].map(([code, alias]) => ({ kind, code, alias })));
    return listWithin(scope, owners.within(scope)).map(({ kind, code }) => ({
      kind,
      code,
      alias: aliasOf(kind, code),
    }));
  };
  return {
    add,
    refresh: async () => {
      if (!store.isShared || elapsed() - refreshedAt < REFRESHED_EVERY_MS) return;
      const begunAt = elapsed();
      const [[codes, together] = []] = (await store.tryToRead(({ read }) => read(countsOf(scope)))) ?? [];
      if (Number(codes) !== count() || Number(together) !== owners.count()) await load();
      refreshedAt = begunAt;
    },
    aliasOf,
    list: (scope) => {
      const current = listCurrent(scope);
      // Last, because new links take the first alias of a code.
      const earlier = earlierKeys().flatMap((earlierKey) =>
        current.map(({ kind, code }) => ({ kind, code, alias: toAlias(earlierKey, kind, code) })),
      );
      return [...current, ...earlier];
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

function ownersOf(scope: string): Read {
  const sql = 'SELECT account, firm, connection FROM order_owner WHERE scope = $1';
  return { name: 'owners', sql, values: [scope] };
}

/** Rows are only added. */
function countsOf(scope: string): Read {
  return {
    name: 'count codes',
    sql: `SELECT (SELECT count(*) FROM owner_code WHERE scope = $1), (SELECT count(*) FROM order_owner WHERE scope = $1)`,
    values: [scope],
  };
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
