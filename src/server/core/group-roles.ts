import { SCOPE_LISTS, type AccountScope } from '#contract/desk/access.ts';
import { ROLES, type Role } from '#contract/desk/roles.ts';

/** What the members of a group may do, and whose orders they may see. */
interface GroupGrant {
  readonly roles: readonly Role[];
  readonly scope: AccountScope;
}

/** By the name of the group. */
export type GroupRoles = ReadonlyMap<string, GroupGrant>;

/** Names everybody whom the provider or proxy identifies. */
const EVERYBODY = '*';
const FORM =
  '{"traders": {"roles": ["orders"], "accounts": ["NORD-105"]}, "desk": {"roles": ["operations"], "all": true}}';

/** The groups of a file, or the rest of a sentence about it: "…, which …". */
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

/** What a member of all these groups may do: roles and accounts are each joined. Without a known group, nothing. */
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
