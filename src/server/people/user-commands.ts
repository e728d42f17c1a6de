import type { AccessRegistry } from './accounts/access-registry.ts';
import type { AuditKind } from './audit/audit-store.ts';
import { describeGranted, describePerson, describeRevoked, INVITED_FOR_MS, type People } from './accounts/people.ts';
import type { AccessRecords, Keep, PersonRecord } from './accounts/records.ts';
import { parseArgs } from 'node:util';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { describeEnded, describeToEnd } from './accounts/end-access.ts';

interface UserDeps {
  readonly people: People;
  readonly book: Pick<AccessRegistry, 'state'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly caller: Caller;
}

export interface Caller {
  /** Precedes paths in links; empty if the address is unknown. */
  readonly base: string;
  /** A sentence about that address. */
  readonly note: string | null;
  /** Who runs the command. */
  readonly by: string;
}

/** Runs one command about people and returns the lines to print. */
export type RunUserCommand = (args: readonly string[]) => Promise<readonly string[]>;

const OPTIONS = {
  'role': { type: 'string', multiple: true },
  'account': { type: 'string', multiple: true },
  'firm': { type: 'string', multiple: true },
  'connection': { type: 'string', multiple: true },
  'all-orders': { type: 'boolean' },
  'no-roles': { type: 'boolean' },
  'no-orders': { type: 'boolean' },
  'keep-tokens': { type: 'boolean' },
  'keep-passkeys': { type: 'boolean' },
  'all-tokens': { type: 'boolean' },
  'all-passkeys': { type: 'boolean' },
} as const;
type Option = keyof typeof OPTIONS;

const SCOPE: readonly Option[] = ['account', 'firm', 'connection', 'all-orders'];
const GRANT: readonly Option[] = ['role', ...SCOPE];
const KEEP: readonly Option[] = ['keep-tokens', 'keep-passkeys'];
/** The options of each command, beside the name of a person. */
const TAKES: Readonly<Record<string, readonly Option[]>> = {
  'add': GRANT,
  'set': [...GRANT, 'no-roles', 'no-orders'],
  'invite': KEEP,
  'disable': KEEP,
  'end-sessions': KEEP,
  'revoke': ['all-tokens', 'all-passkeys'],
};

interface Given {
  readonly person: string;
  readonly ids: readonly string[];
  readonly roles: readonly string[];
  readonly scope: PersonRecord['scope'];
  readonly keep: Keep;
  readonly all: Keep;
  readonly options: readonly string[];
}

export function createUserCommands(deps: UserDeps): RunUserCommand {
  const { people, audit, caller } = deps;
  const record = (kind: AuditKind, detail: string): Promise<void> =>
    audit.record({ kind, who: '', name: `perpdesk user, run by ${caller.by}`, address: '', detail });
  const put = async (given: Parameters<People['put']>[0], done: string, keep?: Keep): Promise<readonly string[]> => {
    const { person, ended } = await people.put(given, keep && { keep });
    const sentences = [describePerson(person, done), ...(ended === null ? [] : [describeEnded(ended, person.name)])];
    await record('person changed', sentences.join(' '));
    return sentences;
  };
  const invite = async ({ id, name }: PersonRecord, keep: Keep): Promise<readonly string[]> => {
    const { path, expiresAt, toEnd } = await people.invite(id, INVITED_FOR_MS, { keep });
    await record('person changed', `Created an invitation for "${name}".`);
    const ends = describeToEnd(toEnd);
    return [
      `Send this link to "${name}". It can be used once, until ${toTime(expiresAt)}:`,
      `${caller.base}${path}`,
      ...(caller.note === null ? [] : [caller.note]),
      ...(ends === '' ? [] : [ends]),
    ];
  };
  const commands: Readonly<Record<string, (given: Given) => Promise<readonly string[]>>> = {
    'add': async ({ person, roles, scope, keep }) => {
      if (people.findByName(person) !== null)
        throw new Error(`A person named "${person}" already exists. Use "user set" to change their roles and scope.`);
      const sentences = await put({ id: '', name: person, roles, scope, disabled: false }, 'Added');
      return [...sentences, ...(await invite(mustFind(people, person), keep))];
    },
    'set': ({ person, ...given }) => put({ ...mustFind(people, person), ...findChanges(given) }, 'Changed'),
    'invite': ({ person, keep }) => invite(mustFind(people, person), keep),
    'withdraw': async ({ person }) => {
      const { id, name } = mustFind(people, person);
      if (!(await people.withdraw(id))) throw new Error(`"${name}" has no invitation.`);
      const sentence = `Withdrew the invitation of "${name}".`;
      await record('person changed', sentence);
      return [sentence];
    },
    'disable': ({ person, keep }) => put({ ...mustFind(people, person), disabled: true }, 'Disabled', keep),
    'enable': ({ person }) => put({ ...mustFind(people, person), disabled: false }, 'Enabled'),
    'end-sessions': async ({ person, keep }) => {
      const { id, name } = mustFind(people, person);
      const sentence = describeEnded(await people.end(id, keep), name);
      await record('session ended', sentence);
      return [sentence];
    },
    ...createCredentialCommands({ ...deps, record }),
    'delete': async ({ person }) => {
      const { name } = await people.remove(mustFind(people, person).id);
      const sentence = `Deleted "${name}", with all sessions, API tokens and saved views.`;
      await record('person changed', sentence);
      return [sentence];
    },
  };
  return async ([name = '', ...args]) => {
    if (name === 'list') return listPeople(people.all(), args);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError(name === '' ? 'Name a command.' : `"${name}" is not a command.`);
    const given = parse(name, args);
    const surplus = given.options.find((option) => !TAKES[name]?.some((one) => one === option));
    if (surplus !== undefined) throw new UsageError(`"user ${name}" takes no option --${surplus}.`);
    return command(given).catch((error: unknown) => {
      throw error instanceof VenueFailure && error.problem.errors !== undefined
        ? new Error(error.problem.errors.map(({ path, detail }) => `${path.replace('$.', '')} ${detail}.`).join(' '))
        : error;
    });
  };
}

/** What is not named stays: a forgotten option must not take a right away. */
function findChanges({
  options,
  roles,
  scope,
}: Pick<Given, 'options' | 'roles' | 'scope'>): Partial<Pick<Given, 'roles' | 'scope'>> {
  const has = (names: readonly Option[]): boolean => names.some((name) => options.includes(name));
  const [setsRoles, setsScope] = [has(['role']), has(SCOPE)];
  if (setsRoles && has(['no-roles'])) throw new UsageError('--no-roles and --role contradict each other.');
  if (setsScope && has(['no-orders'])) throw new UsageError('--no-orders contradicts the other orders.');
  const changes = {
    ...((setsRoles || has(['no-roles'])) && { roles }),
    ...((setsScope || has(['no-orders'])) && { scope }),
  };
  if (Object.keys(changes).length === 0)
    throw new UsageError(
      'Say what to change: --role or --no-roles; --account, --firm, --connection, --all-orders or --no-orders. What is ' +
        'not named stays.',
    );
  return changes;
}

function parse(name: string, args: readonly string[]): Given {
  const { values, positionals } = readArguments(args);
  const [person, ...ids] = positionals;
  const [surplus] = name === 'revoke' ? [] : ids;
  if (person === undefined) throw new UsageError('Name a person.');
  if (surplus !== undefined)
    throw new UsageError(`"${surplus}" is unexpected. Put a name with spaces in quotation marks.`);
  const {
    'role': roles = [],
    'account': accounts = [],
    'firm': firms = [],
    'connection': connections = [],
    'all-orders': allOrders = false,
  } = values;
  return {
    person,
    ids,
    roles,
    scope: { all: allOrders, accounts, firms, connections },
    keep: { tokens: values['keep-tokens'] ?? false, passkeys: values['keep-passkeys'] ?? false },
    all: { tokens: values['all-tokens'] ?? false, passkeys: values['all-passkeys'] ?? false },
    options: Object.keys(values),
  };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function listPeople(people: readonly PersonRecord[], [option, ...others]: readonly string[]): readonly string[] {
  if (option === '--json' && others.length === 0) return [JSON.stringify(people.map(toListed), null, 2)];
  if (option !== undefined) throw new UsageError('"user list" takes only the option --json.');
  if (people.length === 0) return ['There are no people yet. Add one with "user add".'];
  return people
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map((person) => describePerson(person, '').trim());
}

function toListed({ id, name, roles, scope, disabled, createdAt, lastSignedInAt }: PersonRecord) {
  return {
    id,
    name,
    roles,
    scope,
    disabled,
    created_at: toTime(createdAt),
    last_signed_in_at: lastSignedInAt === null ? null : toTime(lastSignedInAt),
  };
}

/** Thrown if the arguments of a command cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface CredentialDeps {
  readonly people: Pick<People, 'findByName' | 'revoke'>;
  readonly book: Pick<AccessRegistry, 'state'>;
  readonly record: (kind: AuditKind, detail: string) => Promise<void>;
}

/** Creates the commands about a person's API tokens and passkeys. */
function createCredentialCommands({ people, book, record }: CredentialDeps) {
  const ownOf = <Kind extends 'tokens' | 'passkeys'>(kind: Kind, id: string): readonly AccessRecords[Kind][] =>
    [...(book.state()[kind] as ReadonlyMap<string, AccessRecords[Kind]>).values()]
      .filter(({ person }) => person === id)
      .sort((a, b) => a.createdAt - b.createdAt);
  return {
    tokens: ({ person }: Given) => {
      const { id, name } = mustFind(people, person);
      const lines = ownOf('tokens', id).map(
        (token) =>
          `${token.id}  ${token.name}: ${describeGranted(token)}; ${describeUse(token)}; expires ` +
          toTime(token.expiresAt),
      );
      return Promise.resolve(lines.length === 0 ? [`"${name}" has no API tokens.`] : lines);
    },
    passkeys: ({ person }: Given) => {
      const { id, name } = mustFind(people, person);
      const lines = ownOf('passkeys', id).map((passkey) => `${passkey.id}  ${passkey.name}: ${describeUse(passkey)}`);
      return Promise.resolve(lines.length === 0 ? [`"${name}" has no passkeys.`] : lines);
    },
    revoke: async ({ person, ids, all }: Given) => {
      const { id, name } = mustFind(people, person);
      if (ids.length === 0 && !all.tokens && !all.passkeys)
        throw new UsageError('Name API tokens or passkeys by their IDs, or give --all-tokens or --all-passkeys.');
      const known = [...ownOf('tokens', id), ...ownOf('passkeys', id)].map((one) => one.id);
      const unknown = ids.find((one) => !known.includes(one));
      if (unknown !== undefined)
        throw new Error(
          `"${name}" has no API token or passkey "${unknown}". "user tokens" and "user passkeys" list them.`,
        );
      const revoked = await people.revoke((one, kind) => one.person === id && (all[kind] || ids.includes(one.id)));
      for (const one of revoked)
        await record(one.kind === 'tokens' ? 'token changed' : 'person changed', describeRevoked(one));
      return revoked.length === 0 ? [`"${name}" has none of these.`] : revoked.map(describeRevoked);
    },
  };
}

function describeUse({
  createdAt,
  lastUsedAt,
}: {
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}): string {
  return `created ${toTime(createdAt)}; ${lastUsedAt === null ? 'never used' : `last used ${toTime(lastUsedAt)}`}`;
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}

function mustFind(people: Pick<People, 'findByName'>, name: string): PersonRecord {
  const person = people.findByName(name);
  if (person === null) throw new Error(`No person is named "${name}". "user list" lists all people.`);
  return person;
}
