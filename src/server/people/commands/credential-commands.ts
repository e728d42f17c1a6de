import type { AccessBook } from '../accounts/access-book.ts';
import type { AuditKind } from '../audit/chain.ts';
import { describeGranted, describeRevoked } from '../accounts/describe-person.ts';
import type { People } from '../accounts/people.ts';
import type { AccessRecords, Keep, PersonRecord } from '../accounts/records.ts';
import { UsageError } from './usage-error.ts';

interface CredentialParts {
  readonly people: Pick<People, 'findByName' | 'revoke'>;
  readonly book: Pick<AccessBook, 'state'>;
  readonly record: (kind: AuditKind, detail: string) => Promise<void>;
}

interface Given {
  readonly person: string;
  readonly ids: readonly string[];
  readonly all: Keep;
}

/** The commands about API tokens and passkeys of a person. */
export function createCredentialCommands({ people, book, record }: CredentialParts) {
  const ownOf = <Kind extends 'tokens' | 'passkeys'>(kind: Kind, id: string): readonly AccessRecords[Kind][] =>
    [...(book.state()[kind] as ReadonlyMap<string, AccessRecords[Kind]>).values()]
      .filter(({ person }) => person === id)
      .sort((a, b) => a.createdAt - b.createdAt);
  return {
    tokens: ({ person }: Given) => {
      const { id, name } = mustFind(people, person);
      const lines = ownOf('tokens', id).map(
        (token) =>
          `${token.id}  ${token.name}: ${describeGranted(token)}; ${describeUse(token)}; expires ${toTime(token.expiresAt)}`,
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

export function toTime(at: number): string {
  return new Date(at).toISOString();
}

export function mustFind(people: Pick<People, 'findByName'>, name: string): PersonRecord {
  const person = people.findByName(name);
  if (person === null) throw new Error(`No person is named "${name}". "user list" lists all people.`);
  return person;
}
