import { parseArgs } from 'node:util';
import { VenueFailure } from '../../venue-failure.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { describeEndedSessions, describePerson } from '../describe-person.ts';
import { INVITED_FOR_MS, type People } from '../people.ts';
import type { PersonRecord } from '../records.ts';
import type { Sessions } from '../sessions.ts';
import { UsageError } from './usage-error.ts';

interface UserParts {
  readonly people: People;
  readonly sessions: Sessions;
  readonly audit: Pick<AuditLog, 'record'>;
  /** What precedes a path in a link; empty if the address is not known. */
  readonly baseUrl: string;
  readonly now: () => number;
}

/** Runs one command about people, and returns the lines to print. */
export type RunUserCommand = (args: readonly string[]) => Promise<readonly string[]>;

export const USER_USAGE = `Usage:
  user list                     lists all people
  user add NAME [--role ROLE]… [--account CODE]… [--firm NAME]… [--connection ID]… [--all-orders]
  user set NAME [same options]  replaces roles and scope
  user invite NAME              creates a new link for choosing a password
  user disable NAME             blocks sign-in, and ends all sessions
  user enable NAME              allows sign-in again
  user end-sessions NAME        ends all sessions
  user delete NAME              deletes the person, with sessions and API tokens

Roles: markets, orders, operations, admin. Without a role, a person can sign in, but sees nothing.`;

const OPTIONS = {
  role: { type: 'string', multiple: true },
  account: { type: 'string', multiple: true },
  firm: { type: 'string', multiple: true },
  connection: { type: 'string', multiple: true },
  'all-orders': { type: 'boolean' },
} as const;

interface Given {
  readonly person: string;
  readonly roles: readonly string[];
  readonly scope: PersonRecord['scope'];
  readonly hasOptions: boolean;
}

export function createUserCommands(parts: UserParts): RunUserCommand {
  const { people, sessions, audit } = parts;
  const record = (kind: 'person changed' | 'session ended', detail: string): Promise<void> => audit.record({ kind, who: '', name: 'perpdesk user', address: '', detail });
  const put = async (given: Parameters<People['put']>[0], done: string): Promise<string> => {
    const sentence = describePerson(await people.put(given), done);
    await record('person changed', sentence);
    return sentence;
  };
  const invite = async ({ id, name }: PersonRecord): Promise<readonly string[]> => {
    const { path, expiresAt } = await people.invite(id, INVITED_FOR_MS);
    await record('person changed', `Created an invitation for "${name}".`);
    return [`Send this link to "${name}". It can be used once, until ${new Date(expiresAt).toISOString()}:`, `${parts.baseUrl}${path}`];
  };
  const commands: Readonly<Record<string, (given: Given) => Promise<readonly string[]>>> = {
    add: async ({ person, roles, scope }) => {
      if (people.findByName(person) !== null) throw new Error(`A person named "${person}" already exists. Use "user set" to change their roles and scope.`);
      const sentence = await put({ id: '', name: person, roles, scope, disabled: false }, 'Added');
      return [sentence, ...(await invite(mustFind(people, person)))];
    },
    set: async ({ person, roles, scope }) => [await put({ ...mustFind(people, person), roles, scope }, 'Changed')],
    invite: ({ person }) => invite(mustFind(people, person)),
    disable: async ({ person }) => [await put({ ...mustFind(people, person), disabled: true }, 'Disabled')],
    enable: async ({ person }) => [await put({ ...mustFind(people, person), disabled: false }, 'Enabled')],
    'end-sessions': async ({ person }) => {
      const { id, name } = mustFind(people, person);
      const count = await sessions.end((session) => session.person === id);
      const sentence = describeEndedSessions(count, name);
      await record('session ended', sentence);
      return [sentence];
    },
    delete: async ({ person }) => {
      const { name } = await people.remove(mustFind(people, person).id);
      const sentence = `Deleted "${name}", with all sessions, API tokens and saved views.`;
      await record('person changed', sentence);
      return [sentence];
    },
  };
  return async ([name = '', ...args]) => {
    if (name === 'list') return listPeople(people.all());
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError(name === '' ? 'Name a command.' : `"${name}" is not a command.`);
    const given = parse(args);
    if (given.hasOptions && name !== 'add' && name !== 'set') throw new UsageError(`"user ${name}" takes no options.`);
    return command(given).catch((error: unknown) => {
      throw error instanceof VenueFailure && error.problem.errors !== undefined ? new Error(error.problem.errors.map(({ path, detail }) => `${path.replace('$.', '')} ${detail}.`).join(' ')) : error;
    });
  };
}

function parse(args: readonly string[]): Given {
  const { values, positionals } = readArguments(args);
  const [person, surplus] = positionals;
  if (person === undefined) throw new UsageError('Name a person.');
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is unexpected. Put a name with spaces in quotation marks.`);
  const { role: roles = [], account: accounts = [], firm: firms = [], connection: connections = [], 'all-orders': all = false } = values;
  return { person, roles, scope: { all, accounts, firms, connections }, hasOptions: Object.keys(values).length > 0 };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function mustFind(people: People, name: string): PersonRecord {
  const person = people.findByName(name);
  if (person === null) throw new Error(`No person is named "${name}". "user list" lists all people.`);
  return person;
}

function listPeople(people: readonly PersonRecord[]): readonly string[] {
  if (people.length === 0) return ['There are no people yet. Add one with "user add".'];
  return people.toSorted((a, b) => a.name.localeCompare(b.name, 'en')).map((person) => describePerson(person, '').trim());
}
