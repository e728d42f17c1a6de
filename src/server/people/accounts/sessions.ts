import type { IncomingMessage } from 'node:http';
import { toPrintable } from '#server/core/printable.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { AccessBook, AccessState } from './access-book.ts';
import { toEntitlement, type Entitlement } from './entitlement.ts';
import { SESSION_COOKIE } from './identify.ts';
import { toProvided } from './provided-people.ts';
import type { ProviderSession, SessionRecord, SignInWay } from './records.ts';
import { hashOf, newId, newSecret } from './secrets.ts';

interface SignedIn {
  readonly personId: string;
  readonly name: string;
  /** As a provider granted it; null for people who are kept here, whose record decides at each moment. */
  readonly granted: Entitlement | null;
  readonly provider?: ProviderSession;
  readonly way: SignInWay;
  readonly request: IncomingMessage;
  /** If it may last less long than others. */
  readonly longestMs?: number;
}

/** Browsers in which people are signed in. */
export interface Sessions {
  /** Returns the cookie, to be set with the response. */
  readonly open: (signedIn: SignedIn) => Promise<string>;
  /** Returns how many of these there were. */
  readonly end: (chosen: (session: SessionRecord) => boolean) => Promise<number>;
}

/** Makes a browser forget its session. */
export const NO_SESSION = `${SESSION_COOKIE}=; ${attributes(0)}`;

/** Nobody needs more browsers; the one that was unused for longest is signed out. */
const MOST_PER_PERSON = 50;

interface SessionParts {
  readonly book: Pick<AccessBook, 'state' | 'change'>;
  readonly sessionMs: number;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly now: () => number;
}

export function createSessions({ book, sessionMs, addressOf, now }: SessionParts): Sessions {
  return {
    open: async ({ personId, name, granted, provider, way, request, longestMs = sessionMs }) => {
      const lastsMs = Math.min(sessionMs, longestMs);
      const secret = newSecret();
      const session: SessionRecord = {
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
        // While the password was checked, an administrator may have disabled or deleted them.
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
