import type { SettingName } from '#contract/desk/settings.ts';
import {
  type OidcSettings,
  parseGroupRoles,
  type ProviderSettings,
  type ProxyHeaderSettings,
  type ProxySettings,
  type ProxyTokenSettings,
} from '#server/core/provider-settings.ts';
import { isLoopback } from '#server/core/network.ts';
import type { ReachSettings } from './reach-settings.ts';
import { readSecret, type Source } from './source.ts';

const OF_OIDC = [
  'DESK_OIDC_ISSUER',
  'DESK_OIDC_CLIENT_ID',
  'DESK_OIDC_CLIENT_SECRET',
  'DESK_OIDC_CLIENT_SECRET_FILE',
  'DESK_OIDC_SCOPE',
  'DESK_OIDC_GROUPS_CLAIM',
  'DESK_OIDC_REFRESH_SECONDS',
] as const;
const OF_HEADERS = ['DESK_PROXY_USER_HEADER', 'DESK_PROXY_GROUPS_HEADER'] as const;
const OF_TOKENS = [
  'DESK_PROXY_JWT_HEADER',
  'DESK_PROXY_JWT_ISSUER',
  'DESK_PROXY_JWT_AUDIENCE',
  'DESK_PROXY_JWT_KEYS',
  'DESK_PROXY_JWT_USER_CLAIM',
  'DESK_PROXY_JWT_GROUPS_CLAIM',
] as const;

/** Reads who identifies people; null if Perpdesk does so itself, if there is no sign-in, or after a mistake. */
export function readProvider(source: Source, { access }: Pick<ReachSettings, 'access'>): ProviderSettings | null {
  const { value, problem } = source;
  const foreign = [
    ...(access === 'oidc' ? [] : OF_OIDC),
    ...(access === 'proxy' ? [] : [...OF_HEADERS, ...OF_TOKENS]),
    ...(access === 'oidc' || access === 'proxy' ? [] : (['DESK_GROUPS'] as const)),
  ];
  for (const name of foreign)
    if (value(name) !== null) problem(`${name} has no effect with DESK_ACCESS=${access}: remove one of them.`);
  if (access !== 'oidc' && access !== 'proxy') return null;
  const groupsFile = readGroups(source);
  const provider = access === 'oidc' ? readOidc(source) : readProxy(source);
  return groupsFile === null || provider === null ? null : { groupsFile, source: provider };
}

function readGroups({ value, files, problem }: Source): string | null {
  const path = value('DESK_GROUPS');
  if (path === null)
    return problem(
      'DESK_GROUPS is missing: without it, no one has a role. Set it to the JSON file that gives groups their roles.',
    );
  try {
    const groups = parseGroupRoles(files.read(path));
    return 'problem' in groups ? problem(`DESK_GROUPS is "${path}", which ${groups.problem}.`) : path;
  } catch {
    return problem(`DESK_GROUPS is "${path}", which cannot be read.`);
  }
}

/** Returns null, with a problem for each missing setting, unless all are set. */
function readAll<Name extends SettingName>(
  { value, problem }: Source,
  why: string,
  names: readonly Name[],
): Readonly<Record<Name, string>> | null {
  const entries = names.map(
    (name) => [name, value(name) ?? problem(`${name} is missing: ${why} needs ${names.join(', ')}.`)] as const,
  );
  return entries.every(([, text]) => text !== null) ? (Object.fromEntries(entries) as Record<Name, string>) : null;
}

function readOidc(source: Source): OidcSettings | null {
  const all = readAll(source, 'DESK_ACCESS=oidc', ['DESK_OIDC_ISSUER', 'DESK_OIDC_CLIENT_ID']);
  const secret = readSecret(source, 'DESK_OIDC_CLIENT_SECRET');
  const refreshSeconds = readRefresh(source);
  if (all === null || secret === null || refreshSeconds === null) return null;
  const issuer = all.DESK_OIDC_ISSUER;
  if (!isPrivateAddress(issuer))
    return source.problem('DESK_OIDC_ISSUER must be an https address, as the provider names itself.');
  return {
    kind: 'oidc',
    issuer,
    clientId: all.DESK_OIDC_CLIENT_ID,
    clientSecret: secret?.text ?? null,
    scope: source.value('DESK_OIDC_SCOPE') ?? 'openid profile groups',
    groupsClaim: source.value('DESK_OIDC_GROUPS_CLAIM') ?? 'groups',
    refreshSeconds,
  };
}

const LEAST_REFRESH_SECONDS = 10;
const DAY_SECONDS = 86_400;

function readRefresh({ value, problem }: Source): number | null {
  const text = value('DESK_OIDC_REFRESH_SECONDS') ?? '900';
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (seconds === 0 || (seconds >= LEAST_REFRESH_SECONDS && seconds <= DAY_SECONDS)) return seconds;
  return problem(
    `DESK_OIDC_REFRESH_SECONDS is "${text}", but must be a whole number of seconds from ` +
      `${String(LEAST_REFRESH_SECONDS)} to ${String(DAY_SECONDS)}, or 0 for not at all.`,
  );
}

function readProxy(source: Source): ProxySettings | null {
  const { value, problem } = source;
  const hasHeaders = OF_HEADERS.some((name) => value(name) !== null);
  const hasTokens = OF_TOKENS.some((name) => value(name) !== null);
  if (hasHeaders && hasTokens)
    return problem('DESK_PROXY_USER_HEADER and DESK_PROXY_JWT_HEADER are both set: use only one of the two ways.');
  return hasHeaders ? readHeaders(source) : readTokens(source);
}

/** The characters of a header name. Proxies may confuse names with underscores with other names. */
const HEADER = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

function readHeader({ value, problem }: Source, name: SettingName): string | null {
  const header = value(name);
  if (header === null || HEADER.test(header)) return header?.toLowerCase() ?? null;
  return problem(`${name} must be the name of a header: letters, digits and dashes.`);
}

function readHeaders(source: Source): ProxyHeaderSettings | null {
  const { value, problem } = source;
  const userHeader = readHeader(source, 'DESK_PROXY_USER_HEADER');
  const groupsHeader = readHeader(source, 'DESK_PROXY_GROUPS_HEADER');
  if (value('DESK_PROXY_USER_HEADER') === null)
    return problem('DESK_PROXY_USER_HEADER is missing: DESK_PROXY_GROUPS_HEADER needs it.');
  if (value('DESK_SOCKET') === null)
    return problem(
      'DESK_PROXY_USER_HEADER needs DESK_SOCKET: on a port, every program of this machine could send ' +
        'that header. Or let the proxy send signed tokens, with DESK_PROXY_JWT_HEADER.',
    );
  return userHeader === null ? null : { kind: 'headers', userHeader, groupsHeader };
}

function readTokens(source: Source): ProxyTokenSettings | null {
  const { value, problem } = source;
  const all = readAll(source, 'DESK_ACCESS=proxy', [
    'DESK_PROXY_JWT_HEADER',
    'DESK_PROXY_JWT_ISSUER',
    'DESK_PROXY_JWT_AUDIENCE',
    'DESK_PROXY_JWT_KEYS',
  ]);
  const header = readHeader(source, 'DESK_PROXY_JWT_HEADER');
  if (all === null || header === null) return null;
  const text = all.DESK_PROXY_JWT_KEYS;
  const isUrl = /^[a-z]+:\/\//i.test(text);
  if (isUrl && !isPrivateAddress(text)) return problem('DESK_PROXY_JWT_KEYS must be an https address, or a file.');
  if (!isUrl && !isKeyFile(source, text))
    return problem(`DESK_PROXY_JWT_KEYS is "${text}", which is not a readable JSON file with a list of keys.`);
  return {
    kind: 'tokens',
    header,
    issuer: all.DESK_PROXY_JWT_ISSUER,
    audience: all.DESK_PROXY_JWT_AUDIENCE,
    keys: isUrl ? { url: text } : { file: text },
    userClaim: value('DESK_PROXY_JWT_USER_CLAIM') ?? 'sub',
    groupsClaim: value('DESK_PROXY_JWT_GROUPS_CLAIM') ?? 'groups',
  };
}

function isKeyFile({ files }: Source, path: string): boolean {
  try {
    return Array.isArray((JSON.parse(files.read(path)) as { readonly keys?: unknown } | null)?.keys);
  } catch {
    return false;
  }
}

/** Returns whether the network path to the address is protected from reading and changes. */
export function isPrivateAddress(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')));
}
