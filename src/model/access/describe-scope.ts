import type { AccountScope } from '#contract/desk/access.ts';
import { withIncluded, type Role } from '#contract/desk/roles.ts';

interface Entitlement {
  readonly roles: readonly string[];
  readonly scope: AccountScope;
}

/** Whose orders one may see, in words. */
export function describeScope({ roles, scope: { all, accounts, firms, connections } }: Entitlement): string {
  if (!withIncluded(roles as readonly Role[]).has('orders')) return 'No orders';
  if (all) return 'All orders';
  const parts = [
    accounts.join(', '),
    nameList(firms, 'firm', 'firms'),
    nameList(connections, 'connection', 'connections'),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'No orders: the list is empty' : `Orders of ${parts.join('; ')}`;
}

function nameList(codes: readonly string[], one: string, many: string): string {
  return codes.length === 0 ? '' : `${codes.length === 1 ? one : many} ${codes.join(', ')}`;
}

/** What one may do with each role, in a few words. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  markets: 'public market data',
  orders: 'working orders, order history and journal, within the scope below',
  operations: 'orders as above, and rules, alerts and calls',
  admin: 'people, the audit log and the details of the status; no orders',
};

export const WAY_WORDS: Readonly<Record<string, string>> = {
  password: 'Password',
  passkey: 'Passkey',
  oidc: 'Single sign-on',
  proxy: 'Reverse proxy',
  token: 'Token',
  local: 'This machine',
};
