import type { AccountScope } from '#contract/desk/access.ts';
import { type Role, withIncluded } from '#contract/desk/roles.ts';

/** The most specific pattern first: each of these browsers also claims to be the ones below it. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg\w*\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/Chrom\w+\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).*Safari/, 'Safari'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Names a browser and its system, such as "Firefox 150, Linux". Returns an unknown user agent unchanged. */
export function describeBrowser(text: string): string {
  const [pattern, browser] = BROWSERS.find(([each]) => each.test(text)) ?? [];
  if (pattern === undefined || browser === undefined) return text === '' ? 'unknown' : text;
  const version = pattern.exec(text)?.[1] ?? '';
  const [, system] = SYSTEMS.find(([each]) => each.test(text)) ?? [];
  return system === undefined ? `${browser} ${version}` : `${browser} ${version}, ${system}`;
}

interface Entitlement {
  readonly roles: readonly string[];
  readonly scope: AccountScope;
}

/** Describes whose orders a person may see. */
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

/** What each role allows. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  markets: 'public market data',
  orders: 'working orders, order history and journal, within the scope below',
  operations: 'orders as above, and rules, alerts and notifications',
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
