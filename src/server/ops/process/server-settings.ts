import { ACCESS_MODES, type AccessMode } from '#contract/desk/roles.ts';
import { VENUE_BUDGET } from '#contract/exchange/rejections.ts';
import { parseVenueProfile, parseBaseUrl } from '#contract/desk/venue-profile.ts';
import { findVenue, type VenueProfile, VENUES } from '#contract/exchange/addresses.ts';
import { isSettingName, type SettingName } from '#contract/desk/settings.ts';
import { findPlainPassage, PLAIN_BY_DEFAULT } from '#sql/postgres-address.ts';
import { AUDIT_DEFAULTS, type AuditSettings } from '#server/core/audit-settings.ts';
import type { ChannelSettings, HeartbeatSettings } from '#server/core/channel-settings.ts';
import { parseHolidays } from '#server/core/holidays.ts';
import { isLoopback } from '#server/core/network.ts';
import { LOG_LEVELS, type Budget, type LogLevel } from '#server/core/ports.ts';
import { readAuditTarget } from './audit-target.ts';
import { readDataDir } from './config-file.ts';
import {
  createSource,
  type Environment,
  type Optional,
  readSecret,
  readVariable,
  type SettingsFiles,
  readNumber,
  type Source,
} from './source.ts';
import { readChannels, readHeartbeat } from './read-channels.ts';

/** The exchange to read, the key, the budget, and other settings of the server. */
export interface ServerSettings {
  /** `baseUrl` is null for the embedded exchange. */
  readonly profile: VenueProfile;
  readonly credential: { readonly connectionId: string; readonly token: string } | null;
  /** Null for no limit. */
  readonly budget: Budget | null;
  readonly dataDir: string;
  /** Address of a PostgreSQL database; null for a file in the data folder. */
  readonly databaseUrl: string | null;
  /** The keys of links for all desks on a database, that in use first; empty for a key of their own. */
  readonly secrets: readonly string[];
  /** Null for a name made from the machine and the address. */
  readonly name: string | null;
  readonly logLevel: LogLevel | 'usual';
  /** How often working orders are read for the journal while no screen shows them, in seconds; null for not at all. */
  readonly journalSeconds: number | null;
  /** Beyond this size, the oldest changes of the journal are dropped. */
  readonly journalBytes: number;
  /** How long market prices are kept. */
  readonly priceDays: number;
  /** Whether live streams are compressed for clients that accept it. */
  readonly compressesLive: boolean;
  /** The destinations of notifications. */
  readonly channels: readonly ChannelSettings[];
  /** The file with the holidays that rules except; null if there is none. */
  readonly holidaysFile: string | null;
  readonly heartbeat: HeartbeatSettings | null;
  readonly access: AccessSettings;
  readonly auditing: AuditSettings;
  /** All given settings by name, verbatim. */
  readonly given: Readonly<Record<string, string>>;
}

/** Who may use the server, and for how long. */
interface AccessSettings {
  readonly mode: AccessMode;
  readonly sessionHours: number;
  readonly idleHours: number;
  /** Allows a program to read the metrics; null if only administrators can. */
  readonly metricsToken: string | null;
}

export type ServerSettingsResult =
  | { readonly settings: ServerSettings; readonly problems: null }
  | { readonly settings: null; readonly problems: readonly string[] };

/**
 * Returns the settings, or every mistake in them, each a sentence that begins with its variable. Never repeats secrets.
 */
export function readServerSettings(environment: Environment, files: SettingsFiles): ServerSettingsResult {
  const problems: string[] = [];
  const source = createSource(environment, files, problems);
  const profile = readProfile(source);
  const credential = readCredential(source);
  const budget = readBudget(source);
  const logLevel = readLogLevel(source);
  const compressesLive = readFlag(source, 'DESK_LIVE_COMPRESSION', true);
  const journal = readJournal(source);
  const channels = readChannels(source);
  const holidaysFile = readHolidays(source);
  const heartbeat = readHeartbeat(source);
  const access = readAccess(source);
  const dataDir = readDataDir(environment);
  const auditing = readAuditing(source, dataDir);
  if (profile !== null) rejectPlainHttp(source, profile);
  const databaseUrl = readDatabaseUrl(source) ?? null;
  const secrets = readDeskSecrets(source, databaseUrl);
  const name = readName(source);
  if (profile?.baseUrl === null) rejectVenueOptions(source, credential);
  if (profile === null || credential === null || budget === null || logLevel === null || problems.length > 0)
    return { settings: null, problems };
  const chosen = { credential: credential === 'none' ? null : credential, budget: budget === 'none' ? null : budget };
  return {
    settings: {
      profile,
      ...chosen,
      dataDir,
      databaseUrl,
      secrets,
      name,
      logLevel,
      compressesLive,
      channels,
      holidaysFile,
      heartbeat,
      access,
      auditing,
      given: readGiven(environment),
      ...journal,
    },
    problems: null,
  };
}

/** The embedded exchange has one environment and creates its own key. */
function rejectVenueOptions({ value, problem }: Source, credential: ReturnType<typeof readCredential>): void {
  const env = value('DESK_VENUE_ENV') ?? ONLY_ENV;
  if (env !== ONLY_ENV)
    problem(`DESK_VENUE_ENV applies only to an exchange elsewhere: the embedded exchange has ${ONLY_ENV} only.`);
  if (credential !== 'none')
    problem(
      'DESK_CONNECTION_ID and DESK_AUTH_TOKEN apply only to an exchange elsewhere: the embedded exchange ' +
        'creates its own key.',
    );
}

const ONLY_ENV = 'prod';

/** Over plain http, anyone on the network path could read signatures and orders and change responses. */
function rejectPlainHttp(source: Source, { baseUrl }: VenueProfile): void {
  const isAllowed = readFlag(source, 'DESK_ALLOW_PLAIN_HTTP', false);
  if (baseUrl === null || isAllowed || !isReadableOnTheWay(new URL(baseUrl))) return;
  const { value, problem } = source;
  const whose = value('DESK_VENUE_URL') === null ? 'DESK_VENUE names a profile whose baseUrl is' : 'DESK_VENUE_URL is';
  problem(
    `${whose} an http address of another machine, so others on the network path could read orders and ` +
      'signatures: use https, or set DESK_ALLOW_PLAIN_HTTP=1 if that path is private.',
  );
}

function readFlag({ value, problem }: Source, name: SettingName, unset: boolean): boolean {
  const text = value(name);
  if (text === null) return unset;
  if (text !== '0' && text !== '1') problem(`${name} is "${text}", but must be 0 or 1.`);
  return text === '1';
}

function readJournal(source: Source): Pick<ServerSettings, 'journalSeconds' | 'journalBytes' | 'priceDays'> {
  const seconds = readNumber(source, 'DESK_JOURNAL_SECONDS', { unset: 30, least: 5, most: 3_600, orZero: true });
  const megabytes = readNumber(source, 'DESK_JOURNAL_MB', { unset: 5_000, least: 10, most: 10_000_000 });
  const priceDays = readNumber(source, 'DESK_PRICE_DAYS', { unset: 90, least: 1, most: 3_650 });
  return { journalSeconds: seconds === 0 ? null : seconds, journalBytes: megabytes * 1_000_000, priceDays };
}

function readHolidays({ value, files, problem }: Source): string | null {
  const path = value('DESK_HOLIDAYS_FILE');
  if (path === null) return null;
  try {
    const found = parseHolidays(files.read(path));
    return 'problem' in found ? problem(`DESK_HOLIDAYS_FILE is "${path}", which ${found.problem}.`) : path;
  } catch {
    return problem(`DESK_HOLIDAYS_FILE is "${path}", which cannot be read.`);
  }
}

function readGiven(environment: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.keys(environment)
      .flatMap((name) => (isSettingName(name) ? [[name, readVariable(environment, name)] as const] : []))
      .filter((pair): pair is readonly [SettingName, string] => pair[1] !== null),
  );
}

function readAccess(source: Source): AccessSettings {
  const text = source.value('DESK_ACCESS') ?? 'local';
  const mode = ACCESS_MODES.find((one) => one === text);
  if (mode === undefined) source.problem(`DESK_ACCESS is "${text}", but must be one of ${ACCESS_MODES.join(', ')}.`);
  return {
    mode: mode ?? 'local',
    sessionHours: readNumber(source, 'DESK_SESSION_HOURS', { unset: 168, least: 1, most: 720 }),
    idleHours: readNumber(source, 'DESK_SESSION_IDLE_HOURS', { unset: 12, least: 1, most: 720 }),
    metricsToken: readMetricsToken(source, mode ?? 'local'),
  };
}

const DAYS = { unset: AUDIT_DEFAULTS.days, least: 30, most: 36_500 };
const MEGABYTES = { unset: AUDIT_DEFAULTS.bytes / 1_000_000, least: 10, most: 10_000_000 };

function readAuditing(source: Source, dataDir: string): AuditSettings {
  return {
    days: readNumber(source, 'DESK_AUDIT_DAYS', DAYS),
    bytes: readNumber(source, 'DESK_AUDIT_MB', MEGABYTES) * 1_000_000,
    target: readAuditTarget(source, dataDir),
  };
}

function readMetricsToken(source: Source, mode: AccessMode): string | null {
  const secret = readSecret(source, 'DESK_METRICS_TOKEN');
  if (!secret) return null;
  if (mode === 'local')
    return source.problem(
      'DESK_METRICS_TOKEN has no effect with DESK_ACCESS=local: everybody on this machine may read the ' +
        'metrics. Remove one of them.',
    );
  const { text, from, isFile } = secret;
  return /^[\w.~+/-]{32,256}$/.test(text)
    ? text
    : source.problem(
        `${from}${isFile ? ', which must hold' : ' must be'} 32 to 256 letters, digits or -._~+/, such ` +
          'as from "openssl rand -hex 32".',
      );
}

function isReadableOnTheWay({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

function readProfile(source: Source): VenueProfile | null {
  const named = readNamedProfile(source, source.value('DESK_VENUE') ?? 'sandbox');
  const baseUrl = readVenueUrl(source);
  const env = readVenueEnv(source);
  if (named === null || baseUrl === null || env === null) return null;
  return { ...named, baseUrl: baseUrl ?? named.baseUrl, env: env ?? named.env };
}

function readVenueUrl({ value, problem }: Source): Optional {
  const url = value('DESK_VENUE_URL');
  if (url === null) return undefined;
  return (
    parseBaseUrl(url) ??
    problem('DESK_VENUE_URL must be an absolute http or https URL without user, query or fragment.')
  );
}

function readVenueEnv({ value, problem }: Source): Optional {
  const env = value('DESK_VENUE_ENV');
  if (env === null) return undefined;
  if (isToken(env))
    return problem(
      'DESK_VENUE_ENV looks like a token: set DESK_AUTH_TOKEN to it, and DESK_VENUE_ENV to one word, ' +
        'such as prod or sandbox.',
    );
  return /^[A-Za-z0-9_-]{1,64}$/.test(env)
    ? env
    : problem(`DESK_VENUE_ENV is "${env}", but must be one word, such as prod or sandbox.`);
}

function readNamedProfile({ files, problem }: Source, name: string): VenueProfile | null {
  const known = findVenue(name);
  if (known !== null) return known;
  let value: unknown;
  try {
    value = JSON.parse(files.read(name));
  } catch {
    return problem(
      `DESK_VENUE is "${name}", which is neither ${Object.keys(VENUES).join(', ')} nor a readable JSON file.`,
    );
  }
  const read = parseVenueProfile(value);
  if ('profile' in read) return read.profile;
  return problem(`DESK_VENUE: ${name}: ${read.problems.join(' ')}`);
}

function readCredential(source: Source): NonNullable<ServerSettings['credential']> | 'none' | null {
  const connectionId = readConnectionId(source);
  const token = readToken(source);
  if (connectionId === undefined && token === undefined) return 'none';
  if (connectionId === undefined)
    return source.problem(
      'DESK_CONNECTION_ID is missing: set it together with DESK_AUTH_TOKEN or DESK_AUTH_TOKEN_FILE.',
    );
  if (token === undefined)
    return source.problem(
      'DESK_AUTH_TOKEN or DESK_AUTH_TOKEN_FILE is missing: set one of them together with DESK_CONNECTION_ID.',
    );
  return connectionId === null || token === null ? null : { connectionId, token };
}

function readConnectionId({ value, problem }: Source): Optional {
  const id = value('DESK_CONNECTION_ID');
  if (id === null) return undefined;
  return /^[0-9A-Fa-f]{1,64}$/.test(id) ? id : problem('DESK_CONNECTION_ID must be 1 to 64 hexadecimal digits.');
}

function readToken(source: Source): Optional {
  const secret = readSecret(source, 'DESK_AUTH_TOKEN');
  if (!secret) return secret;
  const { text, from, isFile } = secret;
  if (isToken(text)) return text;
  return source.problem(
    isFile ? `${from}, which must hold 64 hexadecimal digits.` : `${from} must be 64 hexadecimal digits.`,
  );
}

function readDatabaseUrl(source: Source): Optional {
  const secret = readSecret(source, 'DESK_DATABASE_URL');
  if (!secret) return secret;
  const { text, from, isFile } = secret;
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) {
    return findPlainPassage(text) === 'by default'
      ? source.problem(`${from}${isFile ? ', whose address' : ''} ${PLAIN_BY_DEFAULT}`)
      : text;
  }
  return source.problem(
    `${from}${isFile ? ', which must hold' : ' must be'} the address of a PostgreSQL database: ` +
      'postgres://user:password@host/database. Special characters in the password must be percent-encoded.',
  );
}

function readDeskSecrets(source: Source, databaseUrl: string | null): readonly string[] {
  const secret = readSecret(source, 'DESK_SECRET');
  if (!secret) return [];
  if (databaseUrl === null)
    source.problem(
      'DESK_SECRET applies only to a database that several desks can use: set DESK_DATABASE_URL, or remove DESK_SECRET.',
    );
  const { text, from, isFile } = secret;
  const secrets = text.split(/[\s,]+/).map((one) => one.toLowerCase());
  if (secrets.every(isToken)) return secrets;
  source.problem(
    `${from}${isFile ? ', which must hold' : ' must be'} 64 hexadecimal digits, such as from "openssl rand -hex 32", ` +
      'or several such keys separated by spaces.',
  );
  return [];
}

function readName({ value, problem }: Source): string | null {
  const name = value('DESK_NAME');
  return name === null || /^[\w.:-]{1,64}$/.test(name)
    ? name
    : problem(`DESK_NAME is "${name}", but must be 1 to 64 letters, digits or -._:.`);
}

function isToken(text: string): boolean {
  return /^[0-9A-Fa-f]{64}$/.test(text);
}

const DEFAULT_BUDGET = toBudgetText(VENUE_BUDGET);

/** Returns a budget in the form of `DESK_BUDGET`. */
export function toBudgetText(budget: Budget | null): string {
  return budget === null ? '0' : `${String(budget.requests)}/${String(budget.seconds)}`;
}

function readBudget({ value, problem }: Source): Budget | 'none' | null {
  const text = value('DESK_BUDGET') ?? DEFAULT_BUDGET;
  if (text === '0') return 'none';
  const [, requests, seconds] = /^([1-9]\d{0,6})\/([1-9]\d{0,4})$/.exec(text) ?? [];
  if (requests !== undefined) return { requests: Number(requests), seconds: Number(seconds) };
  return problem(
    `DESK_BUDGET is "${text}", but must be requests/seconds, such as ${DEFAULT_BUDGET}, or 0 for no limit.`,
  );
}

function readLogLevel({ value, problem }: Source): ServerSettings['logLevel'] | null {
  const text = value('DESK_LOG_LEVEL');
  if (text === null) return 'usual';
  return (
    LOG_LEVELS.find((level) => level === text) ??
    problem(`DESK_LOG_LEVEL is "${text}", but must be one of ${LOG_LEVELS.join(', ')}.`)
  );
}
