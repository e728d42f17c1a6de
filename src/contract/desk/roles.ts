/** Who may do what at a Perpdesk that people sign in to. */

/**
 * markets: public data. orders: working orders, history and journal of the accounts, firms or connections in their scope.
 * operations: rules, alerts and calls as well. admin: people, audit and the details of the status. Each role but `admin`
 * includes those before it; `admin` includes `markets` only.
 */
export const ROLES = ['markets', 'orders', 'operations', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What an endpoint, topic or action needs: a role, to be signed in, or nothing. */
export type Need = Role | 'signed in' | 'nothing';

const INCLUDED: Readonly<Record<Role, readonly Role[]>> = {
  markets: ['markets'],
  orders: ['markets', 'orders'],
  operations: ['markets', 'orders', 'operations'],
  admin: ['markets', 'admin'],
};

/** With the roles that they include. */
export function withIncluded(roles: Iterable<Role>): ReadonlySet<Role> {
  return new Set(Array.from(roles).flatMap((role) => INCLUDED[role]));
}

/** How people identify themselves: `DESK_ACCESS`. */
export const ACCESS_MODES = ['local', 'users', 'oidc', 'proxy'] as const;
export type AccessMode = (typeof ACCESS_MODES)[number];
