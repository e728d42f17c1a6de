import type { IncomingMessage } from 'node:http';
import { setBounded } from '#server/core/maps.ts';
import { createSealedTexts } from '#server/core/sealed-texts.ts';
import { cookiesOf, cookiesThatBegin } from './viewers.ts';
import { newId } from './secrets.ts';

/**
 * Attempts that a later request of the same browser finishes, once and within five minutes. Each is kept in a sealed
 * cookie of its own, so that tabs do not disturb each other and nobody can displace the attempts of others by beginning
 * many. The server remembers only finished attempts.
 */
export interface Attempts<Begun> {
  /** `purpose` says what the attempt is for and whose it is. */
  readonly begin: (request: IncomingMessage, begun: Begun, purpose: string) => Opened;
  /**
   * Null if the attempt is unknown, expired, finished, or of another purpose or browser. It counts as finished unless
   * `verify` rejects.
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
/** Each finished attempt was verified, so strangers cannot add any. */
const MOST_FINISHED = 100_000;

export function createAttempts<Begun>(key: string, now: () => number): Attempts<Begun> {
  const sealed = createSealedTexts(key, 'attempt');
  const finished = new Map<string, number>();
  const open = (id: string, purpose: string, cookie: string): Begun | null => {
    const text = sealed.open(cookie, ownerOf(id, purpose));
    const found = text === null ? null : (JSON.parse(text) as Sealed<Begun>);
    return found === null || now() >= found.until ? null : found.begun;
  };
  const forgetOver = (): void => {
    for (const [id, until] of finished) {
      if (now() < until) return;
      finished.delete(id);
    }
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
      const begun = others.length > 0 || finished.has(id) ? null : open(id, purpose, cookie);
      if (begun === null) return null;
      forgetOver();
      // Set before verifying, so that of two simultaneous requests only one is verified.
      setBounded(finished, id, now() + ATTEMPT_MS, MOST_FINISHED);
      try {
        return await verify(begun);
      } catch (error) {
        finished.delete(id);
        throw error;
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
