import type { AccessMode } from '#contract/desk/roles.ts';
import { toInstant } from '#server/core/to-instant.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createAdministrator, mustNotBeToken, type Administrator } from './administrator.ts';
import { describePerson, describeRevoked } from './describe-person.ts';
import { describeEnded } from './end-access.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditKind } from '../audit/chain.ts';
import { INVITED_FOR_MS, type GivenPerson, type People, type Revoked } from './people.ts';
import type { Keep } from './records.ts';
import type { Requesting, Input } from './requesting.ts';
import { mustBeRecent, type SignInParts } from './sign-in.ts';

interface PeopleParts extends Pick<SignInParts, 'book' | 'viewers' | 'addressOf' | 'now'> {
  readonly mode: AccessMode;
  readonly people: Pick<People, 'put' | 'invite' | 'end' | 'revoke'>;
  /** The people of this mode, whoever keeps them. */
  readonly listed: Pick<People, 'all' | 'remove'>;
  readonly audit: AuditLog;
}

/** What administrators do about people. */
export function createPeopleActions(parts: PeopleParts) {
  const { mode, people, listed, viewers, audit, addressOf } = parts;
  const record = ({ viewer, request }: Requesting, kind: AuditKind, detail: string): Promise<void> =>
    audit.record({ kind, who: viewer.id, name: viewer.name, address: addressOf(request), detail });
  const revoke = async (
    { query, context }: Input<null>,
    kind: Revoked['kind'],
  ): Promise<{ readonly count: number }> => {
    mustNotBeToken(viewers.identityOf(context.viewer));
    const [revoked] = await people.revoke((one, its) => its === kind && one.id === query['id']);
    if (revoked === undefined)
      throw new VenueFailure({
        type: 'bad-parameter',
        detail: `There is no such ${kind === 'tokens' ? 'API token' : 'passkey'}. It may have been ${kind === 'tokens' ? 'revoked' : 'deleted'} already.`,
        parameter: 'id',
      });
    await record(context, kind === 'tokens' ? 'token changed' : 'person changed', describeRevoked(revoked));
    return { count: 1 };
  };
  return {
    putPerson: async ({ body, query, context }: Input<GivenPerson>) => {
      const { person, ended } = await people.put(body, { keep: toKeep(query), by: byOf(parts, context) });
      await record(
        context,
        'person changed',
        [
          describePerson(person, body.id === '' ? 'Added' : 'Changed'),
          ...(ended === null ? [] : [describeEnded(ended, person.name)]),
        ].join(' '),
      );
      return { count: 1 };
    },
    deletePerson: async ({ query, context }: Input<null>) => {
      mustNotBeToken(viewers.identityOf(context.viewer));
      const { name } = await listed.remove(query['id'] ?? '', byOf(parts, context));
      await record(
        context,
        'person changed',
        `Deleted "${name}", with all sessions, ${mode === 'users' ? 'API tokens and saved views.' : 'saved views and preferences. They can come back while the provider or proxy vouches for them.'}`,
      );
      return { count: 1 };
    },
    invitePerson: async ({ query, context }: Input<null>) => {
      const { person, path, expiresAt } = await people.invite(query['id'] ?? '', INVITED_FOR_MS, {
        keep: toKeep(query),
        by: byOf(parts, context),
      });
      await record(context, 'person changed', `Created an invitation for "${person.name}".`);
      return { person: person.id, path, expires_at: toInstant(expiresAt) };
    },
    endSessionsOf: async ({ query, context }: Input<null>) => {
      mustNotBeToken(viewers.identityOf(context.viewer));
      const id = query['id'] ?? '';
      const ended = await people.end(id, toKeep(query));
      const name = listed.all().find((person) => person.id === id)?.name ?? id;
      await record(context, 'session ended', describeEnded(ended, name));
      return { count: ended.sessions, tokens: ended.tokens, passkeys: ended.passkeys };
    },
    revokeTokenOf: (input: Input<null>) => revoke(input, 'tokens'),
    removePasskeyOf: (input: Input<null>) => revoke(input, 'passkeys'),
  };
}

function toKeep(query: Readonly<Record<string, string>>): Keep {
  return { tokens: query['keep_tokens'] === 'true', passkeys: query['keep_passkeys'] === 'true' };
}

function byOf(parts: PeopleParts, { viewer }: Requesting): Administrator {
  const identity = parts.viewers.identityOf(viewer);
  if (identity === null) throw new Error('Only who is signed in changes people.');
  return createAdministrator(identity, () => {
    if (identity.session !== null) mustBeRecent(parts, identity.session);
  });
}
