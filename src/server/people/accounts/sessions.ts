import type { IncomingMessage } from 'node:http';
import { toPrintable } from '#server/core/printable.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { AccessRegistry, AccessState } from './access-registry.ts';
import { toEntitlement, type Entitlement } from './entitlement.ts';
import { SESSION_COOKIE } from './viewers.ts';
import { toProvided } from './provided-people.ts';
import type { ProviderSession, SignInSessionRecord, SignInWay } from './records.ts';
import { hashOf, newId, newSecret } from './secrets.ts';

interface SignedIn {
  readonly personId: string;
  readonly name: string;
  /** What a provider granted; null for people kept here, whose record decides at each request. */
  readonly granted: Entitlement | null;
  readonly provider?: ProviderSession;
  readonly way: SignInWay;
  readonly request: IncomingMessage;
  /** The longest duration if shorter than usual. */
  readonly longestMs?: number;
}

/** The sign-in sessions of browsers. */
export interface SignInSessions {
  /** Returns the cookie to set with the response. */
  readonly open: (signedIn: SignedIn) => Promise<string>;
  /** Returns the number of ended sessions. */
  readonly end: (chosen: (session: SignInSessionRecord) => boolean) => Promise<number>;
}

/** Makes a browser forget its session. */
export const NO_SESSION = `${SESSION_COOKIE}=; ${attributes(0)}`;

/** More than a person needs. The session unused for longest is ended first. */
const MOST_PER_PERSON = 50;

interface SignInSessionDeps {
  readonly book: Pick<AccessRegistry, 'state' | 'change'>;
  readonly sessionMs: number;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly now: () => number;
}

export function createSignInSessions({ book, sessionMs, addressOf, now }: SignInSessionDeps): SignInSessions {
  return {
    open: async ({ personId, name, granted, provider, way, request, longestMs = sessionMs }) => {
      const lastsMs = Math.min(sessionMs, longestMs);
      const secret = newSecret();
      const session: SignInSessionRecord = {
        id: newId(),
        hash: hashOf(secret),
        person: personId,
        name,
        granted: granted && toEntitlement(granted.roles, granted.scope),
        ...(provider !== undefined && { provider }),
        way,
        createdAt: now(),
        lastUsedAt: now(),
        endsAt: now() + lastsMs,
        address: addressOf(request),
        browser: toPrintable(request.headers['user-agent'] ?? ''),
      };
      await book.change((state) => {
        const person = state.people.get(personId);
        // An administrator may have disabled or deleted the person while the password was checked.
        if (granted === null && (person === undefined || person.disabled))
          throw new VenueFailure({ type: 'not-signed-in', detail: 'This person can no longer sign in.' });
        const people = person === undefined ? [] : [{ ...person, lastSignedInAt: now() }];
        const provided =
          session.granted === null
            ? []
            : [toProvided(state, 'oidc', { person: personId, name, granted: session.granted }, now(), true)];
        return [
          { put: { sessions: [session], people, provided }, drop: { sessions: findSurplus(state, personId) } },
          undefined,
        ];
      });
      return `${SESSION_COOKIE}=${secret}; ${attributes(lastsMs)}`;
    },
    end: (chosen) =>
      book.change(({ sessions }) => {
        const ended = [...sessions.values()].filter(chosen).map(({ id }) => id);
        return [{ drop: { sessions: ended } }, ended.length];
      }),
  };
}

function attributes(ms: number): string {
  return `Path=/; Max-Age=${String(Math.floor(ms / 1_000))}; HttpOnly; Secure; SameSite=Lax`;
}

function findSurplus({ sessions }: AccessState, personId: string): readonly string[] {
  const own = [...sessions.values()]
    .filter(({ person }) => person === personId)
    .sort((a, b) => b.lastUsedAt - a.lastUsedAt);
  return own.slice(MOST_PER_PERSON - 1).map(({ id }) => id);
}
