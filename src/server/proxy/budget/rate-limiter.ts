import type { Permit, Purpose, RateLimiter, ReadCause, Schedule } from '#server/core/ports.ts';
import { budgetSpent, VenueFailure } from '#server/core/venue-failure.ts';
import { createPriorityQueue } from './priority-queue.ts';
import type { SlidingWindow } from './sliding-window.ts';

/**
 * How long a read of each purpose may wait for a permit.
 *
 * @internal Exported for the test of the documents that name it.
 */
export const MAX_WAIT_MS: Readonly<Record<Purpose, number>> = {
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
  const waitFor = (cause: ReadCause): number => Math.max(window.waitFor(cause), pausedUntil - elapsed());
  const queue = createPriorityQueue({ waitFor, isOverShare: window.isOverShare, schedule });

  const rejection = (cause: ReadCause, wait: number): VenueFailure => {
    const { limit, used } = window.state();
    if (elapsed() >= pausedUntil && window.isOverShare(cause)) return budgetSpent(wait, describeShare);
    const isReserveLeft =
      limit !== null && used < limit.requests && cause.purpose !== 'interactive' && elapsed() >= pausedUntil;
    return budgetSpent(wait, isReserveLeft ? describeReserve : describeSpent);
  };

  const grant = async (cause: ReadCause, signal: AbortSignal): Promise<Permit> => {
    const entry = await window.add(cause).catch((error: unknown) => {
      queue.serve();
      throw error;
    });
    // While it was stored, the caller may have gone, or the exchange may have reported too many requests.
    if (signal.aborted || isClosed || elapsed() < pausedUntil) {
      window.giveBack(entry);
      queue.serve();
      return acquire(cause, signal);
    }
    return {
      settle: () => {
        window.settle(entry);
        queue.serve();
      },
    };
  };

  const acquire: RateLimiter['acquire'] = async (cause, signal) => {
    signal.throwIfAborted();
    if (isClosed) throw closingFailure();
    window.note(cause.payers);
    if (elapsed() < pausedUntil) throw rejection(cause, pausedUntil - elapsed());
    const wait = window.waitFor(cause, queue.ahead(cause));
    const maxWaitMs = MAX_WAIT_MS[cause.purpose];
    if (Number.isFinite(wait) && wait > maxWaitMs) throw rejection(cause, wait);
    if (wait <= 0) return grant(cause, signal);
    const onTimeout = () => rejection(cause, waitFor(cause));
    return queue.wait(cause, { onTurn: () => grant(cause, signal), signal, maxWaitMs, onTimeout });
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

  return {
    acquire,
    shareOf: window.shareOf,
    pauseFor,
    state: () => ({ ...window.state(), waiting: queue.length() }),
    close,
  };
}

function closingFailure(): VenueFailure {
  return new VenueFailure({
    type: 'budget-spent',
    detail: 'Perpdesk is shutting down and sends no more requests to the exchange.',
  });
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
