interface Setting {
  readonly name: string;
  readonly group: SettingGroup;
  /** What the setting does, in Markdown. */
  readonly meaning: string;
  /** What applies if it is not set, in Markdown. */
  readonly unset: string;
  /**
   * Whether the setting holds a key or a password. It may then also be a file readable only by its owner, named by the
   * setting with `_FILE` appended.
   */
  readonly isSecret?: true;
}

export const SETTING_GROUPS = [
  'Address',
  'Access',
  'Exchange',
  'Store',
  'Journal',
  'Notifications',
  'Operation',
] as const;
type SettingGroup = (typeof SETTING_GROUPS)[number];

/** All settings, each listed once. Reading, documentation and the treatment of secrets follow from this table. */
export const SETTINGS = [
  { name: 'DESK_PORT', group: 'Address', meaning: 'the port to listen on; 0 takes any free port', unset: '8080' },
  {
    name: 'DESK_HOST',
    group: 'Address',
    meaning:
      'the address to listen on. Any address other than `127.0.0.1`, `::1` or `localhost` also needs ' +
      '`DESK_ACCESS`, `DESK_PUBLIC_URL`, and either `DESK_TLS_CERT` or `DESK_TRUSTED_PROXY`',
    unset: '127.0.0.1',
  },
  {
    name: 'DESK_SOCKET',
    group: 'Address',
    meaning:
      'the path of a Unix socket to listen on, which only its owner can open, instead of a port, which ' +
      'every user of the machine can open. A proxy in front must send `Host: localhost` or the host of ' +
      '`DESK_PUBLIC_URL`',
    unset: 'none',
  },
  {
    name: 'DESK_SOCKET_GROUP',
    group: 'Address',
    meaning: 'the group, by name or number, whose members can also open the Unix socket',
    unset: 'none',
  },
  {
    name: 'DESK_PUBLIC_URL',
    group: 'Address',
    meaning:
      'the address at which people open Perpdesk, such as `https://desk.example`. Perpdesk serves its ' +
      'host in addition to the loopback names, and links in notifications begin with it',
    unset: 'none',
  },
  {
    name: 'DESK_TLS_CERT',
    group: 'Address',
    meaning:
      'the file with the certificate and its chain (PEM). Perpdesk then serves HTTPS, with HTTP/2, and ' +
      'loads the file again when it changes',
    unset: 'plain HTTP',
  },
  {
    name: 'DESK_TLS_KEY',
    group: 'Address',
    meaning: 'the file with the private key (PEM); only its owner may have access to it',
    unset: 'none',
  },
  {
    name: 'DESK_TRUSTED_PROXY',
    group: 'Address',
    meaning:
      'addresses or subnets of reverse proxies, separated by commas. Perpdesk trusts `X-Forwarded-For` ' +
      'only from these and on the Unix socket. If other machines can reach `DESK_HOST` without TLS, it ' +
      'rejects connections from all other machines',
    unset: 'none',
  },
  {
    name: 'DESK_ACCESS',
    group: 'Access',
    meaning:
      'how people sign in: `local` (only this machine can connect, without signing in), `users`, `oidc` ' +
      'or `proxy`. See [access.md](access.md) and [reach.md](reach.md)',
    unset: '`local`',
  },
  {
    name: 'DESK_SESSION_HOURS',
    group: 'Access',
    meaning: 'the maximum length of a session in hours, 1 to 720; with `oidc`, at most 12',
    unset: '168',
  },
  {
    name: 'DESK_SESSION_IDLE_HOURS',
    group: 'Access',
    meaning: 'the hours without a request after which a session ends, 1 to 720',
    unset: '12',
  },
  {
    name: 'DESK_GROUPS',
    group: 'Access',
    meaning:
      'the JSON file that gives groups of the provider or proxy their roles and scope: see ' +
      '[reach.md](reach.md#groups). Perpdesk loads it again when it changes',
    unset: 'none; required with `oidc` and `proxy`',
  },
  {
    name: 'DESK_METRICS_TOKEN',
    group: 'Access',
    meaning:
      'the token with which a program reads `/metrics`, and nothing else, where people sign in: 32 to ' +
      '256 letters, digits and `-._~+/`, for example from `openssl rand -hex 32`',
    unset: 'none: only administrators can read `/metrics`',
    isSecret: true,
  },
  {
    name: 'DESK_AUDIT_DAYS',
    group: 'Access',
    meaning: 'how long entries of the audit log are kept, in days, 30 to 36500',
    unset: '2200, which is six years',
  },
  {
    name: 'DESK_AUDIT_MB',
    group: 'Access',
    meaning:
      'the maximum size of the audit log in the store, in MB; beyond it, Perpdesk drops the oldest entries, however ' +
      'young. See [access.md](access.md#how-long-it-is-kept)',
    unset: '5000, about ten million entries',
  },
  {
    name: 'DESK_AUDIT_LOG',
    group: 'Access',
    meaning:
      'where each entry of the audit log is written as well, as a line of JSON: `stderr`, the absolute path of a ' +
      'file, or `syslog://host:port`, a syslog server that receives datagrams (UDP). See ' +
      '[access.md](access.md#a-copy-elsewhere)',
    unset: 'nowhere',
  },
  {
    name: 'DESK_OIDC_ISSUER',
    group: 'Access',
    meaning: 'the issuer of the OpenID provider, an https address',
    unset: 'none',
  },
  {
    name: 'DESK_OIDC_CLIENT_ID',
    group: 'Access',
    meaning:
      'the client id at the provider. The redirect URI to register there is `DESK_PUBLIC_URL` followed ' +
      'by `/api/desk/sign-in/oidc/callback`',
    unset: 'none',
  },
  {
    name: 'DESK_OIDC_CLIENT_SECRET',
    group: 'Access',
    meaning: 'the client secret at the provider',
    unset: 'none',
    isSecret: true,
  },
  { name: 'DESK_OIDC_SCOPE', group: 'Access', meaning: 'the scopes to request', unset: '`openid profile groups`' },
  {
    name: 'DESK_OIDC_GROUPS_CLAIM',
    group: 'Access',
    meaning: 'the claim that lists the groups of a person',
    unset: '`groups`',
  },
  {
    name: 'DESK_OIDC_REFRESH_SECONDS',
    group: 'Access',
    meaning:
      'how often Perpdesk reads the groups of signed-in people again, in seconds, 10 to 86400; 0 for not ' +
      'at all: [reach.md](reach.md#while-people-are-signed-in)',
    unset: '900',
  },
  {
    name: 'DESK_PROXY_USER_HEADER',
    group: 'Access',
    meaning: 'the header in which the proxy names the person; only on a Unix socket',
    unset: 'none',
  },
  {
    name: 'DESK_PROXY_GROUPS_HEADER',
    group: 'Access',
    meaning: 'the header in which the proxy lists the person’s groups, separated by commas',
    unset: 'none',
  },
  {
    name: 'DESK_PROXY_JWT_HEADER',
    group: 'Access',
    meaning: 'the header in which the proxy sends a signed token (JWT)',
    unset: 'none',
  },
  { name: 'DESK_PROXY_JWT_ISSUER', group: 'Access', meaning: 'the issuer (`iss`) of these tokens', unset: 'none' },
  { name: 'DESK_PROXY_JWT_AUDIENCE', group: 'Access', meaning: 'the audience (`aud`) of these tokens', unset: 'none' },
  {
    name: 'DESK_PROXY_JWT_KEYS',
    group: 'Access',
    meaning:
      'the public keys of these tokens (JWKS): an https address, or a file, which Perpdesk loads again when it changes',
    unset: 'none',
  },
  { name: 'DESK_PROXY_JWT_USER_CLAIM', group: 'Access', meaning: 'the claim that names the person', unset: '`sub`' },
  {
    name: 'DESK_PROXY_JWT_GROUPS_CLAIM',
    group: 'Access',
    meaning: 'the claim that lists the person’s groups',
    unset: '`groups`',
  },
  {
    name: 'DESK_VENUE',
    group: 'Exchange',
    meaning: '`sandbox` (the embedded exchange), `bitnomial`, `bitnomial-sandbox`, or the path of a profile',
    unset: '`sandbox`',
  },
  { name: 'DESK_VENUE_URL', group: 'Exchange', meaning: 'the address of an external exchange', unset: 'the profile’s' },
  {
    name: 'DESK_VENUE_ENV',
    group: 'Exchange',
    meaning: 'the environment of an external exchange, such as `prod`',
    unset: 'the profile’s',
  },
  {
    name: 'DESK_ALLOW_PLAIN_HTTP',
    group: 'Exchange',
    meaning: '`1` allows an `http` address on another machine, over a private network only',
    unset: 'not allowed',
  },
  {
    name: 'DESK_CONNECTION_ID',
    group: 'Exchange',
    meaning: 'the connection id that requests are signed with',
    unset: 'none',
  },
  {
    name: 'DESK_AUTH_TOKEN',
    group: 'Exchange',
    meaning: 'the token of this connection, 64 hexadecimal digits',
    unset: 'none',
    isSecret: true,
  },
  {
    name: 'DESK_BUDGET',
    group: 'Exchange',
    meaning: 'requests/seconds that may be sent to the exchange, or 0 for no limit',
    unset: '200/300',
  },
  {
    name: 'DESK_DATA_DIR',
    group: 'Store',
    meaning:
      'the folder for the key of links, the embedded exchange’s data and, unless another database is set, the store',
    unset: '`.perpdesk`',
  },
  {
    name: 'DESK_DATABASE_URL',
    group: 'Store',
    meaning:
      'the PostgreSQL database of the store, `postgres://user:password@host/database`; on another ' +
      'machine with `?sslmode=verify-full`, or `disable` over a private network',
    unset: 'SQLite, in the data folder',
    isSecret: true,
  },
  {
    name: 'DESK_SECRET',
    group: 'Store',
    meaning:
      'the key of links and of sealed texts for all desks on a PostgreSQL database: 64 hexadecimal digits, for ' +
      'example from `openssl rand -hex 32`. Further ones after it, separated by spaces or line breaks, are accepted ' +
      'as well: see [operations.md](operations.md#the-key-of-links)',
    unset: 'a key that the first desk stores in the database',
    isSecret: true,
  },
  {
    name: 'DESK_JOURNAL_SECONDS',
    group: 'Journal',
    meaning:
      'how often to read working orders for the journal while no screen shows them, in seconds; 0 turns this off',
    unset: '30',
  },
  {
    name: 'DESK_JOURNAL_MB',
    group: 'Journal',
    meaning: 'the maximum size of the journal in the store, in MB; beyond it, Perpdesk drops the oldest changes',
    unset: '5000',
  },
  {
    name: 'DESK_PRICE_DAYS',
    group: 'Journal',
    meaning: 'how long the market prices beside the journal are kept, in days',
    unset: '90',
  },
  {
    name: 'DESK_HOLIDAYS_FILE',
    group: 'Notifications',
    meaning:
      'the file with the days on which rules whose hours except holidays are not evaluated: a JSON array, or one ' +
      'day a line, such as `2026-12-25`. Perpdesk loads it again when it changes; give all desks the same. See ' +
      '[rules.md](rules.md#hours)',
    unset: 'none: holidays are unknown',
  },
  {
    name: 'DESK_WEBHOOKS',
    group: 'Notifications',
    meaning: 'named webhooks that receive notifications, as JSON: see [notifications.md](notifications.md)',
    unset: 'none',
    isSecret: true,
  },
  {
    name: 'DESK_SMTP_URL',
    group: 'Notifications',
    meaning: 'the mail server for notifications by mail: see [notifications.md](notifications.md)',
    unset: 'none',
    isSecret: true,
  },
  { name: 'DESK_MAIL_FROM', group: 'Notifications', meaning: 'the sender of notifications by mail', unset: 'none' },
  {
    name: 'DESK_MAIL_TO',
    group: 'Notifications',
    meaning: 'the named recipients of notifications by mail',
    unset: 'none',
  },
  {
    name: 'DESK_HEARTBEAT_URL',
    group: 'Notifications',
    meaning:
      'an address that is requested with `GET` while Perpdesk evaluates rules and reads its journal, so that a service ' +
      'elsewhere notices when it does not: see [notifications.md](notifications.md#heartbeat)',
    unset: 'none',
    isSecret: true,
  },
  {
    name: 'DESK_HEARTBEAT_SECONDS',
    group: 'Notifications',
    meaning: 'how often that address is requested, in seconds, from 10 to 3600',
    unset: '60',
  },
  {
    name: 'DESK_LIVE_COMPRESSION',
    group: 'Operation',
    meaning: '`0` sends live streams uncompressed, for a proxy that holds compressed ones back',
    unset: '`1`',
  },
  {
    name: 'DESK_CA_FILE',
    group: 'Operation',
    meaning:
      'the file with the certificates (PEM) of your own authorities. Perpdesk trusts them in addition to the public ' +
      'ones, for the exchange, the OpenID provider, the keys of a proxy, PostgreSQL, webhooks and the mail server. See ' +
      '[reach.md](reach.md#your-own-certificate-authority)',
    unset: 'none',
  },
  {
    name: 'DESK_NAME',
    group: 'Operation',
    meaning: 'what this desk is called among those on its database: 1 to 64 letters, digits and `-._:`',
    unset: 'the name of the machine with the port, or with the process if the port is not fixed',
  },
  {
    name: 'DESK_LOG_LEVEL',
    group: 'Operation',
    meaning: '`debug`, `info`, `warn` or `error`',
    unset: '`info`; `warn` in a terminal',
  },
] as const satisfies readonly Setting[];

type AnySetting = (typeof SETTINGS)[number];
export type SecretName = Extract<AnySetting, { readonly isSecret: true }>['name'];
export type SettingName = AnySetting['name'] | `${SecretName}_FILE`;

export const SECRET_NAMES: readonly SecretName[] = SETTINGS.flatMap((setting) =>
  'isSecret' in setting ? [setting.name] : [],
);

const NAMES: ReadonlySet<string> = new Set([
  ...SETTINGS.map(({ name }) => name),
  ...SECRET_NAMES.map((name) => `${name}_FILE`),
]);

export function isSettingName(name: string): name is SettingName {
  return NAMES.has(name);
}
