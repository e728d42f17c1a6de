import { expect, it } from 'vitest';
import type { AccessMode } from '#contract/desk/roles.ts';
import { createSource, type Environment } from './source.ts';
import { readProvider } from './read-provider.ts';

const contents: Readonly<Record<string, string>> = {
  'groups.json': '{"nord": {"roles": ["orders"], "accounts": ["A"]}}',
  'bad.json': '{"nord": {}}',
  'keys.json': '{"keys": []}',
};
const files = {
  read: (path: string) =>
    contents[path] ??
    (() => {
      throw new Error('ENOENT');
    })(),
  credentialOf: () => null,
  readSecret: () => ({ text: 'secret\n' }),
};

function read(access: AccessMode, environment: Environment) {
  const problems: string[] = [];
  return { provider: readProvider(createSource(environment, files, problems), { access }), problems };
}

const DESK_GROUPS = 'groups.json';
const OIDC = { DESK_GROUPS, DESK_OIDC_ISSUER: 'https://login.example', DESK_OIDC_CLIENT_ID: 'perpdesk' };
const HEADERS = { DESK_GROUPS, DESK_SOCKET: '/run/desk.sock', DESK_PROXY_USER_HEADER: 'Remote-User' };
const TOKENS = {
  DESK_GROUPS,
  DESK_PROXY_JWT_HEADER: 'Proxy-Token',
  DESK_PROXY_JWT_ISSUER: 'proxy',
  DESK_PROXY_JWT_AUDIENCE: 'perpdesk',
  DESK_PROXY_JWT_KEYS: 'keys.json',
};

it('where people are kept here, or nobody signs in, there is none', () => {
  for (const access of ['local', 'users'] as const) expect(read(access, {})).toEqual({ provider: null, problems: [] });
});

it('an OpenID provider', () => {
  expect(read('oidc', { ...OIDC, DESK_OIDC_CLIENT_SECRET_FILE: 'secret' })).toEqual({
    provider: {
      groupsFile: 'groups.json',
      source: {
        kind: 'oidc',
        issuer: 'https://login.example',
        clientId: 'perpdesk',
        clientSecret: 'secret',
        scope: 'openid profile groups',
        groupsClaim: 'groups',
        refreshSeconds: 900,
      },
    },
    problems: [],
  });
  for (const [text, refreshSeconds] of [
    ['0', 0],
    ['10', 10],
    ['86400', 86_400],
  ] as const)
    expect(read('oidc', { ...OIDC, DESK_OIDC_REFRESH_SECONDS: text })).toMatchObject({
      provider: { source: { refreshSeconds } },
      problems: [],
    });
});

it('a proxy on a Unix socket, and one with tokens', () => {
  expect(read('proxy', { ...HEADERS, DESK_PROXY_GROUPS_HEADER: 'Remote-Groups' })).toMatchObject({
    provider: { source: { kind: 'headers', userHeader: 'remote-user', groupsHeader: 'remote-groups' } },
    problems: [],
  });
  expect(read('proxy', TOKENS)).toMatchObject({
    provider: {
      source: {
        kind: 'tokens',
        header: 'proxy-token',
        keys: { file: 'keys.json' },
        userClaim: 'sub',
        groupsClaim: 'groups',
      },
    },
    problems: [],
  });
  expect(read('proxy', { ...TOKENS, DESK_PROXY_JWT_KEYS: 'https://proxy.example/keys' })).toMatchObject({
    provider: { source: { keys: { url: 'https://proxy.example/keys' } } },
    problems: [],
  });
});

it.each([
  ['a bare header on a port', 'proxy', { ...HEADERS, DESK_SOCKET: '' }, 'DESK_PROXY_USER_HEADER needs DESK_SOCKET'],
  ['two ways at once', 'proxy', { ...HEADERS, ...TOKENS }, 'use only one of the two ways'],
  ['no way at all', 'proxy', { DESK_GROUPS }, 'DESK_PROXY_JWT_HEADER is missing'],
  [
    'groups without a person',
    'proxy',
    { ...HEADERS, DESK_PROXY_USER_HEADER: '', DESK_PROXY_GROUPS_HEADER: 'groups' },
    'DESK_PROXY_USER_HEADER is missing',
  ],
  [
    'a header that proxies mistake for another',
    'proxy',
    { ...HEADERS, DESK_PROXY_USER_HEADER: 'remote_user' },
    'DESK_PROXY_USER_HEADER must be the name of a header',
  ],
  [
    'a token without an audience',
    'proxy',
    { ...TOKENS, DESK_PROXY_JWT_AUDIENCE: '' },
    'DESK_PROXY_JWT_AUDIENCE is missing',
  ],
  [
    'keys without encryption',
    'proxy',
    { ...TOKENS, DESK_PROXY_JWT_KEYS: 'http://proxy.example/keys' },
    'DESK_PROXY_JWT_KEYS must be an https address',
  ],
  [
    'keys that are none',
    'proxy',
    { ...TOKENS, DESK_PROXY_JWT_KEYS: 'groups.json' },
    'not a readable JSON file with a list of keys',
  ],
  [
    'an issuer without encryption',
    'oidc',
    { ...OIDC, DESK_OIDC_ISSUER: 'http://login.example' },
    'DESK_OIDC_ISSUER must be an https address',
  ],
  ['no client', 'oidc', { ...OIDC, DESK_OIDC_CLIENT_ID: '' }, 'DESK_OIDC_CLIENT_ID is missing'],
  [
    'a refresh more often than a provider could bear',
    'oidc',
    { ...OIDC, DESK_OIDC_REFRESH_SECONDS: '9' },
    'DESK_OIDC_REFRESH_SECONDS is "9", but must be',
  ],
  [
    'a refresh that is no number',
    'oidc',
    { ...OIDC, DESK_OIDC_REFRESH_SECONDS: '1m' },
    'DESK_OIDC_REFRESH_SECONDS is "1m", but must be',
  ],
  ['no groups', 'oidc', { ...OIDC, DESK_GROUPS: '' }, 'DESK_GROUPS is missing'],
  [
    'groups that are none',
    'oidc',
    { ...OIDC, DESK_GROUPS: 'bad.json' },
    'DESK_GROUPS is "bad.json", which has the group "nord"',
  ],
  ['a file that is missing', 'oidc', { ...OIDC, DESK_GROUPS: 'none.json' }, 'which cannot be read'],
  [
    'what another way needs',
    'users',
    { DESK_OIDC_ISSUER: 'https://login.example' },
    'DESK_OIDC_ISSUER has no effect with DESK_ACCESS=users',
  ],
] as const)('%s is a mistake', (_, access, environment, sentence) => {
  expect(read(access, environment)).toEqual({
    provider: null,
    problems: expect.arrayContaining([expect.stringContaining(sentence)]) as string[],
  });
});
