import { type AccountScope, SCOPE_LISTS } from '#contract/desk/access.ts';
import { type Role, ROLES } from '#contract/desk/roles.ts';

/** The service that identifies people, if Perpdesk does not do so itself. */
export interface ProviderSettings {
  /** The file with the roles and accounts of groups. */
  readonly groupsFile: string;
  readonly source: OidcSettings | ProxySettings;
}

/** An OpenID provider. */
export interface OidcSettings {
  readonly kind: 'oidc';
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scope: string;
  readonly groupsClaim: string;
  /** How often the groups of signed-in people are read again; 0: only when they sign in again. */
  readonly refreshSeconds: number;
}

export type ProxySettings = ProxyHeaderSettings | ProxyTokenSettings;

/** A proxy that alone can open Perpdesk’s Unix socket, so that its headers can be trusted. */
export interface ProxyHeaderSettings {
  readonly kind: 'headers';
  /** In lower case, like all header names here. */
  readonly userHeader: string;
  readonly groupsHeader: string | null;
}

/** A proxy that sends signed tokens. */
export interface ProxyTokenSettings {
  readonly kind: 'tokens';
  readonly header: string;
  readonly issuer: string;
  readonly audience: string;
  /** Address or file of the public keys. */
  readonly keys: { readonly url: string } | { readonly file: string };
  readonly userClaim: string;
  readonly groupsClaim: string;
}

/** The roles and the scope of the members of a group. */
interface GroupGrant {
  readonly roles: readonly Role[];
  readonly scope: AccountScope;
}

/** By the group’s name. */
export type GroupRoles = ReadonlyMap<string, GroupGrant>;

/** Stands for everyone identified by the provider or proxy. */
const EVERYBODY = '*';
const FORM =
  '{"traders": {"roles": ["orders"], "accounts": ["NORD-105"]}, "desk": {"roles": ["operations"], "all": true}}';

/** Parses the groups of a file. On failure, returns the rest of a sentence about the file: "…, which …". */
export function parseGroupRoles(text: string): GroupRoles | { readonly problem: string } {
  const value = parseJson(text);
  if (!isObject(value)) return { problem: `must hold a JSON object of groups, such as ${FORM}` };
  const groups = new Map<string, GroupGrant>();
  for (const [name, grant] of Object.entries(value)) {
    const parsed = parseGrant(grant);
    if (typeof parsed === 'string') return { problem: `has the group "${name}", which ${parsed}` };
    groups.set(name, parsed);
  }
  return groups;
}

function parseGrant(value: unknown): GroupGrant | string {
  if (!isObject(value)) return `must be an object, as in ${FORM}`;
  const unknown = Object.keys(value).find((field) => !['roles', 'all', ...SCOPE_LISTS].includes(field));
  if (unknown !== undefined)
    return `has the field "${unknown}", but may have roles, all, ${SCOPE_LISTS.join(', ')} only`;
  const { roles, all = false } = value;
  if (!isTexts(roles) || !roles.every(isRole)) return `must have a list of roles: ${ROLES.join(', ')}`;
  if (typeof all !== 'boolean') return 'must have true or false as all';
  const scope: Record<string, string[]> = {};
  for (const list of SCOPE_LISTS) {
    const codes = value[list] ?? [];
    if (!isTexts(codes)) return `must have a list of texts as ${list}`;
    scope[list] = [...codes];
  }
  return {
    roles,
    scope: {
      all,
      accounts: scope['accounts'] ?? [],
      firms: scope['firms'] ?? [],
      connections: scope['connections'] ?? [],
    },
  };
}

/**
 * Returns what a member of all these groups may do: the combined roles and accounts of the groups. If none of the
 * groups is known, they may do nothing.
 */
export function joinGroups(groups: GroupRoles, names: readonly string[]): GroupGrant {
  const grants = [EVERYBODY, ...names].flatMap((name) => groups.get(name) ?? []);
  const all = grants.some(({ scope }) => scope.all);
  const join = (list: (typeof SCOPE_LISTS)[number]): string[] =>
    all ? [] : [...new Set(grants.flatMap(({ scope }) => scope[list]))];
  return {
    roles: ROLES.filter((role) => grants.some(({ roles }) => roles.includes(role))),
    scope: { all, accounts: join('accounts'), firms: join('firms'), connections: join('connections') },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}
