import { SCOPE_LISTS, type AccountScope } from '#contract/desk/access.ts';
import { ROLES, withIncluded, type Role } from '#contract/desk/roles.ts';
import type { Scope, Viewer } from '#server/core/viewer.ts';

/** A person's roles and the orders they may see. */
export interface Entitlement {
  readonly roles: readonly Role[];
  readonly scope: AccountScope;
}

export const NO_ACCOUNTS: AccountScope = { all: false, accounts: [], firms: [], connections: [] };

/** Sorts and removes duplicates, so that equal entitlements have equal texts. */
export function toEntitlement(roles: readonly string[], scope: AccountScope): Entitlement {
  const sorted = (list: readonly string[]): string[] => [...new Set(list)].sort();
  const lists = {
    accounts: sorted(scope.accounts),
    firms: sorted(scope.firms),
    connections: sorted(scope.connections.map(toConnection)),
  };
  return {
    roles: ROLES.filter((role) => roles.includes(role)),
    scope: scope.all ? { ...NO_ACCOUNTS, all: true } : { all: false, ...lists },
  };
}

/** Connection IDs are hexadecimal, and the exchange writes them in either case. */
function toConnection(id: string): string {
  return id.toLowerCase();
}

function toScope({ all, accounts, firms, connections }: AccountScope): Scope {
  return all ? 'all' : { accounts: new Set(accounts), firms: new Set(firms), connections: new Set(connections) };
}

/** Returns what a viewer with this entitlement may see. */
export function toViewing({ roles, scope }: Entitlement): Pick<Viewer, 'roles' | 'scope' | 'entitlement'> {
  const all = withIncluded(roles);
  return {
    roles: all,
    scope: toScope(scope),
    entitlement: JSON.stringify([ROLES.filter((role) => all.has(role)), scope]),
  };
}

/** Returns what `granted` allows beyond `own`; null if nothing. */
export function findExcess(granted: Entitlement, own: Entitlement): string | null {
  const roles = withIncluded(own.roles);
  const role = granted.roles.find((one) => !roles.has(one));
  if (role !== undefined) return `the role ${role}`;
  if (own.scope.all) return null;
  if (granted.scope.all) return 'the orders of all accounts';
  const list = SCOPE_LISTS.find((one) => granted.scope[one].some((code) => !own.scope[one].includes(code)));
  return list === undefined ? null : `orders of ${list} beyond your own`;
}

/** Returns what either entitlement allows. */
export function unite(one: Entitlement, other: Entitlement): Entitlement {
  const both = (list: (typeof SCOPE_LISTS)[number]): string[] => [...one.scope[list], ...other.scope[list]];
  return toEntitlement([...one.roles, ...other.roles], {
    all: one.scope.all || other.scope.all,
    accounts: both('accounts'),
    firms: both('firms'),
    connections: both('connections'),
  });
}

/** Returns what both entitlements allow. */
export function intersect(one: Entitlement, other: Entitlement): Entitlement {
  const roles = withIncluded(other.roles);
  return { roles: one.roles.filter((role) => roles.has(role)), scope: intersectScopes(one.scope, other.scope) };
}

function intersectScopes(one: AccountScope, other: AccountScope): AccountScope {
  if (one.all) return other;
  if (other.all) return one;
  const both = (list: (typeof SCOPE_LISTS)[number]): string[] => one[list].filter((code) => other[list].includes(code));
  return { all: false, accounts: both('accounts'), firms: both('firms'), connections: both('connections') };
}
