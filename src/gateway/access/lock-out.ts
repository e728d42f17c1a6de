import { networkOf } from '../subnets.ts';
import { VenueFailure } from '../venue-failure.ts';

/**
 * Slows down who guesses, and nobody else: failures count by name and network, and by network. A browser in which this
 * person has signed in before counts on its own, so that others' failures do not lock it out.
 */
export interface LockOut {
  /** Rejects while there were too many failures. Counts as one until `succeed`, so that many at once do not pass. */
  readonly begin: (attempt: Attempt) => void;
  readonly succeed: (attempt: Attempt) => void;
}

interface Attempt {
  /** As it was given, in the form in which names are compared. */
  readonly name: string;
  readonly address: string;
  /** Of a browser that is known to belong to this name; null for any other. */
  readonly device: string | null;
}

const WINDOW_MS = 15 * 60_000;
const MOST_BY_NAME = 5;
const MOST_BY_NETWORK = 50;
/** Beyond it, the oldest are forgotten. */
const MOST_KEYS = 20_000;

export function createLockOut(now: () => number): LockOut {
  const byName = createCounter(MOST_BY_NAME, now);
  const byNetwork = createCounter(MOST_BY_NETWORK, now);
  return {
    begin: (attempt) => {
      const network = networkOf(attempt.address);
      const waitMs = Math.max(byName.waitOf(keyOf(attempt)), attempt.device === null ? byNetwork.waitOf(network) : 0);
      if (waitMs > 0) throw toFailure(waitMs);
      byName.add(keyOf(attempt));
      if (attempt.device === null) byNetwork.add(network);
    },
    succeed: (attempt) => {
      byName.clear(keyOf(attempt));
      if (attempt.device === null) byNetwork.takeBack(networkOf(attempt.address));
    },
  };
}

function toFailure(waitMs: number): VenueFailure {
  const minutes = Math.ceil(waitMs / 60_000);
  const detail = `Too many failed attempts from this network. Try again in ${minutes === 1 ? 'a minute' : `${String(minutes)} minutes`}, or use a browser in which you have signed in before: it is not affected by the attempts of others.`;
  return new VenueFailure({ type: 'too-soon', detail, retryAfterSeconds: Math.ceil(waitMs / 1_000) });
}

function keyOf({ name, address, device }: Attempt): string {
  return JSON.stringify(device === null ? [name, networkOf(address)] : [name, 'device', device]);
}

/** Counts failures within the window, by key. */
function createCounter(most: number, now: () => number) {
  const failures = new Map<string, readonly number[]>();
  const recent = (key: string): readonly number[] => (failures.get(key) ?? []).filter((at) => now() - at < WINDOW_MS);
  const put = (key: string, times: readonly number[]): void => {
    failures.delete(key);
    if (times.length > 0) failures.set(key, times);
    const [oldest] = failures.keys();
    if (failures.size > MOST_KEYS && oldest !== undefined) failures.delete(oldest);
  };
  return {
    waitOf: (key: string): number => {
      const times = recent(key);
      const [first = 0] = times;
      return times.length < most ? 0 : first + WINDOW_MS - now();
    },
    add: (key: string): void => {
      put(key, [...recent(key), now()]);
    },
    takeBack: (key: string): void => {
      put(key, recent(key).slice(0, -1));
    },
    clear: (key: string): void => {
      put(key, []);
    },
  };
}
