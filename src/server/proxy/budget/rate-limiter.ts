import {
  type Payers,
  type Permit,
  type Purpose,
  PURPOSES,
  type RateLimiter,
  type ReadCause,
  type Schedule,
} from '#server/core/ports.ts';
import { budgetSpent, VenueFailure, VoidPermit } from '#server/core/venue-failure.ts';
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

/** How soon a read that waits learns what other desks have given back. */
const LOOK_MS = 1_000;

/** Spends the exchange’s budget, the most urgent reads first, and never more than it allows. `elapsed` is monotonic. */
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

  const grant = async (cause: ReadCause, signal: AbortSignal, until: number): Promise<Permit> => {
    const entry = await window.add(cause).catch((error: unknown) => {
      queue.serve();
      throw error;
    });
    // While the permit was being stored, the caller may have left, or the exchange may have reported too many requests.
    if (entry === null || signal.aborted || isClosed || elapsed() < pausedUntil) {
      if (entry !== null) window.giveBack(entry);
      queue.serve();
      return acquireBy(until, cause, signal);
    }
    let isVoid = false;
    let hasBegun = false;
    return {
      begin: () => {
        // A connection that breaks may make undici send a request again, which the exchange may then count twice.
        isVoid = !hasBegun && window.isVoid(entry);
        if (isVoid || hasBegun) throw new VoidPermit();
        hasBegun = true;
      },
      settle: () => {
        if (isVoid) window.giveBack(entry);
        else window.settle(entry);
        queue.serve();
      },
    };
  };

  const acquireBy = async (until: number, cause: ReadCause, signal: AbortSignal): Promise<Permit> => {
    signal.throwIfAborted();
    if (isClosed) throw closingFailure();
    window.note(cause.payers);
    if (elapsed() < pausedUntil) throw rejection(cause, pausedUntil - elapsed());
    const wait = window.waitFor(cause, queue.ahead(cause));
    const maxWaitMs = Math.max(0, until - elapsed());
    if (Number.isFinite(wait) && wait > maxWaitMs) throw rejection(cause, wait);
    if (wait <= 0) return grant(cause, signal, until);
    const onTimeout = () => rejection(cause, waitFor(cause));
    return queue.wait(cause, { onTurn: () => grant(cause, signal, until), signal, maxWaitMs, onTimeout });
  };

  const pauseFor = (seconds: number): void => {
    // An earlier response may arrive later, with a shorter pause.
    pausedUntil = Math.max(pausedUntil, elapsed() + seconds * 1_000);
    queue.serve();
  };

  const { refresh } = window;
  let cancelLook = (): void => undefined;
  const lookAgain = (): void => {
    if (refresh === null || isClosed) return;
    cancelLook = schedule(LOOK_MS, () => {
      void refresh(queue.length() > 0)
        .then(queue.serve)
        .finally(lookAgain);
    });
  };
  lookAgain();

  const close = (): void => {
    isClosed = true;
    cancelLook();
    queue.close(closingFailure());
  };

  return {
    acquire: (cause, signal) => acquireBy(elapsed() + MAX_WAIT_MS[cause.purpose], cause, signal),
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
  return (
    'Your share of the exchange’s request budget is exhausted: the rest is left for others. Your ' +
    `next request can be sent in ${wait}.`
  );
}

/** Says what the reserve is for, because the page shows this sentence beside a number of requests left. */
function describeReserve(wait: string): string {
  return (
    'The rest of the exchange’s request budget is kept for what you do yourself. The next ' +
    `background request can be sent in ${wait}.`
  );
}

interface Waiting extends ReadCause {
  /** Equal for the same payers. */
  readonly payer: string;
  /** People take turns: everyone’s first read, then everyone’s second. */
  readonly turn: number;
  readonly grant: () => void;
  readonly reject: (reason: Error) => void;
}

interface PriorityQueueDeps {
  /** Returns the milliseconds until a request can be sent. */
  readonly waitFor: (cause: ReadCause) => number;
  /** Whether a read waits for nothing but its own share, so that others go first. */
  readonly isOverShare: (cause: ReadCause) => boolean;
  readonly schedule: Schedule;
}

interface WaitOptions<Granted> {
  readonly onTurn: () => Promise<Granted>;
  readonly signal: AbortSignal;
  readonly maxWaitMs: number;
  readonly onTimeout: () => Error;
}

/**
 * The reads that wait for a permit: the most urgent first; of equally urgent ones, people take turns, in order of
 * arrival.
 */
interface PriorityQueue {
  /**
   * Resolves with the result of `onTurn`, which is called synchronously on its turn, so that the next in the queue sees
   * what it uses. Rejects when the signal is aborted, or with `onTimeout()` after `maxWaitMs`.
   */
  readonly wait: <Granted>(cause: ReadCause, options: WaitOptions<Granted>) => Promise<Granted>;
  /** How many would be served before one that arrived now, and how many of them have the same payers. */
  readonly ahead: (cause: ReadCause) => { readonly all: number; readonly own: number };
  readonly length: () => number;
  /** Serves as many as possible. Called when permits may have become free. */
  readonly serve: () => void;
  /** Rejects all that wait. */
  readonly close: (reason: Error) => void;
}

function createPriorityQueue({ waitFor, isOverShare, schedule }: PriorityQueueDeps): PriorityQueue {
  let queue: Waiting[] = [];
  let cancelTimer = (): void => undefined;

  const remove = (waiting: Waiting): void => {
    queue = queue.filter((entry) => entry !== waiting);
  };
  /** Grants all permits that are free, then schedules itself for the next one. */
  const serve = (): void => {
    cancelTimer();
    for (let next = firstServable(queue, waitFor); next !== undefined; next = firstServable(queue, waitFor)) {
      remove(next);
      next.grant();
    }
    const soonest = Math.min(...queue.map(createWaits(waitFor)));
    if (Number.isFinite(soonest)) cancelTimer = schedule(Math.max(1, soonest), serve);
  };

  const wait: PriorityQueue['wait'] = (cause, { onTurn, signal, maxWaitMs, onTimeout }) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        cancelTimeout();
        signal.removeEventListener('abort', onAbort);
        remove(waiting);
      };
      const waiting: Waiting = {
        ...cause,
        payer: nameOf(cause.payers),
        turn: turnOf(queue, cause.purpose, nameOf(cause.payers)),
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
      queue = [...queue, waiting].sort(inOrder);
      serve();
    });

  return {
    wait,
    serve,
    ahead: (cause) =>
      countAhead(
        queue.filter((waiting) => waiting.payer === nameOf(cause.payers) || !isOverShare(waiting)),
        cause.purpose,
        nameOf(cause.payers),
      ),
    length: () => queue.length,
    close: (reason) => {
      cancelTimer();
      for (const waiting of queue) waiting.reject(reason);
    },
  };
}

/** Computes the wait once per payers and purpose, which alone decide it. */
function createWaits(waitFor: PriorityQueueDeps['waitFor']): (waiting: Waiting) => number {
  const known = new Map<string, number>();
  return (waiting) => {
    const key = `${waiting.purpose} ${waiting.payer}`;
    const wait = known.get(key) ?? waitFor(waiting);
    known.set(key, wait);
    return wait;
  };
}

function firstServable(queue: readonly Waiting[], waitFor: PriorityQueueDeps['waitFor']): Waiting | undefined {
  const waitOf = createWaits(waitFor);
  return queue.find((waiting) => waitOf(waiting) <= 0);
}

function countAhead(queue: readonly Waiting[], purpose: Purpose, payer: string): ReturnType<PriorityQueue['ahead']> {
  const arriving = { purpose, turn: turnOf(queue, purpose, payer) };
  const before = queue.filter((waiting) => inOrder(waiting, arriving) <= 0);
  return { all: before.length, own: before.filter((waiting) => waiting.payer === payer).length };
}

/** Returns the turn of an arriving read: behind the same payers’ own reads, and level with the first of the others. */
function turnOf(queue: readonly Waiting[], purpose: Purpose, payer: string): number {
  const equal = queue.filter((waiting) => waiting.purpose === purpose);
  if (equal.length === 0) return 0;
  const own = equal.filter((waiting) => waiting.payer === payer);
  return own.length > 0 ? 1 + Math.max(...own.map(({ turn }) => turn)) : Math.min(...equal.map(({ turn }) => turn));
}

function nameOf(payers: Payers): string {
  return payers.toSorted().join('\n');
}

type Place = Pick<Waiting, 'purpose' | 'turn'>;

function inOrder(a: Place, b: Place): number {
  return rankOf(a.purpose) - rankOf(b.purpose) || a.turn - b.turn;
}

function rankOf(purpose: Purpose): number {
  return PURPOSES.indexOf(purpose);
}
