import type {
  AuditEntry,
  DeskAudit,
  DeskCredentials,
  DeskMe,
  DeskPeople,
  DeskSessions,
  DeskTokens,
  Person,
} from '#contract/desk/access.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import type { AccessMode } from '#contract/desk/roles.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import type { AccessRegistry, AccessState } from './access-registry.ts';
import type { AuditStore } from '../audit/audit-store.ts';
import { mustNotBeToken } from './administrator.ts';
import { NO_ACCOUNTS } from './entitlement.ts';
import { passkeysOf } from './passkeys.ts';
import type { People } from './people.ts';
import { WAYS, type PersonRecord, type SignInSessionRecord } from './records.ts';
import type { Identity, Viewers } from './viewers.ts';
import type { Pairs } from '#server/core/order-rows.ts';

interface DescribeDeps {
  readonly mode: AccessMode;
  readonly book: Pick<AccessRegistry, 'state'>;
  readonly people: Pick<People, 'all'>;
  readonly viewers: Pick<Viewers, 'identityOf'>;
  readonly audit: Pick<AuditStore, 'page' | 'ends'>;
  readonly now: () => number;
}

/** Creates the responders to the contract's endpoints of people and access. They return JSON. */
export function createAccessResponders(deps: DescribeDeps) {
  const { book, viewers, audit } = deps;
  const ownId = (viewer: Viewer): string => viewers.identityOf(viewer)?.personId ?? '';
  return {
    me: (_: Pairs, viewer: Viewer) => Promise.resolve(JSON.stringify(describeMe(deps, viewer))),
    sessions: (_: Pairs, viewer: Viewer) => {
      const identity = viewers.identityOf(viewer);
      mustNotBeToken(identity, 'see where its person is signed in');
      return Promise.resolve(JSON.stringify(describeSessions(book.state(), ownId(viewer), identity?.session ?? null)));
    },
    tokens: (_: Pairs, viewer: Viewer) => {
      mustNotBeToken(viewers.identityOf(viewer), 'see the API tokens of its person');
      return Promise.resolve(JSON.stringify(describeTokens(book.state(), ownId(viewer))));
    },
    credentials: (pairs: Pairs) => {
      const id = pairs.find(([name]) => name === 'person')?.[1];
      if (id === undefined)
        return Promise.reject(
          new VenueFailure({ type: 'bad-parameter', detail: 'person must be given.', parameter: 'person' }),
        );
      return Promise.resolve(
        JSON.stringify({
          ...describeTokens(book.state(), id),
          passkeys: describePasskeys(book, id),
        } satisfies DeskCredentials),
      );
    },
    people: () => Promise.resolve(JSON.stringify(describePeople(deps))),
    audit: async (pairs: Pairs) => {
      const query = Object.fromEntries(pairs);
      // Entries that are written or dropped during the read lie outside these two ends, so the page has no gap between
      // them.
      const { head } = await audit.ends();
      const { entries, next } = await audit.page({
        who: query['who'] ?? null,
        kind: query['kind'] ?? null,
        before: toNumber(query['cursor']),
        limit: Number(query['limit'] ?? DEFAULT_LIMIT),
      });
      const { anchor } = await audit.ends();
      const page: DeskAudit = {
        entries: entries.map(({ body, hash }) => ({ ...(JSON.parse(body) as Omit<AuditEntry, 'hash'>), hash })),
        anchor,
        head,
        pagination: { cursor: next === null ? null : (String(next) as Cursor) },
      };
      return JSON.stringify(page);
    },
  };
}

const DEFAULT_LIMIT = 100;

/** Returns 0 for an invalid cursor, which is before all entries. */
function toNumber(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  return /^\d{1,15}$/.test(cursor) ? Number(cursor) : 0;
}

function describeMe({ mode, book, viewers }: DescribeDeps, viewer: Viewer): DeskMe {
  const identity = mode === 'local' ? LOCAL_IDENTITY : viewers.identityOf(viewer);
  return {
    mode,
    me: identity && toMe(book, viewer.id, identity),
    forgery_token: identity?.forgeryToken ?? null,
    ways: [...WAYS[mode]],
  };
}

const LOCAL_IDENTITY: Identity = {
  personId: LOCAL_VIEWER.id,
  name: LOCAL_VIEWER.name,
  roles: ['operations', 'admin'],
  scope: { ...NO_ACCOUNTS, all: true },
  way: 'local',
  session: null,
  forgeryToken: null,
};

function toMe(
  book: Pick<AccessRegistry, 'state'>,
  id: string,
  { personId, name, roles, scope, way }: Identity,
): NonNullable<DeskMe['me']> {
  return {
    id,
    name,
    roles: [...roles],
    scope,
    way,
    has_password: typeof book.state().people.get(personId)?.password === 'string',
    passkeys: describePasskeys(book, personId),
  };
}

function describePasskeys(
  book: Pick<AccessRegistry, 'state'>,
  personId: string,
): NonNullable<DeskMe['me']>['passkeys'] {
  return passkeysOf(book, personId).map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    created_at: toInstant(createdAt),
    last_used_at: toInstantOrNull(lastUsedAt),
  }));
}

function describeSessions(
  { sessions }: AccessState,
  personId: string,
  current: SignInSessionRecord | null,
): DeskSessions {
  const own = [...sessions.values()]
    .filter(({ person }) => person === personId)
    .sort((a, b) => b.lastUsedAt - a.lastUsedAt);
  return {
    sessions: own.map(({ id, way, createdAt, lastUsedAt, endsAt, address, browser }) => ({
      id,
      is_this: id === current?.id,
      way,
      created_at: toInstant(createdAt),
      last_used_at: toInstant(lastUsedAt),
      ends_at: toInstant(endsAt),
      address,
      browser,
    })),
  };
}

function describeTokens({ tokens }: AccessState, personId: string): DeskTokens {
  const own = [...tokens.values()]
    .filter(({ person }) => person === personId)
    .sort((a, b) => b.createdAt - a.createdAt);
  return {
    tokens: own.map(({ id, name, roles, scope, createdAt, expiresAt, lastUsedAt }) => ({
      id,
      name,
      roles: [...roles],
      scope,
      created_at: toInstant(createdAt),
      expires_at: toInstant(expiresAt),
      last_used_at: toInstantOrNull(lastUsedAt),
    })),
  };
}

function describePeople({ mode, book, people, now }: DescribeDeps): DeskPeople {
  const described = people.all().map((person) => toPerson(mode, book.state(), person, now()));
  return { managed: mode === 'users', people: described.sort((a, b) => a.name.localeCompare(b.name, 'en')) };
}

function toPerson(
  mode: AccessMode,
  { sessions, passkeys, tokens, invitations }: AccessState,
  { id, name, roles, scope, disabled, password, createdAt, lastSignedInAt }: PersonRecord,
  now: number,
): Person {
  const count = (records: ReadonlyMap<string, { readonly person: string }>): number =>
    [...records.values()].filter(({ person }) => person === id).length;
  const invitedUntil = invitations.get(id)?.expiresAt ?? 0;
  return {
    id,
    name,
    roles: [...roles],
    scope,
    disabled,
    has_password: password !== null,
    passkeys: count(passkeys),
    tokens: count(tokens),
    sessions: mode === 'proxy' ? null : count(sessions),
    created_at: toInstant(createdAt),
    last_signed_in_at: toInstantOrNull(lastSignedInAt),
    invited_until: invitedUntil > now ? toInstant(invitedUntil) : null,
  };
}
