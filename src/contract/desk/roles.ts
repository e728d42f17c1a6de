/** Roles and needs, where people sign in to Perpdesk. */

/**
 * markets: public data. orders: working orders, history and journal within the person's scope of accounts, firms or
 * connections. operations: rules, alerts and notifications as well. admin: people, audit and the details of the status.
 * Each role except `admin` includes those before it; `admin` includes only `markets`.
 */
export const ROLES = ['markets', 'orders', 'operations', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What an endpoint, topic or action requires: a role, a sign-in, or nothing. */
export type Need = Role | 'signed in' | 'nothing';

const INCLUDED: Readonly<Record<Role, readonly Role[]>> = {
  markets: ['markets'],
  orders: ['markets', 'orders'],
  operations: ['markets', 'orders', 'operations'],
  admin: ['markets', 'admin'],
};

/** Adds the roles that the given roles include. */
export function withIncluded(roles: Iterable<Role>): ReadonlySet<Role> {
  return new Set(Array.from(roles).flatMap((role) => INCLUDED[role]));
}

/** How people are identified: `DESK_ACCESS`. */
export const ACCESS_MODES = ['local', 'users', 'oidc', 'proxy'] as const;
export type AccessMode = (typeof ACCESS_MODES)[number];
