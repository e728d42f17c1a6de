import { PURPOSES, type Purpose } from '../ports.ts';

export type Schedule = (milliseconds: number, call: () => void) => () => void;

interface Waiting {
  readonly purpose: Purpose;
  readonly grant: () => void;
  readonly refuse: (reason: Error) => void;
}

export interface WaitingLineParts {
  /** Milliseconds until a request for this purpose may go out. */
  readonly waitFor: (purpose: Purpose) => number;
  /** Calls back after so many milliseconds; gives what cancels it. */
  readonly schedule: Schedule;
}

interface WaitLimits<Taken> {
  readonly onTurn: () => Taken;
  readonly signal: AbortSignal;
  readonly patienceMs: number;
  readonly tooLate: () => Error;
}

/** Those who wait until a request may go out: the most urgent first, equals in the order they came. */
export interface WaitingLine {
  /**
   * Resolves with what `onTurn` gives, called at once when the turn comes, so that who is next sees what it took.
   * Rejects when the signal is aborted, or with `tooLate()` when patience has an end.
   */
  readonly wait: <Taken>(purpose: Purpose, limits: WaitLimits<Taken>) => Promise<Taken>;
  /** How many would go before one that came now. */
  readonly ahead: (purpose: Purpose) => number;
  readonly length: () => number;
  /** Something may have become free. */
  readonly serve: () => void;
  /** Nobody waits on: each is told why. */
  readonly close: (reason: Error) => void;
}

export function createWaitingLine({ waitFor, schedule }: WaitingLineParts): WaitingLine {
  let line: Waiting[] = [];
  let cancelTimer = (): void => undefined;

  const remove = (waiting: Waiting): void => {
    line = line.filter((entry) => entry !== waiting);
  };

  /** Grants what may be granted, then waits for the next moment when something may be. */
  const serve = (): void => {
    cancelTimer();
    for (let next = firstServable(); next !== undefined; next = firstServable()) {
      remove(next);
      next.grant();
    }
    const soonest = Math.min(...line.map(({ purpose }) => waitFor(purpose)));
    if (Number.isFinite(soonest)) cancelTimer = schedule(Math.max(1, soonest), serve);
  };
  const firstServable = (): Waiting | undefined => line.find(({ purpose }) => waitFor(purpose) <= 0);

  const wait: WaitingLine['wait'] = (purpose, { onTurn, signal, patienceMs, tooLate }) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        cancelPatience();
        signal.removeEventListener('abort', onAbort);
        remove(waiting);
      };
      const waiting: Waiting = {
        purpose,
        grant: () => {
          end();
          resolve(takeTurn(onTurn));
        },
        refuse: (reason) => {
          end();
          reject(reason);
        },
      };
      const onAbort = (): void => {
        waiting.refuse(new DOMException('Nobody waits any more.', 'AbortError'));
      };
      const cancelPatience = schedule(patienceMs, () => {
        waiting.refuse(tooLate());
      });
      signal.addEventListener('abort', onAbort, { once: true });
      line = [...line, waiting].sort((a, b) => rankOf(a.purpose) - rankOf(b.purpose));
      serve();
    });

  return {
    wait,
    serve,
    ahead: (purpose) => line.filter((waiting) => rankOf(waiting.purpose) <= rankOf(purpose)).length,
    length: () => line.length,
    close: (reason) => {
      cancelTimer();
      for (const waiting of line) waiting.refuse(reason);
    },
  };
}

/** What goes wrong is told to who waited: the line is served by timers and by others, who have nothing to do with it. */
function takeTurn<Taken>(onTurn: () => Taken): Promise<Taken> {
  return new Promise((resolve) => {
    resolve(onTurn());
  });
}

function rankOf(purpose: Purpose): number {
  return PURPOSES.indexOf(purpose);
}
