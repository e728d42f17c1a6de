import { PURPOSES, type Purpose, type Schedule } from '../ports.ts';

interface Waiting {
  readonly purpose: Purpose;
  readonly person: string;
  /** People take turns: the first of each, then the second of each. */
  readonly turn: number;
  readonly grant: () => void;
  readonly reject: (reason: Error) => void;
}

export interface PriorityQueueParts {
  /** Milliseconds until a request of a person for this purpose can be sent. */
  readonly waitFor: (purpose: Purpose, person: string) => number;
  readonly schedule: Schedule;
}

interface WaitOptions<Granted> {
  readonly person: string;
  readonly onTurn: () => Promise<Granted>;
  readonly signal: AbortSignal;
  readonly maxWaitMs: number;
  readonly onTimeout: () => Error;
}

/** Reads that wait for a permit: the most urgent first, of equally urgent ones one of each person in turn, in the order of arrival. */
export interface PriorityQueue {
  /**
   * Resolves with the result of `onTurn`, which is called synchronously on its turn, so that the next in the queue sees
   * what it uses. Rejects when the signal is aborted, or with `onTimeout()` after `maxWaitMs`.
   */
  readonly wait: <Granted>(purpose: Purpose, options: WaitOptions<Granted>) => Promise<Granted>;
  /** How many would be served before one of this person that arrived now, and how many of them are their own. */
  readonly ahead: (purpose: Purpose, person: string) => { readonly all: number; readonly own: number };
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
    for (let next = firstServable(queue, waitFor); next !== undefined; next = firstServable(queue, waitFor)) {
      remove(next);
      next.grant();
    }
    const soonest = Math.min(...queue.map(createWaits(waitFor)));
    if (Number.isFinite(soonest)) cancelTimer = schedule(Math.max(1, soonest), serve);
  };

  const wait: PriorityQueue['wait'] = (purpose, { person, onTurn, signal, maxWaitMs, onTimeout }) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        cancelTimeout();
        signal.removeEventListener('abort', onAbort);
        remove(waiting);
      };
      const waiting: Waiting = {
        purpose,
        person,
        turn: turnOf(queue, purpose, person),
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
    ahead: (purpose, person) => countAhead(queue, purpose, person),
    length: () => queue.length,
    close: (reason) => {
      cancelTimer();
      for (const waiting of queue) waiting.reject(reason);
    },
  };
}

/** Computed once for all that wait for one person and purpose: nothing else decides it. */
function createWaits(waitFor: PriorityQueueParts['waitFor']): (waiting: Waiting) => number {
  const known = new Map<string, number>();
  return ({ purpose, person }) => {
    const key = `${purpose} ${person}`;
    const wait = known.get(key) ?? waitFor(purpose, person);
    known.set(key, wait);
    return wait;
  };
}

function firstServable(queue: readonly Waiting[], waitFor: PriorityQueueParts['waitFor']): Waiting | undefined {
  const waitOf = createWaits(waitFor);
  return queue.find((waiting) => waitOf(waiting) <= 0);
}

function countAhead(queue: readonly Waiting[], purpose: Purpose, person: string): ReturnType<PriorityQueue['ahead']> {
  const arriving = { purpose, turn: turnOf(queue, purpose, person) };
  const before = queue.filter((waiting) => inOrder(waiting, arriving) <= 0);
  return { all: before.length, own: before.filter((waiting) => waiting.person === person).length };
}

/** Of one that arrives: behind their own reads, and level with the first of the others. */
function turnOf(queue: readonly Waiting[], purpose: Purpose, person: string): number {
  const equal = queue.filter((waiting) => waiting.purpose === purpose);
  if (equal.length === 0) return 0;
  const own = equal.filter((waiting) => waiting.person === person);
  return own.length > 0 ? 1 + Math.max(...own.map(({ turn }) => turn)) : Math.min(...equal.map(({ turn }) => turn));
}

type Place = Pick<Waiting, 'purpose' | 'turn'>;

function inOrder(a: Place, b: Place): number {
  return rankOf(a.purpose) - rankOf(b.purpose) || a.turn - b.turn;
}

function rankOf(purpose: Purpose): number {
  return PURPOSES.indexOf(purpose);
}
