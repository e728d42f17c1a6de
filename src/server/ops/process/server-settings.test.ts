import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readServerSettings } from './server-settings.ts';
import type { SecretFile } from './source.ts';

const TOKEN = 'ab'.repeat(32);
const FILES: Readonly<Record<string, string>> = {
  'good.txt': `${TOKEN}\n`,
  'short.txt': 'abab',
  'empty.txt': '',
  'database.txt': 'postgres://desk:s3cret@db.example/desk?sslmode=require\n',
  'plain.txt': 'postgres://desk:s3cret@db.example/desk\n',
  'plain.json': '{"name":"mine","baseUrl":"http://venue.example","env":"prod"}',
};

function toSecret(text: string | undefined): SecretFile {
  return text === undefined ? { problem: 'cannot be read' } : { text };
}

function read(environment: Readonly<Record<string, string>>, credentials: Readonly<Record<string, string>> = {}) {
  return readServerSettings(
    { DESK_VENUE: 'bitnomial', ...environment },
    {
      read: (path) => FILES[path] ?? expect.fail(`no such file: ${path}`),
      readSecret: (path) =>
        path === 'open.txt'
          ? { problem: 'other users may access (mode 644): run chmod 600 on it' }
          : toSecret(FILES[path]),
      credentialOf: (name) => credentials[name] ?? null,
    },
  );
}

describe('the gateway settings', () => {
  it('default to the embedded exchange without a key', () => {
    const { settings } = readServerSettings(
      {},
      { read: () => '', readSecret: () => ({ text: '' }), credentialOf: () => null },
    );
    expect(settings).toMatchObject({
      profile: { name: 'sandbox', baseUrl: null, env: 'prod' },
      credential: null,
      logLevel: 'usual',
    });
  });

  it('follow the environment', () => {
    const { settings } = read({
      DESK_VENUE_URL: 'https://venue.example/api/',
      DESK_VENUE_ENV: 'none',
      DESK_CONNECTION_ID: '3F',
      DESK_AUTH_TOKEN_FILE: 'good.txt',
    });
    expect(settings).toMatchObject({
      profile: { baseUrl: 'https://venue.example/api', env: 'none' },
      credential: { connectionId: '3F', token: TOKEN },
    });
    expect(read({ DESK_VENUE: 'sandbox', DESK_VENUE_ENV: 'prod' }).settings?.profile).toMatchObject({
      baseUrl: null,
      env: 'prod',
    });
  });
});

describe('a credential of systemd', () => {
  const settings = { DESK_VENUE_URL: 'https://venue.example', DESK_CONNECTION_ID: '3F' };

  it('is used where neither the variable nor its file is set', () => {
    expect(read(settings, { DESK_AUTH_TOKEN: 'good.txt' }).settings?.credential).toEqual({
      connectionId: '3F',
      token: TOKEN,
    });
    const other = 'cd'.repeat(32);
    expect(
      read({ ...settings, DESK_AUTH_TOKEN: other }, { DESK_AUTH_TOKEN: 'short.txt' }).settings?.credential?.token,
    ).toBe(other);
    expect(
      read({ ...settings, DESK_AUTH_TOKEN_FILE: 'good.txt' }, { DESK_AUTH_TOKEN: 'short.txt' }).settings?.credential
        ?.token,
    ).toBe(TOKEN);
  });

  it('is named where it is wrong', () => {
    expect(read(settings, { DESK_AUTH_TOKEN: 'short.txt' }).problems).toEqual([
      'The credential DESK_AUTH_TOKEN is "short.txt", which must hold 64 hexadecimal digits.',
    ]);
  });
});

describe('the database', () => {
  it.each([
    [{}, null],
    [
      { DESK_DATABASE_URL: 'postgres://desk@db.example/desk?sslmode=verify-full' },
      'postgres://desk@db.example/desk?sslmode=verify-full',
    ],
    [{ DESK_DATABASE_URL: 'postgresql://desk@%2Frun%2Fpostgresql/desk' }, 'postgresql://desk@%2Frun%2Fpostgresql/desk'],
    [{ DESK_DATABASE_URL_FILE: 'database.txt' }, 'postgres://desk:s3cret@db.example/desk?sslmode=require'],
    [
      { DESK_DATABASE_URL: 'postgres://desk@db.example/desk?sslmode=disable' },
      'postgres://desk@db.example/desk?sslmode=disable',
    ],
  ] as readonly (readonly [Readonly<Record<string, string>>, string | null])[])(
    'is a file in the data folder unless there is an address: %j',
    (environment, databaseUrl) => {
      expect(read(environment).settings).toMatchObject({ databaseUrl, dataDir: '.perpdesk' });
    },
  );
});

describe('the journal', () => {
  it.each([
    [{}, 30, 5_000_000_000, 90],
    [{ DESK_JOURNAL_SECONDS: '5', DESK_JOURNAL_MB: '10', DESK_PRICE_DAYS: '7' }, 5, 10_000_000, 7],
    [{ DESK_JOURNAL_SECONDS: '0' }, null, 5_000_000_000, 90],
  ] as readonly (readonly [Readonly<Record<string, string>>, number | null, number, number])[])(
    'is kept as the environment says: %j',
    (environment, journalSeconds, journalBytes, priceDays) => {
      expect(read(environment).settings).toMatchObject({ journalSeconds, journalBytes, priceDays });
    },
  );
});

const url = /^DESK_VENUE_URL must be/;
const env = /^DESK_VENUE_ENV is "a b"/;
describe('the key of links for all desks on a database', () => {
  const database = { DESK_DATABASE_URL: 'postgres://desk@127.0.0.1/desk' };
  const [one, other] = ['ab'.repeat(32), 'cd'.repeat(32)];

  it('is one of several, the one in use first', () => {
    expect(read(database).settings).toMatchObject({ secrets: [], name: null });
    expect(
      read({ ...database, DESK_SECRET: `${one.toUpperCase()},\n${other}`, DESK_NAME: 'desk-1:8080' }).settings,
    ).toMatchObject({ secrets: [one, other], name: 'desk-1:8080' });
  });

  it.each([
    [{ ...database, DESK_SECRET: one.slice(1) }, /^DESK_SECRET must be 64 hexadecimal digits/],
    [{ ...database, DESK_SECRET: `${one} cd` }, /^DESK_SECRET must be 64 hexadecimal digits/],
    [{ DESK_SECRET: one }, /^DESK_SECRET applies only to a database that several desks can use/],
    [{ DESK_NAME: 'one desk' }, /^DESK_NAME is "one desk", but must be 1 to 64 letters/],
  ])('says what is wrong with %j', (environment, sentence) => {
    expect(read(environment).problems).toEqual([expect.stringMatching(sentence)]);
  });
});

const malformedId = /^DESK_CONNECTION_ID must be/;
const malformedToken = /^DESK_AUTH_TOKEN must be/;
const missingId = /^DESK_CONNECTION_ID is missing/;
const missingToken = /^DESK_AUTH_TOKEN or DESK_AUTH_TOKEN_FILE is missing/;
const unreadableFile = /^DESK_AUTH_TOKEN_FILE is "gone.txt", which cannot be read/;
const both = /^DESK_AUTH_TOKEN and DESK_AUTH_TOKEN_FILE are both set/;

describe('an http address', () => {
  const plain = /^DESK_VENUE_URL is an http address of another machine, .*: use https, or set DESK_ALLOW_PLAIN_HTTP=1/;

  it.each([
    'http://venue.example/api',
    'http://10.0.0.7:8000',
    'http://[fd00::1]/api',
    'http://localhost.example',
    'http://0.0.0.0',
  ])('of another machine is refused: %s', (address) => {
    expect(read({ DESK_VENUE_URL: address }).problems).toEqual([expect.stringMatching(plain)]);
    expect(read({ DESK_VENUE_URL: address, DESK_ALLOW_PLAIN_HTTP: '0' }).problems).toEqual([
      expect.stringMatching(plain),
    ]);
    expect(read({ DESK_VENUE_URL: address, DESK_ALLOW_PLAIN_HTTP: '1' }).problems).toBeNull();
  });

  it.each(['http://127.0.0.1:8000/api', 'http://[::1]:8000', 'http://localhost', 'https://venue.example'])(
    'of this machine is accepted, as is https: %s',
    (address) => {
      expect(read({ DESK_VENUE_URL: address }).problems).toBeNull();
    },
  );

  it('in a profile is refused as well', () => {
    expect(read({ DESK_VENUE: 'plain.json' }).problems).toEqual([
      expect.stringMatching(/^DESK_VENUE names a profile whose baseUrl is an http address of another machine/),
    ]);
  });

  it('is allowed by 1 only', () => {
    expect(read({ DESK_ALLOW_PLAIN_HTTP: 'yes' }).problems).toEqual([
      'DESK_ALLOW_PLAIN_HTTP is "yes", but must be 0 or 1.',
    ]);
  });
});

describe('mistakes in the settings', () => {
  it.each([
    [{ DESK_VENUE_URL: 'ftp://x', DESK_VENUE_ENV: 'a b' }, [url, env]],
    [
      { DESK_VENUE: 'nowhere', DESK_VENUE_URL: 'ftp://x', DESK_VENUE_ENV: 'a b' },
      [/^DESK_VENUE is "nowhere"/, url, env],
    ],
    [{ DESK_CONNECTION_ID: 'xyz', DESK_AUTH_TOKEN: 'short' }, [malformedId, malformedToken]],
    [{ DESK_CONNECTION_ID: 'xyz' }, [malformedId, missingToken]],
    [{ DESK_CONNECTION_ID: '3f' }, [missingToken]],
    [{ DESK_AUTH_TOKEN: TOKEN }, [missingId]],
    [{ DESK_AUTH_TOKEN: 'short' }, [malformedToken, missingId]],
    [{ DESK_AUTH_TOKEN_FILE: 'gone.txt' }, [unreadableFile, missingId]],
    [{ DESK_CONNECTION_ID: '3f', DESK_AUTH_TOKEN_FILE: 'gone.txt' }, [unreadableFile]],
    [
      { DESK_CONNECTION_ID: '3f', DESK_AUTH_TOKEN_FILE: 'open.txt' },
      [/^DESK_AUTH_TOKEN_FILE is "open.txt", which other users may access \(mode 644\): run chmod 600 on it\.$/],
    ],
    [
      { DESK_VENUE_ENV: TOKEN },
      [/^DESK_VENUE_ENV looks like a token: set DESK_AUTH_TOKEN to it, and DESK_VENUE_ENV to one word/],
    ],
    [
      { DESK_CONNECTION_ID: '3f', DESK_AUTH_TOKEN_FILE: 'short.txt' },
      [/^DESK_AUTH_TOKEN_FILE is "short.txt", which must hold 64/],
    ],
    [
      { DESK_CONNECTION_ID: '3f', DESK_AUTH_TOKEN_FILE: 'empty.txt' },
      [/^DESK_AUTH_TOKEN_FILE is "empty.txt", which must hold 64/],
    ],
    [{ DESK_CONNECTION_ID: '3f', DESK_AUTH_TOKEN: TOKEN, DESK_AUTH_TOKEN_FILE: 'good.txt' }, [both]],
    [{ DESK_AUTH_TOKEN: TOKEN, DESK_AUTH_TOKEN_FILE: 'good.txt' }, [both, missingId]],
    [
      { DESK_DATABASE_URL: 'mysql://desk@db/desk' },
      [/^DESK_DATABASE_URL must be the address of a PostgreSQL database: postgres:\/\/user:password@host\/database\./],
    ],
    [
      { DESK_DATABASE_URL: 'postgres://desk:s3/cret@db/desk' },
      [/^DESK_DATABASE_URL must be .* Special characters in the password must be percent-encoded\.$/],
    ],
    [
      { DESK_DATABASE_URL: 'postgres://desk:s3cret@db.example/desk' },
      [
        /^DESK_DATABASE_URL leads to a database on another machine without TLS, .*: add sslmode=verify-full to the address/,
      ],
    ],
    [
      { DESK_DATABASE_URL_FILE: 'plain.txt' },
      [/^DESK_DATABASE_URL_FILE is "plain.txt", whose address leads to a database on another machine without TLS/],
    ],
    [
      { DESK_DATABASE_URL_FILE: 'short.txt' },
      [/^DESK_DATABASE_URL_FILE is "short.txt", which must hold the address of a PostgreSQL database/],
    ],
    [{ DESK_DATABASE_URL_FILE: 'open.txt' }, [/^DESK_DATABASE_URL_FILE is "open.txt", which other users may access/]],
    [{ DESK_DATABASE_URL_FILE: 'gone.txt' }, [/^DESK_DATABASE_URL_FILE is "gone.txt", which cannot be read/]],
    [
      { DESK_DATABASE_URL: 'postgres://localhost/desk', DESK_DATABASE_URL_FILE: 'database.txt' },
      [/^DESK_DATABASE_URL and DESK_DATABASE_URL_FILE are both set/],
    ],
    [
      { DESK_VENUE: 'sandbox', DESK_CONNECTION_ID: '3f', DESK_AUTH_TOKEN: TOKEN },
      [/^DESK_CONNECTION_ID and DESK_AUTH_TOKEN apply only to an exchange elsewhere/],
    ],
    [
      { DESK_JOURNAL_SECONDS: '4', DESK_JOURNAL_MB: '0', DESK_PRICE_DAYS: '0' },
      [
        /^DESK_JOURNAL_SECONDS is "4", but must be a whole number from 5 to 3600, or 0 to switch it off\.$/,
        /^DESK_JOURNAL_MB is "0", but must be a whole number from 10 to 10000000\.$/,
        /^DESK_PRICE_DAYS is "0", but must be a whole number from 1 to 3650\.$/,
      ],
    ],
    [
      { DESK_JOURNAL_SECONDS: 'never', DESK_JOURNAL_MB: '1.5' },
      [/^DESK_JOURNAL_SECONDS is "never"/, /^DESK_JOURNAL_MB is "1.5"/],
    ],
    [{ DESK_VENUE: 'sandbox', DESK_VENUE_ENV: 'sandbox' }, [/^DESK_VENUE_ENV applies only to an exchange elsewhere/]],
    [{ DESK_VENUE: 'sandbox', DESK_VENUE_ENV: 'a b' }, [env]],
    [{ DESK_VENUE: 'sandbox', DESK_VENUE_URL: 'ftp://x', DESK_CONNECTION_ID: '3f', DESK_AUTH_TOKEN: TOKEN }, [url]],
    [
      { DESK_VENUE_ENV: 'a b', DESK_CONNECTION_ID: 'xyz', DESK_BUDGET: 'all', DESK_LOG_LEVEL: 'loud' },
      [env, malformedId, missingToken, /^DESK_BUDGET is "all"/, /^DESK_LOG_LEVEL is "loud"/],
    ],
  ] as readonly (readonly [Readonly<Record<string, string>>, readonly RegExp[]])[])(
    '%j: each is reported once',
    (environment, expected) => {
      expect(read(environment)).toEqual({
        settings: null,
        problems: expected.map((sentence) => expect.stringMatching(sentence) as string),
      });
    },
  );

  it('are reported without secrets', () => {
    expect(JSON.stringify(read({ DESK_CONNECTION_ID: '3f', DESK_AUTH_TOKEN: 'cafe' }))).not.toContain('cafe');
    expect(JSON.stringify(read({ DESK_CONNECTION_ID: '3f', DESK_AUTH_TOKEN_FILE: 'short.txt' }))).not.toContain('abab');
    for (const password of ['s3/cret', 's3cret'])
      expect(JSON.stringify(read({ DESK_DATABASE_URL: `postgres://desk:${password}@db/desk` }))).not.toMatch(/s3|cret/);
  });
});

describe('the settings of the audit log', () => {
  it('keep it for six years in 5 GB, and write no copy, unless they say otherwise', () => {
    expect(read({}).settings?.auditing).toEqual({ days: 2_200, bytes: 5_000_000_000, target: null });
    expect(
      read({ DESK_AUDIT_DAYS: '365', DESK_AUDIT_MB: '10', DESK_AUDIT_LOG: '/var/log/audit.jsonl' }).settings?.auditing,
    ).toEqual({ days: 365, bytes: 10_000_000, target: { kind: 'file', path: '/var/log/audit.jsonl' } });
    const targetOf = (text: string) => read({ DESK_AUDIT_LOG: text }).settings?.auditing.target;
    expect(targetOf('stderr')).toEqual({ kind: 'stderr' });
    expect(targetOf('syslog://logs.example:1514')).toEqual({ kind: 'syslog', host: 'logs.example', port: 1_514 });
    expect(targetOf('syslog://[::1]')).toEqual({ kind: 'syslog', host: '::1', port: 514 });
  });

  it.each(['syslog', 'audit.jsonl', 'syslog://', 'syslog://host/path', 'https://logs.example', 'STDERR'])(
    'reject %j as a place, which may be a mistake',
    (text) => {
      expect(read({ DESK_AUDIT_LOG: text }).problems).toEqual([
        `DESK_AUDIT_LOG is "${text}", but must be stderr, the absolute path of a file, or the address of a syslog ` +
          'server, such as syslog://127.0.0.1:514.',
      ]);
    },
  );

  it('reject a file of the data folder as a place, by whatever path, and what is not a regular file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-audit-place-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const dataDir = join(folder, 'data');
    mkdirSync(join(dataDir, 'sub'), { recursive: true });
    symlinkSync(dataDir, join(folder, 'other'));
    writeFileSync(join(folder, 'data.jsonl'), '');
    symlinkSync('data.jsonl', join(folder, 'linked.jsonl'));
    const problemsOf = (path: string, dir = dataDir) =>
      read({ DESK_DATA_DIR: dir, DESK_AUDIT_LOG: path }).problems ?? [];
    for (const name of ['data/link-key', 'data/sub/new/audit.jsonl', 'other/gateway.sqlite', 'x/../data/a'])
      expect(problemsOf(join(folder, name))).toEqual([
        `DESK_AUDIT_LOG is "${join(folder, name)}", which is in the data folder: name a file elsewhere.`,
      ]);
    expect(problemsOf(join(dataDir, 'a'), join(folder, 'other'))).toHaveLength(1);
    expect(problemsOf(join(folder, 'new', 'a'), join(folder, 'new'))).toHaveLength(1);
    for (const name of ['linked.jsonl', 'other', ''])
      expect(problemsOf(join(folder, name))).toEqual([
        `DESK_AUDIT_LOG is "${join(folder, name)}", which is not a regular file.`,
      ]);
    for (const name of ['data.jsonl', 'new.jsonl', '..data']) expect(problemsOf(join(folder, name))).toEqual([]);
  });
});
