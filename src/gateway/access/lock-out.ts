import { networkOf } from '../subnets.ts';
import { VenueFailure } from '../venue-failure.ts';

/**
 * Slows down who guesses, and nobody else: failures count by name and network, and by network. A browser in which this
 * person has signed in before counts on its own, so that others' failures do not lock it out. What names nobody, such as a
 * passkey, counts by network alone, apart from the rest.
 */
export interface LockOut {
  /** Rejects while there were too many failures. Counts as one until `succeed`, so that many at once do not pass. */
  readonly begin: (attempt: Attempt) => void;
  readonly succeed: (attempt: Attempt) => void;
}

interface Attempt {
  /** As it was given, in the form in which names are compared; null: it names nobody. */
  readonly name: string | null;
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
  const namelessByNetwork = createCounter(MOST_BY_NETWORK, now);
  const countsOf = ({ name, address, device }: Attempt): readonly Count[] => {
    const network = networkOf(address);
    if (name === null) return [{ counter: namelessByNetwork, key: network, forget: namelessByNetwork.takeBack }];
    const ofName = (key: readonly string[]): Count => ({ counter: byName, key: JSON.stringify(key), forget: byName.clear });
    if (device !== null) return [ofName([name, 'device', device])];
    return [ofName([name, network]), { counter: byNetwork, key: network, forget: byNetwork.takeBack }];
  };
  return {
    begin: (attempt) => {
      const counts = countsOf(attempt);
      const waitMs = Math.max(...counts.map(({ counter, key }) => counter.waitOf(key)));
      if (waitMs > 0) throw toFailure(waitMs, attempt);
      for (const { counter, key } of counts) counter.add(key);
    },
    succeed: (attempt) => {
      for (const { key, forget } of countsOf(attempt)) forget(key);
    },
  };
}

/** Where an attempt counts, and what its success does away with there. */
interface Count {
  readonly counter: ReturnType<typeof createCounter>;
  readonly key: string;
  readonly forget: (key: string) => void;
}

function toFailure(waitMs: number, { name }: Attempt): VenueFailure {
  const minutes = Math.ceil(waitMs / 60_000);
  const otherWay = name === null ? '' : ', or use a browser in which you have signed in before: it is not affected by the attempts of others';
  const detail = `Too many failed attempts from this network. Try again in ${minutes === 1 ? 'a minute' : `${String(minutes)} minutes`}${otherWay}.`;
  return new VenueFailure({ type: 'too-soon', detail, retryAfterSeconds: Math.ceil(waitMs / 1_000) });
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
