import type { AccountScope } from '#contract/desk/access.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { hasUnseen, NO_UNSEEN } from '#contract/desk/unseen.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { AccessRegistry } from './access-registry.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { type AuditKind, LONGEST_FILTER } from '../audit/audit-store.ts';
import { findExcess, toEntitlement } from './entitlement.ts';
import { describeGranted } from './people.ts';
import type { TokenRecord } from './records.ts';
import type { AddressOf, Requesting, Input } from './requesting.ts';
import { hashOf, newId, newSecret } from './secrets.ts';
import type { SignInSessions } from './sessions.ts';
import { mustBeKept, mustBeRecent, mustHaveSession } from './sign-in.ts';
import type { Viewers } from './viewers.ts';

interface OwnDeps {
  readonly book: Pick<AccessRegistry, 'state' | 'change'>;
  readonly sessions: SignInSessions;
  readonly viewers: Pick<Viewers, 'identityOf'>;
  readonly audit: AuditLog;
  readonly addressOf: AddressOf;
  readonly now: () => number;
}

interface GivenToken {
  readonly name: string;
  readonly roles: readonly string[];
  readonly scope: AccountScope;
  readonly expires_at: Instant;
}

const YEAR_MS = 366 * 86_400_000;
const MOST_TOKENS = 50;
const LONGEST_NAME = 64;

/** Creates the actions of people on their own sessions and tokens. */
export function createOwnActions({ book, sessions, viewers, audit, addressOf, now }: OwnDeps) {
  const record = ({ viewer, request }: Requesting, kind: AuditKind, detail: string): Promise<void> =>
    audit.record({ kind, who: viewer.id, name: viewer.name, address: addressOf(request), detail });
  return {
    endSession: async ({ query, context }: Input<null>) => {
      const { personId } = mustHaveSession(viewers.identityOf(context.viewer));
      const count = await sessions.end(({ id, person }) => id === query['id'] && person === personId);
      if (count === 0) throw unknown('session', 'ended');
      await record(context, 'session ended', 'Ended one of their own sessions.');
      return { count };
    },
    createToken: async ({ body, context }: Input<GivenToken>) => {
      const identity = mustHaveSession(viewers.identityOf(context.viewer));
      mustBeKept(book.state().people.get(identity.personId));
      mustBeRecent({ book, now }, identity.session);
      const entitlement = toEntitlement(body.roles, body.scope);
      const excess = findExcess(entitlement, identity);
      if (excess !== null)
        throw new VenueFailure({
          type: 'not-allowed',
          detail: `An API token cannot do more than you can, and this one would have ${excess}. Choose less.`,
        });
      const [name, expiresAt] = [body.name.trim(), Date.parse(body.expires_at)];
      checkToken(name, expiresAt, now());
      const secret = newSecret();
      const token: TokenRecord = {
        id: newId(),
        hash: hashOf(secret),
        person: identity.personId,
        name,
        ...entitlement,
        createdAt: now(),
        expiresAt,
        lastUsedAt: null,
      };
      await book.change((state) => {
        const own = [...state.tokens.values()].filter(({ person }) => person === token.person);
        if (own.length >= MOST_TOKENS)
          throw new VenueFailure({
            type: 'not-allowed',
            detail:
              `You have ${String(MOST_TOKENS)} API tokens, which is the maximum. Revoke one that ` +
              'is no longer used.',
          });
        return [{ put: { tokens: [token] } }, undefined];
      });
      await record(
        context,
        'token changed',
        `Created the API token "${name}": ${describeGranted(token)}; expires ${body.expires_at}.`,
      );
      return { token: secret, id: token.id };
    },
    endToken: async ({ query, context }: Input<null>) => {
      const { personId } = mustHaveSession(viewers.identityOf(context.viewer));
      const name = await book.change(({ tokens }) => {
        const token = tokens.get(query['id'] ?? '');
        if (token?.person !== personId) throw unknown('API token', 'revoked');
        return [{ drop: { tokens: [token.id] } }, token.name];
      });
      await record(context, 'token changed', `Revoked the API token "${name}".`);
      return { count: 1 };
    },
    recordExport: async ({
      body: { what, filter, count },
      context,
    }: Input<{ readonly what: string; readonly filter: string; readonly count: number }>) => {
      const {
        viewer: { id: who, name, roles },
        request,
      } = context;
      if (roles.size === 0)
        throw new VenueFailure({ type: 'not-allowed', detail: 'Without a role, there is nothing to save or copy.' });
      await audit.mustRecord({
        kind: 'exported',
        who,
        name,
        address: addressOf(request),
        detail: `Saved or copied rows: ${what.slice(0, LONGEST_WHAT)}.`,
        filter: filter.slice(0, LONGEST_FILTER),
        rows: count,
      });
      return { count };
    },
  };
}

const LONGEST_WHAT = 200;

function checkToken(name: string, expiresAt: number, now: number): void {
  const errors = [
    ...(name === '' || name.length > LONGEST_NAME
      ? [{ path: '$.name', detail: `must have 1 to ${String(LONGEST_NAME)} characters` }]
      : []),
    ...(hasUnseen(name) ? [{ path: '$.name', detail: NO_UNSEEN }] : []),
    ...(expiresAt > now && expiresAt <= now + YEAR_MS
      ? []
      : [{ path: '$.expires_at', detail: 'must be within a year from now' }]),
  ];
  const [first] = errors;
  if (first !== undefined)
    throw new VenueFailure({
      type: 'bad-body',
      detail: `The body has a mistake at ${first.path}, which ${first.detail}.`,
      errors,
    });
}

function unknown(what: string, gone: string): VenueFailure {
  return new VenueFailure({
    type: 'bad-parameter',
    detail: `You have no such ${what}. It may have been ${gone} already.`,
    parameter: 'id',
  });
}
