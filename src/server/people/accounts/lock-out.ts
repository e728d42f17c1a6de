import { setBounded } from '#server/core/maps.ts';
import { hashOf, isSameSecret, newId } from './secrets.ts';
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cookiesOf } from './viewers.ts';
import { networkOf } from '#server/core/network.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';

/**
 * Slows down attackers who guess passwords, without affecting others. Failures count by name and network, and by
 * network. A browser in which the person has signed in before is counted separately, so that the failures of others do
 * not lock it out. Attempts without a name, such as with an unknown passkey, count by network alone, separately from
 * the rest.
 */
export interface LockOut {
  /**
   * Rejects a network with too many failures by name. Needs nothing else of the attempt, so it costs next to nothing.
   */
  readonly mustBeOpen: (address: string) => void;
  /**
   * Rejects after too many failures. Counts as a failure until `succeed`, so that many simultaneous attempts do not
   * pass.
   */
  readonly begin: (attempt: Attempt) => void;
  readonly succeed: (attempt: Attempt) => void;
}

interface Attempt {
  /** The entered name in the form used for comparison; null if the attempt has no name. */
  readonly name: string | null;
  readonly address: string;
  /** The ID of a browser known to belong to this name; null for any other browser. */
  readonly device: string | null;
}

const WINDOW_MS = 15 * 60_000;
const MOST_BY_NAME = 5;
const MOST_BY_NETWORK = 50;

export function createLockOut(now: () => number): LockOut {
  const byName = createFailureCounter({ most: MOST_BY_NAME, windowMs: WINDOW_MS }, now);
  const byNetwork = createFailureCounter({ most: MOST_BY_NETWORK, windowMs: WINDOW_MS }, now);
  const namelessByNetwork = createFailureCounter({ most: MOST_BY_NETWORK, windowMs: WINDOW_MS }, now);
  const countsOf = ({ name, address, device }: Attempt): readonly Count[] => {
    const network = networkOf(address);
    if (name === null) return [{ counter: namelessByNetwork, key: network, forget: namelessByNetwork.takeBack }];
    const ofName = (key: readonly string[]): Count => ({
      counter: byName,
      key: JSON.stringify(key),
      forget: byName.clear,
    });
    if (device !== null) return [ofName([name, 'device', device])];
    return [ofName([name, network]), { counter: byNetwork, key: network, forget: byNetwork.takeBack }];
  };
  return {
    mustBeOpen: (address) => {
      const waitMs = byNetwork.waitOf(networkOf(address));
      if (waitMs > 0) throw toFailure(waitMs, NAMED);
    },
    begin: (attempt) => {
      const counts = countsOf(attempt);
      const waitMs = Math.max(...counts.map(({ counter, key }) => counter.waitOf(key)));
      if (waitMs > 0) throw toFailure(waitMs, attempt.name === null ? NAMELESS : NAMED);
      for (const { counter, key } of counts) counter.add(key);
    },
    succeed: (attempt) => {
      for (const { key, forget } of countsOf(attempt)) forget(key);
    },
  };
}

/** Where an attempt counts, and how a success clears it there. */
interface Count {
  readonly counter: FailureCounter;
  readonly key: string;
  readonly forget: (key: string) => void;
}

/** The advice that ends the sentence about a lock-out. */
const NAMED = ', or use a browser in which you have signed in before: it is not affected by the attempts of others';
const NAMELESS = '';

function toFailure(waitMs: number, otherWay: string): VenueFailure {
  const minutes = Math.ceil(waitMs / 60_000);
  const detail =
    'Too many failed attempts from this network. Try again in ' +
    `${minutes === 1 ? 'a minute' : `${String(minutes)} minutes`}${otherWay}.`;
  return new VenueFailure({ type: 'too-soon', detail, retryAfterSeconds: Math.ceil(waitMs / 1_000) });
}

/** Counts failures by key within a window. Keeps only the hash of a key, however long, and nothing after the window. */
interface FailureCounter {
  /** 0, or the milliseconds until another attempt is allowed. */
  readonly waitOf: (key: string) => number;
  readonly add: (key: string) => void;
  /** Forgets the last failure of a key. */
  readonly takeBack: (key: string) => void;
  /** Forgets all failures of a key. */
  readonly clear: (key: string) => void;
  /** The number of keys with failures. */
  readonly size: () => number;
}

interface FailureLimits {
  readonly most: number;
  readonly windowMs: number;
}

/** Beyond this number, the oldest are forgotten. */
const MOST_KEYS = 20_000;

/** @internal Exported for its test. */
export function createFailureCounter({ most, windowMs }: FailureLimits, now: () => number): FailureCounter {
  /** By hash; the key whose last failure is the oldest comes first. */
  const failures = new Map<string, readonly number[]>();
  const recentOf = (hash: string): readonly number[] =>
    (failures.get(hash) ?? []).filter((at) => now() - at < windowMs);
  const dropOver = (): void => {
    for (const hash of failures.keys()) {
      if (recentOf(hash).length > 0) return;
      failures.delete(hash);
    }
  };
  return {
    waitOf: (key) => {
      const times = recentOf(hashOf(key));
      const [first = 0] = times;
      return times.length < most ? 0 : first + windowMs - now();
    },
    add: (key) => {
      dropOver();
      const hash = hashOf(key);
      setBounded(failures, hash, [...recentOf(hash), now()], MOST_KEYS);
    },
    takeBack: (key) => {
      const hash = hashOf(key);
      const times = recentOf(hash).slice(0, -1);
      if (times.length === 0) failures.delete(hash);
      else failures.set(hash, times);
    },
    clear: (key) => void failures.delete(hashOf(key)),
    size: () => failures.size,
  };
}

/** Browsers in which a person has signed in before, as a cookie signed by this server proves. */
export interface KnownDevices {
  /** Whether the browser claims a previous sign-in. The claim is not verified. */
  readonly isClaimed: (request: IncomingMessage) => boolean;
  /** The ID of the browser if it belongs to this person; otherwise null. */
  readonly find: (request: IncomingMessage, personId: string) => string | null;
  /** The cookie for a browser in which this person has just signed in. */
  readonly toCookie: (personId: string) => string;
}

const COOKIE = '__Host-perpdesk-device';
const YEAR_S = 365 * 86_400;

export function createKnownDevices(key: string): KnownDevices {
  const sign = (personId: string, device: string): string =>
    createHmac('sha256', key).update(`known device\n${personId}\n${device}`).digest('base64url');
  return {
    isClaimed: (request) => cookiesOf(request, COOKIE).length > 0,
    find: (request, personId) => {
      const [device = '', signature = ''] = (cookiesOf(request, COOKIE)[0] ?? '').split('.');
      return device !== '' && isSameSecret(signature, sign(personId, device)) ? device : null;
    },
    toCookie: (personId) => {
      const device = newId();
      return (
        `${COOKIE}=${device}.${sign(personId, device)}; Path=/; Max-Age=${String(YEAR_S)}; ` +
        'HttpOnly; Secure; SameSite=Lax'
      );
    },
  };
}
