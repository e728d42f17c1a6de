import type { AccessMode } from '#contract/roles.ts';
import { toInstant } from '../to-instant.ts';
import { describeEndedSessions, describePerson } from './describe-person.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { AuditKind } from './audit/chain.ts';
import { INVITED_FOR_MS, type GivenPerson, type People } from './people.ts';
import type { AddressOf, Requesting, Input } from './requesting.ts';
import type { Sessions } from './sessions.ts';

interface PeopleParts {
  readonly mode: AccessMode;
  readonly people: Pick<People, 'put' | 'invite'>;
  /** The people of this mode, whoever keeps them. */
  readonly listed: Pick<People, 'all' | 'remove'>;
  readonly sessions: Sessions;
  readonly audit: AuditLog;
  readonly addressOf: AddressOf;
}

/** What administrators do about people. */
export function createPeopleActions({ mode, people, listed, sessions, audit, addressOf }: PeopleParts) {
  const record = ({ viewer, request }: Requesting, kind: AuditKind, detail: string): Promise<void> => audit.record({ kind, who: viewer.id, name: viewer.name, address: addressOf(request), detail });
  return {
    putPerson: async ({ body, context }: Input<GivenPerson>) => {
      const person = await people.put(body, context.viewer.person);
      await record(context, 'person changed', describePerson(person, body.id === '' ? 'Added' : 'Changed'));
      return { count: 1 };
    },
    deletePerson: async ({ query, context }: Input<null>) => {
      const { name } = await listed.remove(query['id'] ?? '', context.viewer.person);
      await record(context, 'person changed', `Deleted "${name}", with all sessions, ${mode === 'users' ? 'API tokens and saved views.' : 'saved views and preferences. They can come back while the provider or proxy vouches for them.'}`);
      return { count: 1 };
    },
    invitePerson: async ({ query, context }: Input<null>) => {
      const { person, path, expiresAt } = await people.invite(query['id'] ?? '', INVITED_FOR_MS, context.viewer.person);
      await record(context, 'person changed', `Created an invitation for "${person.name}".`);
      return { person: person.id, path, expires_at: toInstant(expiresAt) };
    },
    endSessionsOf: async ({ query, context }: Input<null>) => {
      const id = query['id'] ?? '';
      const count = await sessions.end(({ person }) => person === id);
      const name = listed.all().find((person) => person.id === id)?.name ?? id;
      await record(context, 'session ended', describeEndedSessions(count, name));
      return { count };
    },
  };
}
