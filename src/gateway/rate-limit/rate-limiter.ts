import type { Permit, Purpose, RateLimiter, Schedule } from '../ports.ts';
import { budgetSpent, VenueFailure } from '../venue-failure.ts';
import { createPriorityQueue } from './priority-queue.ts';
import type { SlidingWindow } from './sliding-window.ts';

/** How long a read of each purpose may wait for a permit. */
const MAX_WAIT_MS: Readonly<Record<Purpose, number>> = {
  interactive: 15_000,
  working: 10_000,
  trailing: 5_000,
  estimates: 5_000,
  history: 5_000,
  prefetch: 0,
};

/** Spends the exchange's budget: never more than it allows, the most urgent reads first. `elapsed` is monotonic. */
export function createRateLimiter(window: SlidingWindow, schedule: Schedule, elapsed: () => number): RateLimiter {
  let pausedUntil = -Infinity;
  let isClosed = false;
  const waitFor = (purpose: Purpose, person: string): number => Math.max(window.waitFor(purpose, 1), window.waitForShare(purpose, person, 1), pausedUntil - elapsed());
  const queue = createPriorityQueue({ waitFor, schedule });

  const rejection = (purpose: Purpose, person: string, wait: number): VenueFailure => {
    const { limit, used } = window.state();
    if (window.waitFor(purpose, 1) <= 0 && window.waitForShare(purpose, person, 1) > 0 && elapsed() >= pausedUntil) return budgetSpent(wait, describeShare);
    const isReserveLeft = limit !== null && used < limit.requests && purpose !== 'interactive' && elapsed() >= pausedUntil;
    return budgetSpent(wait, isReserveLeft ? describeReserve : describeSpent);
  };

  const grant = async (purpose: Purpose, signal: AbortSignal, person: string): Promise<Permit> => {
    const entry = await window.add(purpose, person).catch((error: unknown) => {
      queue.serve();
      throw error;
    });
    // While it was stored, the caller may have gone, or the exchange may have reported too many requests.
    if (signal.aborted || isClosed || elapsed() < pausedUntil) {
      window.giveBack(entry);
      queue.serve();
      return acquire(purpose, signal, person);
    }
    return {
      settle: () => {
        window.settle(entry);
        queue.serve();
      },
    };
  };

  const acquire: RateLimiter['acquire'] = async (purpose, signal, person = '') => {
    signal.throwIfAborted();
    if (isClosed) throw closingFailure();
    if (elapsed() < pausedUntil) throw rejection(purpose, person, pausedUntil - elapsed());
    const { all, own } = queue.ahead(purpose, person);
    const wait = Math.max(window.waitFor(purpose, 1 + all), window.waitForShare(purpose, person, 1 + own));
    const maxWaitMs = MAX_WAIT_MS[purpose];
    if (Number.isFinite(wait) && wait > maxWaitMs) throw rejection(purpose, person, wait);
    if (wait <= 0) return grant(purpose, signal, person);
    const onTimeout = () => rejection(purpose, person, waitFor(purpose, person));
    return queue.wait(purpose, { person, onTurn: () => grant(purpose, signal, person), signal, maxWaitMs, onTimeout });
  };

  const pauseFor = (seconds: number): void => {
    // An earlier response may arrive later, with a shorter pause.
    pausedUntil = Math.max(pausedUntil, elapsed() + seconds * 1_000);
    queue.serve();
  };

  const close = (): void => {
    isClosed = true;
    queue.close(closingFailure());
  };

  return { acquire, pauseFor, state: () => ({ ...window.state(), waiting: queue.length() }), close };
}

function closingFailure(): VenueFailure {
  return new VenueFailure({ type: 'budget-spent', detail: 'Perpdesk is shutting down and sends no more requests to the exchange.' });
}

function describeSpent(wait: string): string {
  return `The exchange’s request budget is exhausted. The next request can be sent in ${wait}.`;
}

function describeShare(wait: string): string {
  return `Your share of the exchange’s request budget is exhausted: the rest is left for others. Your next request can be sent in ${wait}.`;
}

/** The page shows requests left beside this sentence, so it has to say what they are kept for. */
function describeReserve(wait: string): string {
  return `The rest of the exchange’s request budget is kept for what you do yourself. The next background request can be sent in ${wait}.`;
}
