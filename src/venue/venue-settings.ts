import { parseInstant } from '#contract/instant.ts';
import { connectionIdGrammar, codeGrammar } from '#contract/parameters.ts';
import type { VenueOptions } from './create-venue.ts';
import type { Credential } from './http/authenticate.ts';
import type { Budget } from './http/address-limiter.ts';
import type { CursorEnd, CursorEncoding } from './http/cursors.ts';
import { readOptions, type GivenOptions } from './command-line.ts';

export interface VenueSettings extends Omit<VenueOptions, 'credentials'> {
  /** Empty: one is made. */
  readonly credentials: readonly Credential[];
  /** 0 takes any free port. */
  readonly port: number;
}

export type VenueSettingsResult =
  | { readonly settings: VenueSettings; readonly problems: null }
  | { readonly settings: null; readonly problems: readonly string[] };

const DEFAULTS = {
  port: '4010',
  store: '.perpdesk/venue.sqlite',
  seed: '7',
  orders: '20000',
  working: '1200',
  'history-days': '730',
  budget: '200/300',
  live: 'on',
  clock: '',
  speed: '1',
  'persist-lag': '500',
  'cursor-end': 'same',
  'cursor-encoding': 'percent',
} as const;

type Name = keyof typeof DEFAULTS;

const CURSOR_ENDS: readonly CursorEnd[] = ['same', 'empty', 'null', 'absent'];
const CURSOR_ENCODINGS: readonly CursorEncoding[] = ['percent', 'plain'];
/** Beyond it the market could not keep up with its clock. */
const FASTEST = 50_000;
const LONGEST_HISTORY_DAYS = 3_650;
const MOST_ORDERS = 10_000_000;

/** The settings, or every mistake in them at once, each a sentence that names its option. */
export function readVenueSettings(args: readonly string[]): VenueSettingsResult {
  const given = readOptions(args, [...Object.keys(DEFAULTS), 'credential']);
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
    store: text('store'),
    seed: count('seed', 0, 2 ** 31 - 1),
    orders: count('orders', 0, MOST_ORDERS),
    working: count('working', 0, 100_000),
    historyDays: count('history-days', 1, LONGEST_HISTORY_DAYS),
    budget: check('budget', parseBudget, 'requests/seconds, such as 200/300, or 0 for no limit') ?? null,
    live: word('live', ['on', 'off']) !== 'off',
    clock: check('clock', parseClock, 'an ISO 8601 timestamp in UTC, such as 2026-08-17T00:00:00Z') ?? null,
    speed: check('speed', parseSpeed, `a number above 0, at most ${FASTEST}`) ?? 1,
    persistLagMs: count('persist-lag', 0, 600_000),
    cursors: {
      end: word('cursor-end', CURSOR_ENDS) ?? 'same',
      encoding: word('cursor-encoding', CURSOR_ENCODINGS) ?? 'percent',
    },
    credentials: readCredentials(given, problems),
  };
  return problems.length > 0 ? { settings: null, problems } : { settings, problems: null };
}

/** `<connection-id>:<64 hex characters>`, and the accounts it opens, if not all: `:<account>,<account>`. */
export function parseCredential(text: string): Credential | undefined {
  const [connectionId = '', token = '', accounts, ...more] = text.split(':');
  const codes = accounts?.split(',') ?? null;
  const isGood =
    connectionIdGrammar.accepts(connectionId) &&
    /^[0-9a-fA-F]{64}$/.test(token) &&
    more.length === 0 &&
    (codes?.every((code) => codeGrammar.accepts(code)) ?? true);
  return isGood ? { connectionId, token, accounts: codes } : undefined;
}

function readCredentials({ values }: GivenOptions, problems: string[]): Credential[] {
  const credentials: Credential[] = [];
  for (const [index, text] of (values.get('credential') ?? []).entries()) {
    const credential = parseCredential(text);
    if (credential === undefined) problems.push(credentialProblem(index));
    else if (credentials.some((other) => isSameConnection(other, credential))) {
      problems.push(`--credential names the connection ${credential.connectionId} twice; a connection has one token.`);
    } else credentials.push(credential);
  }
  return credentials;
}

/** The text itself is not repeated: it may hold a token. */
function credentialProblem(index: number): string {
  const form = '<connection-id>:<token> or <connection-id>:<token>:<account>,<account>';
  return `--credential number ${index + 1} must be ${form}, the connection id 1 to 64 hexadecimal digits and the token 64.`;
}

function isSameConnection(a: Credential, b: Credential): boolean {
  return a.connectionId.toLowerCase() === b.connectionId.toLowerCase();
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
