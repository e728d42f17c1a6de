import { networkOf } from '#server/core/network.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createFailureCounter, type FailureCounter } from './failure-counter.ts';

/**
 * Slows down who guesses, and nobody else: failures count by name and network, and by network. A browser in which this
 * person has signed in before counts on its own, so that others' failures do not lock it out. What names nobody, such as a
 * passkey, counts by network alone, apart from the rest.
 */
export interface LockOut {
  /** Rejects a network with too many failures by name. Nothing else of an attempt needs to be looked at before, so that it costs next to nothing. */
  readonly mustBeOpen: (address: string) => void;
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

/** Where an attempt counts, and what its success does away with there. */
interface Count {
  readonly counter: FailureCounter;
  readonly key: string;
  readonly forget: (key: string) => void;
}

/** What else to do about a lock-out. */
const NAMED = ', or use a browser in which you have signed in before: it is not affected by the attempts of others';
const NAMELESS = '';

function toFailure(waitMs: number, otherWay: string): VenueFailure {
  const minutes = Math.ceil(waitMs / 60_000);
  const detail = `Too many failed attempts from this network. Try again in ${minutes === 1 ? 'a minute' : `${String(minutes)} minutes`}${otherWay}.`;
  return new VenueFailure({ type: 'too-soon', detail, retryAfterSeconds: Math.ceil(waitMs / 1_000) });
}
