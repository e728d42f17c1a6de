import { join } from 'node:path';
import { parseInstant } from '#contract/exchange/instant.ts';
import type { VenueOptions } from './create-venue.ts';
import type { Credential } from './http/authenticate.ts';
import type { Budget } from './http/address-limiter.ts';
import type { CursorEncoding, CursorEnd } from './http/paging.ts';
import { parseCredentials, readSecretFile } from './credentials.ts';

interface GivenOptions {
  /** The values of each option, in the order in which they were given. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly string[];
}

/** Parses `--name value` and `--name=value`. Hidden options are parsed, but no problem suggests them. */
function readOptions(args: readonly string[], names: readonly string[], hidden: readonly string[] = []): GivenOptions {
  const values = new Map<string, string[]>();
  const problems: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const { name, attached } = splitOption(args[at] ?? '');
    if (!names.includes(name) && !hidden.includes(name)) {
      problems.push(
        `Unknown option "${withoutToken(args[at] ?? '')}". Options are ${names.map((one) => `--${one}`).join(', ')}.`,
      );
      continue;
    }
    const value = attached ?? valueAt(args, at + 1);
    if (attached === null && value !== '') at += 1;
    if (value === '') problems.push(`--${name} needs a value.`);
    else values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { values, problems };
}

function splitOption(text: string): { readonly name: string; readonly attached: string | null } {
  const [, name = '', , attached] = /^--([^=]+)(=(.*))?$/s.exec(text) ?? [];
  return { name, attached: attached ?? null };
}

/** Returns the argument at a place, unless it is an option itself. */
function valueAt(args: readonly string[], at: number): string {
  const text = args[at] ?? '';
  return text.startsWith('--') ? '' : text;
}

/** Removes a token that was passed by mistake, so that it is not printed. */
function withoutToken(text: string): string {
  return text.replace(/[0-9a-f]{32,}/gi, '…');
}

export interface VenueSettings extends Omit<VenueOptions, 'credentials'> {
  /** If empty, a credential is created and kept in a file. */
  readonly credentials: readonly Credential[];
  /** The port; 0 takes any free one. */
  readonly port: number;
}

export type VenueSettingsResult =
  | { readonly settings: VenueSettings; readonly problems: null }
  | { readonly settings: null; readonly problems: readonly string[] };

const DEFAULTS = {
  'port': '4010',
  'store': 'venue.sqlite',
  'seed': '7',
  'orders': '20000',
  'working': '1200',
  'history-days': '730',
  'budget': '200/300',
  'live': 'on',
  'clock': '',
  'speed': '1',
  'persist-lag': '500',
  'activity': '1',
  'cursor-end': 'same',
  'cursor-encoding': 'percent',
} as const;

type Name = keyof typeof DEFAULTS;

const CURSOR_ENDS: readonly CursorEnd[] = ['same', 'empty', 'null', 'absent'];
const CURSOR_ENCODINGS: readonly CursorEncoding[] = ['percent', 'plain'];
/** The highest speed at which the market can keep up with its clock. */
const FASTEST = 50_000;
/** Accounts then send 67 orders a second. */
const MOST_ACTIVITY = 1_000;
const LONGEST_HISTORY_DAYS = 3_650;
const MOST_ORDERS = 10_000_000;
/** Matches the address of a database server, such as postgres://user@host/database. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

type Environment = Readonly<Record<string, string | undefined>>;

const CREDENTIAL_VARIABLE = 'VENUE_CREDENTIAL';

/** The folder of the store and the credential, unless options name others. It is that of the embedded exchange. */
export function dataFolderOf(environment: Environment): string {
  const folder = environment['DESK_DATA_DIR']?.trim() ?? '';
  return folder === '' ? '.perpdesk' : folder;
}

/** Reads the settings, or reports every mistake in them at once, each as a sentence that names its option. */
export function readVenueSettings(args: readonly string[], environment: Environment = {}): VenueSettingsResult {
  const given = readOptions(args, [...Object.keys(DEFAULTS), 'credential-file'], ['credential']);
  const problems = [...given.problems];
  const text = (name: Name): string => given.values.get(name)?.at(-1) ?? DEFAULTS[name];
  const check = <T>(name: Name, parse: (text: string) => T | undefined, must: string): T | undefined => {
    const value = parse(text(name));
    if (value === undefined) problems.push(`--${name} is "${text(name)}"; it must be ${must}.`);
    return value;
  };
  const count = (name: Name, least: number, most: number): number =>
    check(name, wholeNumber(least, most), `a whole number from ${least} to ${most}`) ?? least;
  const word = <T extends string>(name: Name, words: readonly [T, ...T[]] | readonly T[]): T | undefined =>
    check(name, (value) => words.find((one) => one === value), `one of ${words.join(', ')}`);

  const settings: VenueSettings = {
    port: count('port', 0, 65_535),
    store: readStore(given.values.get('store')?.at(-1) ?? join(dataFolderOf(environment), DEFAULTS.store), problems),
    seed: count('seed', 0, 2 ** 31 - 1),
    orders: count('orders', 0, MOST_ORDERS),
    working: count('working', 0, 100_000),
    historyDays: count('history-days', 1, LONGEST_HISTORY_DAYS),
    budget: check('budget', parseBudget, 'requests/seconds, such as 200/300, or 0 for no limit') ?? null,
    live: word('live', ['on', 'off']) !== 'off',
    clock: check('clock', parseClock, 'an ISO 8601 timestamp in UTC, such as 2026-08-17T00:00:00Z') ?? null,
    speed: check('speed', parseSpeed, `a number above 0, at most ${FASTEST}`) ?? 1,
    persistLagMs: count('persist-lag', 0, 600_000),
    activity: count('activity', 1, MOST_ACTIVITY),
    cursors: {
      end: word('cursor-end', CURSOR_ENDS) ?? 'same',
      encoding: word('cursor-encoding', CURSOR_ENCODINGS) ?? 'percent',
    },
    credentials: readCredentials(given, environment, problems),
  };
  return problems.length > 0 ? { settings: null, problems } : { settings, problems: null };
}

/** Reads the store. An address is not repeated in the problem, because it may contain a password. */
function readStore(store: string, problems: string[]): string {
  if (ADDRESS.test(store))
    problems.push(
      '--store is an address; it must be :memory: or the path of a file: the exchange is stored in SQLite only.',
    );
  return store;
}

/** Reads credentials, but not from the command line, which other users of the machine can read. */
function readCredentials(
  { values }: GivenOptions,
  environment: Environment,
  problems: string[],
): readonly Credential[] {
  const file = values.get('credential-file')?.at(-1);
  const text = environment[CREDENTIAL_VARIABLE] ?? '';
  if (values.has('credential')) {
    problems.push(
      '--credential is not accepted: other users of this machine can read a command line. Use ' +
        `--credential-file <path>, or set ${CREDENTIAL_VARIABLE}.`,
    );
  }
  if (file === undefined) return text === '' ? [] : parseCredentials(CREDENTIAL_VARIABLE, text, problems);
  if (text !== '') problems.push(`--credential-file and ${CREDENTIAL_VARIABLE} are both set: remove one of them.`);
  try {
    return parseCredentials(`The file ${file}`, readSecretFile(file), problems);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
    return [];
  }
}

function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) =>
    /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;
}

function parseBudget(text: string): Budget | null | undefined {
  if (text === '0') return null;
  const match = /^([1-9]\d{0,6})\/([1-9]\d{0,6})$/.exec(text);
  return match === null ? undefined : { requests: Number(match[1]), seconds: Number(match[2]) };
}

function parseClock(text: string): number | null | undefined {
  if (text === '') return null;
  const nanos = parseInstant(text);
  return nanos === null ? undefined : Number(nanos / 1000n);
}

function parseSpeed(text: string): number | undefined {
  const speed = Number(text);
  return /^\d+(\.\d+)?$/.test(text) && speed > 0 && speed <= FASTEST ? speed : undefined;
}
