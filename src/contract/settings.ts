interface Setting {
  readonly name: string;
  readonly group: SettingGroup;
  /** What it sets, in Markdown. */
  readonly meaning: string;
  /** What holds where it is unset, in Markdown. */
  readonly unset: string;
  /** It holds a key or a password, so it may also be a file that only its owner can read, named by the setting with `_FILE`. */
  readonly isSecret?: true;
}

export const SETTING_GROUPS = ['Address', 'Access', 'Exchange', 'Store', 'Journal', 'Calls', 'Operation'] as const;
type SettingGroup = (typeof SETTING_GROUPS)[number];

/** All that can be set, each once: what is read, what is documented and what counts as a secret follow from it. */
export const SETTINGS = [
  { name: 'DESK_PORT', group: 'Address', meaning: 'the port to listen on; 0 takes any free port', unset: '8080' },
  { name: 'DESK_HOST', group: 'Address', meaning: 'the address to listen on: `127.0.0.1`, `::1` or `localhost`, since only this machine may connect', unset: '127.0.0.1' },
  { name: 'DESK_SOCKET', group: 'Address', meaning: 'listen on a Unix socket that only its owner can open, instead of a port that every user of the machine can; a proxy in front must send `Host: localhost`', unset: 'none' },
  { name: 'DESK_ACCESS', group: 'Access', meaning: 'who may use Perpdesk: `local` (everybody on this machine, without signing in) or `users` (people who sign in, each with roles: [access.md](access.md))', unset: '`local`' },
  { name: 'DESK_SESSION_HOURS', group: 'Access', meaning: 'how long somebody stays signed in at most, in hours, 1 to 720', unset: '168' },
  { name: 'DESK_SESSION_IDLE_HOURS', group: 'Access', meaning: 'after how many hours without a request a session ends, 1 to 720', unset: '12' },
  { name: 'DESK_VENUE', group: 'Exchange', meaning: '`sandbox` (the embedded exchange), `bitnomial`, `bitnomial-sandbox`, or the path of a profile', unset: '`sandbox`' },
  { name: 'DESK_VENUE_URL', group: 'Exchange', meaning: 'the address of an external exchange', unset: 'the profile’s' },
  { name: 'DESK_VENUE_ENV', group: 'Exchange', meaning: 'the environment of an external exchange, such as `prod`', unset: 'the profile’s' },
  { name: 'DESK_ALLOW_PLAIN_HTTP', group: 'Exchange', meaning: '`1` allows an `http` address on another machine, over a private network only', unset: 'not allowed' },
  { name: 'DESK_CONNECTION_ID', group: 'Exchange', meaning: 'the connection id that requests are signed with', unset: 'none' },
  { name: 'DESK_AUTH_TOKEN', group: 'Exchange', meaning: 'the token of this connection, 64 hexadecimal digits', unset: 'none', isSecret: true },
  { name: 'DESK_BUDGET', group: 'Exchange', meaning: 'requests/seconds that may be sent to the exchange, or 0 for no limit', unset: '200/300' },
  { name: 'DESK_DATA_DIR', group: 'Store', meaning: 'the folder for the key of links, the embedded exchange’s data and, unless another database is set, the store', unset: '`.perpdesk`' },
  { name: 'DESK_DATABASE_URL', group: 'Store', meaning: 'the PostgreSQL database of the store, `postgres://user:password@host/database`; on another machine with `?sslmode=verify-full`, or `disable` over a private network', unset: 'SQLite, in the data folder', isSecret: true },
  { name: 'DESK_JOURNAL_SECONDS', group: 'Journal', meaning: 'how often working orders are read for the journal while nobody looks at them, or 0 for not at all', unset: '30' },
  { name: 'DESK_JOURNAL_MB', group: 'Journal', meaning: 'how large the journal may be in the store: beyond it, the oldest changes are dropped', unset: '5000' },
  { name: 'DESK_WEBHOOKS', group: 'Calls', meaning: 'webhooks that calls may go to, named, as JSON: [calls.md](calls.md)', unset: 'none', isSecret: true },
  { name: 'DESK_SMTP_URL', group: 'Calls', meaning: 'the mail server of calls by mail: [calls.md](calls.md)', unset: 'none', isSecret: true },
  { name: 'DESK_MAIL_FROM', group: 'Calls', meaning: 'the sender of calls by mail', unset: 'none' },
  { name: 'DESK_MAIL_TO', group: 'Calls', meaning: 'the named recipients of calls by mail', unset: 'none' },
  { name: 'DESK_LIVE_COMPRESSION', group: 'Operation', meaning: '`0` sends live streams uncompressed, for a proxy that holds compressed ones back', unset: '`1`' },
  { name: 'DESK_LOG_LEVEL', group: 'Operation', meaning: '`debug`, `info`, `warn` or `error`', unset: '`info`' },
] as const satisfies readonly Setting[];

type AnySetting = (typeof SETTINGS)[number];
export type SecretName = Extract<AnySetting, { readonly isSecret: true }>['name'];
export type SettingName = AnySetting['name'] | `${SecretName}_FILE`;

export const SECRET_NAMES: readonly SecretName[] = SETTINGS.flatMap((setting) => ('isSecret' in setting ? [setting.name] : []));

const NAMES: ReadonlySet<string> = new Set([...SETTINGS.map(({ name }) => name), ...SECRET_NAMES.map((name) => `${name}_FILE`)]);

export function isSettingName(name: string): name is SettingName {
  return NAMES.has(name);
}
