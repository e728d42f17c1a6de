import { setBounded } from '#server/core/maps.ts';
import { hashOf, isSameSecret, newId } from './secrets.ts';
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cookiesOf } from './viewers.ts';
import type { Counted, SharedFailures } from './shared-failures.ts';
import { networkOf } from '#server/core/network.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';

/**
 * Slows down attackers who guess passwords, without affecting others. Failures count by name and network, by network,
 * and by name. A browser in which the person has signed in before is counted separately, so that the failures of others do
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
  readonly begin: (attempt: Attempt) => Promise<void>;
  readonly succeed: (attempt: Attempt) => Promise<void>;
}

interface Attempt {
  /** The entered name in the form used for comparison; null if the attempt has no name. */
  readonly name: string | null;
  readonly address: string;
  /** The ID of a browser known to belong to this name; null for any other browser. */
  readonly device: string | null;
}

export const WINDOW_MS = 15 * 60_000;
const MOST_BY_NAME = 5;
const MOST_BY_NETWORK = 50;
/**
 * For one name from all networks together, which a botnet has many of. High enough that nobody reaches it by mistake: who
 * does can keep the person from signing in anew, though not in a known browser or with a passkey.
 */
const MOST_EVERYWHERE = 100;

/** `shared` counts the failures at other desks as well; null where there can be none. */
export function createLockOut(now: () => number, shared: SharedFailures | null = null): LockOut {
  const open = (kind: string, most: number, clears = false): Counter => ({
    ...createFailureCounter({ most, windowMs: WINDOW_MS }, now),
    kind,
    most,
    clears,
  });
  const byName = open('name', MOST_BY_NAME, true);
  const everywhere = open('everywhere', MOST_EVERYWHERE);
  const byNetwork = open('network', MOST_BY_NETWORK);
  const namelessByNetwork = open('nameless', MOST_BY_NETWORK);
  const countsOf = ({ name, address, device }: Attempt): readonly Count[] => {
    const network = networkOf(address);
    if (name === null) return [{ counter: namelessByNetwork, key: network }];
    const ofName = (key: readonly string[]): Count => ({ counter: byName, key: JSON.stringify(key) });
    if (device !== null) return [ofName([name, 'device', device])];
    return [ofName([name, network]), { counter: byNetwork, key: network }, { counter: everywhere, key: name }];
  };
  const mustAllow = (counts: readonly Count[], waits: readonly number[], { name }: Attempt): void => {
    const waitMs = Math.max(...waits);
    const isOfName = counts.some(({ counter }, index) => counter === everywhere && waits[index] === waitMs);
    if (waitMs > 0) throw toFailure(waitMs, name === null ? NAMELESS : NAMED, isOfName);
  };
  return {
    mustBeOpen: (address) => {
      const waitMs = byNetwork.waitOf(networkOf(address));
      if (waitMs > 0) throw toFailure(waitMs, NAMED);
    },
    begin: async (attempt) => {
      const counts = countsOf(attempt);
      mustAllow(
        counts,
        counts.map(({ counter, key }) => counter.waitOf(key)),
        attempt,
      );
      for (const { counter, key } of counts) counter.add(key);
      const waits = shared && (await shared.add(counts.map(toCounted)));
      if (waits === null || waits.every((wait) => wait === 0)) return;
      // Other desks have counted more: from here on, this one knows it by itself.
      for (const [index, { counter, key }] of counts.entries()) {
        const waitMs = waits[index] ?? 0;
        if (waitMs > 0) counter.learn(key, waitMs);
        else counter.takeBack(key);
      }
      mustAllow(counts, waits, attempt);
    },
    succeed: async (attempt) => {
      const counts = countsOf(attempt);
      for (const { counter, key } of counts) {
        if (counter.clears) counter.clear(key);
        else counter.takeBack(key);
      }
      await shared?.forget(counts.map((count) => ({ ...toCounted(count), all: count.counter.clears })));
    },
  };
}

interface Counter extends FailureCounter {
  readonly kind: string;
  readonly most: number;
  /** Whether a success forgets all failures, not only its own attempt. */
  readonly clears: boolean;
}

/** Where an attempt counts. */
interface Count {
  readonly counter: Counter;
  readonly key: string;
}

function toCounted({ counter: { kind, most }, key }: Count): Counted {
  return { kind, key, most };
}

/** The advice that ends the sentence about a lock-out. */
const NAMED = ', or use a browser in which you have signed in before: it is not affected by the attempts of others';
const NAMELESS = '';

function toFailure(waitMs: number, otherWay: string, isOfName = false): VenueFailure {
  const minutes = Math.ceil(waitMs / 60_000);
  const detail =
    `Too many failed attempts ${isOfName ? 'for this name' : 'from this network'}. Try again in ` +
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
  /** Allows no attempt for this long, since more failures were counted elsewhere. */
  readonly learn: (key: string, waitMs: number) => void;
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
    learn: (key, waitMs) => {
      const at = now() + waitMs - windowMs;
      setBounded(failures, hashOf(key), Array<number>(most).fill(at), MOST_KEYS);
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

export function createKnownDevices(key: string, earlierKeys: () => readonly string[] = () => []): KnownDevices {
  const sign = (personId: string, device: string, by = key): string =>
    createHmac('sha256', by).update(`known device\n${personId}\n${device}`).digest('base64url');
  return {
    isClaimed: (request) => cookiesOf(request, COOKIE).length > 0,
    find: (request, personId) => {
      const [device = '', signature = ''] = (cookiesOf(request, COOKIE)[0] ?? '').split('.');
      const isSigned = [key, ...earlierKeys()].some((by) => isSameSecret(signature, sign(personId, device, by)));
      return device !== '' && isSigned ? device : null;
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
