import type { IncomingMessage } from 'node:http';
import { createSealedTexts } from '#server/core/sealed-texts.ts';
import type { Store } from '#server/store/store.ts';
import { cookiesOf, cookiesThatBegin } from './viewers.ts';
import { newId } from './secrets.ts';
import { noteUse, wasUsed } from './used-once.ts';

/**
 * Attempts that a later request of the same browser finishes, once and within five minutes. Each is kept in a sealed
 * cookie of its own, so that tabs do not disturb each other and nobody can displace the attempts of others by beginning
 * many. Any desk can finish it; the store has only finished attempts.
 */
export interface Attempts<Begun> {
  /** `purpose` says what the attempt is for and whose it is. */
  readonly begin: (request: IncomingMessage, begun: Begun, purpose: string) => Opened;
  /**
   * Null if the attempt is unknown, expired, finished, or of another purpose or browser. It is finished once `verify`
   * resolves.
   */
  readonly finish: <Result>(
    request: IncomingMessage,
    id: string,
    purpose: string,
    verify: (begun: Begun) => Promise<Result>,
  ) => Promise<Result | null>;
}

interface Opened {
  readonly id: string;
  /** The cookies to set: the one of this attempt, and those that remove older ones to make space. */
  readonly cookies: readonly string[];
}

interface Sealed<Begun> {
  readonly begun: Begun;
  readonly until: number;
}

export const ATTEMPT_MS = 5 * 60_000;
const COOKIE = '__Host-perpdesk-begun-';
/** For all attempts of a browser, since requests with longer headers are rejected. */
const MOST_COOKIE_CHARACTERS = 6_000;
export function createAttempts<Begun>(
  key: string,
  now: () => number,
  store: Pick<Store, 'read' | 'mustWrite'>,
  earlierKeys?: () => readonly string[],
): Attempts<Begun> {
  const sealed = createSealedTexts(key, 'attempt', earlierKeys);
  const beingFinished = new Set<string>();
  const open = (id: string, purpose: string, cookie: string): Begun | null => {
    const text = sealed.open(cookie, ownerOf(id, purpose));
    const found = text === null ? null : (JSON.parse(text) as Sealed<Begun>);
    return found === null || now() >= found.until ? null : found.begun;
  };
  return {
    begin: (request, begun, purpose) => {
      const id = newId();
      const value = sealed.seal(
        JSON.stringify({ begun, until: now() + ATTEMPT_MS } satisfies Sealed<Begun>),
        ownerOf(id, purpose),
      );
      return {
        id,
        cookies: [toCookie(id, value, ATTEMPT_MS), ...findSurplus(request, value.length).map(forgetAttempt)],
      };
    },
    finish: async (request, id, purpose, verify) => {
      const [cookie = '', ...others] = cookiesOf(request, COOKIE + id);
      const begun = others.length > 0 || beingFinished.has(id) ? null : open(id, purpose, cookie);
      if (begun === null) return null;
      // Of two simultaneous requests only one is verified, since a provider may take a second one for theft.
      beingFinished.add(id);
      try {
        if (await wasUsed(store, id)) return null;
        const result = await verify(begun);
        // Strangers can store nothing, since they are not verified.
        return (await noteUse(store, id)) ? result : null;
      } finally {
        beingFinished.delete(id);
      }
    },
  };
}

function ownerOf(id: string, purpose: string): string {
  return JSON.stringify([id, purpose]);
}

/** Returns the cookie that makes a browser forget an attempt. */
export function forgetAttempt(id: string): string {
  return toCookie(id, '', 0);
}

/** Lax, because a provider sends the browser back from another site. */
function toCookie(id: string, value: string, ms: number): string {
  return `${COOKIE}${id}=${value}; Path=/; Max-Age=${String(ms / 1_000)}; HttpOnly; Secure; SameSite=Lax`;
}

/** Returns the IDs of the attempts that must go to make space for a new one. Browsers send the oldest first. */
function findSurplus(request: IncomingMessage, added: number): readonly string[] {
  let left = MOST_COOKIE_CHARACTERS - added;
  return cookiesThatBegin(request, COOKIE)
    .toReversed()
    .flatMap(([name, value]) => {
      left -= name.length + value.length;
      return left < 0 ? [name.slice(COOKIE.length)] : [];
    });
}
