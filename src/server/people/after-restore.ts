import type { AuditLog } from './audit/audit-log.ts';
import type { AccessRegistry } from './accounts/access-registry.ts';
import { count } from './accounts/end-access.ts';

/**
 * Ends what may have ended, been used or been taken away since a backup was made, and returns sentences about it. API
 * tokens stay, because programs use them, but are named.
 */
export async function endRestoredAccess(
  book: Pick<AccessRegistry, 'change'>,
  audit: Pick<AuditLog, 'record'>,
  by: string,
): Promise<readonly string[]> {
  const { sessions, invitations, tokens } = await book.change((state) => [
    { drop: { sessions: [...state.sessions.keys()], invitations: [...state.invitations.keys()] } },
    { sessions: state.sessions.size, invitations: state.invitations.size, tokens: state.tokens.size },
  ]);
  const ended =
    `Ended ${count(sessions, 'sign-in session')} and withdrew ${count(invitations, 'invitation')} of the ` + 'backup.';
  if (sessions + invitations > 0)
    await audit.record({
      kind: 'session ended',
      who: '',
      name: `perpdesk restore, run by ${by}`,
      address: '',
      detail: ended,
    });
  return [
    ...(sessions + invitations === 0 ? [] : [ended]),
    ...(tokens === 0
      ? []
      : [
          `${count(tokens, 'API token')} of the backup ${tokens === 1 ? 'is' : 'are'} valid again, also if revoked ` +
            'since: see perpdesk user tokens, and perpdesk user revoke.',
        ]),
  ];
}
