import { PURPOSES, type Purpose, type Schedule } from '../ports.ts';

interface Waiting {
  readonly purpose: Purpose;
  readonly grant: () => void;
  readonly reject: (reason: Error) => void;
}

export interface PriorityQueueParts {
  /** Milliseconds until a request for this purpose can be sent. */
  readonly waitFor: (purpose: Purpose) => number;
  readonly schedule: Schedule;
}

interface WaitOptions<Granted> {
  readonly onTurn: () => Promise<Granted>;
  readonly signal: AbortSignal;
  readonly maxWaitMs: number;
  readonly onTimeout: () => Error;
}

/** Reads that wait for a permit: the most urgent first, equally urgent ones in the order of arrival. */
export interface PriorityQueue {
  /**
   * Resolves with the result of `onTurn`, which is called synchronously on its turn, so that the next in the queue sees
   * what it uses. Rejects when the signal is aborted, or with `onTimeout()` after `maxWaitMs`.
   */
  readonly wait: <Granted>(purpose: Purpose, options: WaitOptions<Granted>) => Promise<Granted>;
  /** How many would be served before one that arrived now. */
  readonly ahead: (purpose: Purpose) => number;
  readonly length: () => number;
  /** Serves as many as it can: permits may have become free. */
  readonly serve: () => void;
  /** Rejects all that wait. */
  readonly close: (reason: Error) => void;
}

export function createPriorityQueue({ waitFor, schedule }: PriorityQueueParts): PriorityQueue {
  let queue: Waiting[] = [];
  let cancelTimer = (): void => undefined;

  const remove = (waiting: Waiting): void => {
    queue = queue.filter((entry) => entry !== waiting);
  };

  /** Grants all permits that are free, then schedules itself for the next one. */
  const serve = (): void => {
    cancelTimer();
    for (let next = firstServable(); next !== undefined; next = firstServable()) {
      remove(next);
      next.grant();
    }
    const soonest = Math.min(...queue.map(({ purpose }) => waitFor(purpose)));
    if (Number.isFinite(soonest)) cancelTimer = schedule(Math.max(1, soonest), serve);
  };
  const firstServable = (): Waiting | undefined => queue.find(({ purpose }) => waitFor(purpose) <= 0);

  const wait: PriorityQueue['wait'] = (purpose, { onTurn, signal, maxWaitMs, onTimeout }) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        cancelTimeout();
        signal.removeEventListener('abort', onAbort);
        remove(waiting);
      };
      const waiting: Waiting = {
        purpose,
        grant: () => {
          end();
          resolve(onTurn());
        },
        reject: (reason) => {
          end();
          reject(reason);
        },
      };
      const onAbort = (): void => {
        waiting.reject(new DOMException('The caller has gone.', 'AbortError'));
      };
      const cancelTimeout = schedule(maxWaitMs, () => {
        waiting.reject(onTimeout());
      });
      signal.addEventListener('abort', onAbort, { once: true });
      queue = [...queue, waiting].sort((a, b) => rankOf(a.purpose) - rankOf(b.purpose));
      serve();
    });

  return {
    wait,
    serve,
    ahead: (purpose) => queue.filter((waiting) => rankOf(waiting.purpose) <= rankOf(purpose)).length,
    length: () => queue.length,
    close: (reason) => {
      cancelTimer();
      for (const waiting of queue) waiting.reject(reason);
    },
  };
}

function rankOf(purpose: Purpose): number {
  return PURPOSES.indexOf(purpose);
}
